import { hatch } from "./hatch.js";

/** @type {Set<number>} */
const NONE = new Set(),
  APART = 9; // pixels between the lines of a hidden

/**
 * The tokens that the reader took out of the picture, on a plane where queries meet keys.
 * @param {Trace} trace @param {Pick<Plane, "rows" | "columns">} plane
 */
export function hiddenTokensOf(trace, { rows, columns }) {
  return [rows.role, columns.role].sort().join() === "key,query" ? trace.hiddenTokens : NONE;
}

/** @param {Set<number>} hidden @param {number} row @param {number} column */
export const isHiddenCell = (hidden, row, column) => hidden.has(row) || hidden.has(column);

/**
 * A cell of nobody's colour, with lines that lean the other way than a mask's.
 * @param {Pen} pen @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {Palette} palette
 */
export function drawHiddenCell(pen, x, y, width, height, { card, line }) {
  pen.fillStyle = card;
  pen.fillRect(x, y, width, height);
  hatch(pen, x, y, width, height, line, { apart: APART, leansBack: true });
}

/**
 * Blank strips over a small picture of as many rows and columns as there are tokens, or of fewer.
 * @param {Pen} pen @param {Iterable<number>} hidden @param {[rows: number, columns: number]} given
 * @param {HTMLCanvasElement} hTMLCanvasElement @param {Palette} palette
 */
export function coverHidden(pen, hidden, [rows, columns], { width, height }, { card }) {
  pen.fillStyle = card;
  for (const place of hidden) {
    pen.fillRect(0, (place * height) / rows, width, height / rows);
    pen.fillRect((place * width) / columns, 0, width / columns, height);
  }
}
