/**
 * The position of a weight on its scale, 0 … 1; 0 where all weights are 0.
 * @param {{ largest: number, root: boolean }} scale @param {number} weight
 */
export function along({ largest, root }, weight) {
  const part = largest && Math.min(1, weight / largest);
  return root ? Math.sqrt(part) : part;
}
