/* Lines from token to token, as thick as the weight between them. */

/** @typedef {[x: number, y: number]} Point */

/**
 * The path between two tokens that face each other, in two columns or in two rows.
 * @param {Point} from @param {Point} to @param {boolean} columns
 */
export function across([x, y], [toX, toY], columns) {
  const [midX, midY] = [(x + toX) / 2, (y + toY) / 2];
  return columns
    ? `M${x} ${y} C${midX} ${y} ${midX} ${toY} ${toX} ${toY}`
    : `M${x} ${y} C${x} ${midY} ${toX} ${midY} ${toX} ${toY}`;
}

/**
 * The path over one row of tokens, from one to another or, as a loop, back to the same.
 * @param {number} from @param {number} to @param {number} foot @param {number} rise
 * @param {[near: number, wide: number, high: number]} loop
 */
export function over(from, to, foot, rise, [near, wide, high]) {
  if (from !== to) return `M${from} ${foot} C${from} ${foot - rise} ${to} ${foot - rise} ${to} ${foot}`;
  return `M${from - near} ${foot} C${from - wide} ${foot - high} ${from + wide} ${foot - high} ${from + near} ${foot}`;
}

/**
 * @param {number} weight from 0 to 1 @param {number} thickest pixels of 1 @param {number} least pixels of 0
 */
export const thickness = (weight, thickest, least) => String(Math.max(least, thickest * weight));
