/**
 * The correctly rounded sum, like Python's math.fsum: partial sums that do not overlap (Shewchuk, 1997).
 * @param {Iterable<number>} values
 */
export function fsum(values) {
  /** @type {number[]} */
  const partials = [];
  for (let x of values) {
    if (!Number.isFinite(x)) return [...values].reduce((sum, value) => sum + value, 0);
    let count = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y,
        low = y - (high - x);
      if (low) partials[count++] = low;
      x = high;
    }
    partials.length = count;
    partials.push(x);
  }
  return rounded(partials);
}

/** @param {number[]} partials */
function rounded(partials) {
  let n = partials.length,
    high = n ? partials[--n] : 0,
    low = 0;
  while (n > 0) {
    const x = high,
      y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low) break;
  }
  // Half-way cases round to even only if what is left agrees in sign.
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    const y = low * 2,
      x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}
