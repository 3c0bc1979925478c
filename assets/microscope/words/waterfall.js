// A sum that grows: each bar starts where the sum before it ended, the total's at zero.

/**
 * For columns of {amount, total?}: top, height and end of each bar, and the level of zero.
 *
 * Shares of the height from above, as CSS writes them. No bars where an amount is infinite.
 * @param {{ amount: number, total?: boolean }[]} columns
 */
export function waterfall(columns) {
  let sum = 0;
  const ends = columns.map(({ amount, total }) => {
    const from = total ? 0 : sum;
    sum = from + amount;
    return [from, sum];
  });
  const highest = Math.max(0, ...ends.flat());
  const lowest = Math.min(0, ...ends.flat());
  if (!Number.isFinite(highest - lowest)) return { zero: "100%", bars: [] };
  /** @param {number} size */
  const share = (size) => `${((size / (highest - lowest || 1)) * 100).toFixed(2)}%`;
  const bars = ends.map(([from, to]) => ({
    top: share(highest - Math.max(from, to)),
    height: share(Math.abs(to - from)),
    end: share(highest - to),
    negative: to < from,
  }));
  return { zero: share(highest), bars };
}
