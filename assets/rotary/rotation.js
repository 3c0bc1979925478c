/**
 * The two numbers of a vector that are turned together: those half its width apart.
 * @param {number[]} vector @param {number} pair @returns {[number, number]}
 */
export function pairOf(vector, pair) {
  return [vector[pair], vector[pair + vector.length / 2]];
}

/**
 * A pair of numbers as an arrow, turned by an angle.
 * @param {[number, number]} arrow @param {number} angle @returns {[number, number]}
 */
export function turned([x, y], angle) {
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  return [x * cos - y * sin, y * cos + x * sin];
}

/**
 * What one pair adds to the scaled score of a query at position m and a key at position n.
 * @param {number[]} q @param {number[]} k @param {number[]} freq @param {number} pair @param {number} m @param {number} n
 */
export function partOf(q, k, freq, pair, m, n) {
  const one = turned(pairOf(q, pair), m * freq[pair]),
    other = turned(pairOf(k, pair), n * freq[pair]);
  return (one[0] * other[0] + one[1] * other[1]) / Math.sqrt(q.length);
}

/**
 * The scaled score: both vectors turned by their positions, and multiplied.
 * @param {number[]} q @param {number[]} k @param {number[]} freq @param {number} m @param {number} n
 */
export function scoreOf(q, k, freq, m, n) {
  return freq.reduce((sum, _, pair) => sum + partOf(q, k, freq, pair, m, n), 0);
}
