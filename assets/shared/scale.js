/**
 * The position of a weight on its scale, 0 … 1; 0 where all weights are 0.
 * @param {{ largest: number, root: boolean }} scale @param {number} weight
 */
export function along({ largest, root }, weight) {
  const part = largest && Math.min(1, weight / largest);
  return root ? Math.sqrt(part) : part;
}

/**
 * A CSS gradient from left to right. colourOf: gives a CSS colour for a position 0 … 1.
 * @param {number} stops @param {(position: number) => string} colourOf
 */
export const gradient = (stops, colourOf) =>
  `linear-gradient(to right, ${Array.from({ length: stops }, (_, i) => colourOf(i / (stops - 1)))})`;
