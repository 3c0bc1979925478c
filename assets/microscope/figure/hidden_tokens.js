import { hatch } from "./hatch.js";

/** @type {Set<number>} */
const NONE = new Set(),
  APART = 9; // pixels between the lines of a hidden cell

/**
 * The tokens that the reader has hidden, for a plane of queries and keys; else none.
 * @param {Trace} trace @param {Pick<Plane, "rows" | "columns">} plane
 */
export function hiddenTokensOf(trace, { rows, columns }) {
  return [rows.role, columns.role].sort().join() === "key,query" ? trace.hiddenTokens : NONE;
}

/** @param {Set<number>} hidden @param {number} row @param {number} column */
export const isHiddenCell = (hidden, row, column) => hidden.has(row) || hidden.has(column);

/**
 * A hidden cell: blank, hatched in the other direction than masked cells.
 * @param {Pen} pen @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {Palette} palette
 */
export function drawHiddenCell(pen, x, y, width, height, { card, line }) {
  pen.fillStyle = card;
  pen.fillRect(x, y, width, height);
  hatch(pen, x, y, width, height, line, { apart: APART, leansBack: true });
}

/**
 * Covers the rows and columns of hidden tokens in a thumbnail.
 * @param {Pen} pen @param {Iterable<number>} hidden @param {[rows: number, columns: number]} given
 * @param {HTMLCanvasElement} hTMLCanvasElement @param {Palette} palette
 */
export function coverHidden(pen, hidden, [rows, columns], { width, height }, { card }) {
  pen.fillStyle = card;
  for (const position of hidden) {
    pen.fillRect(0, (position * height) / rows, width, height / rows);
    pen.fillRect((position * width) / columns, 0, width / columns, height);
  }
}
