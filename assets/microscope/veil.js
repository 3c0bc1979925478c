import { hatch } from "./hatch.js";

const NONE = new Set(), APART = 9; // pixels between the lines of a veil

// The tokens that the reader took out of the picture, on a plane where queries meet keys.
export function veilOf(trace, { rows, columns }) {
  return [rows.role, columns.role].sort().join() === "key,query" ? (trace.veil ??= new Set(trace.hidden)) : NONE;
}

export const isVeiled = (veil, row, column) => veil.has(row) || veil.has(column);

// A cell of nobody's colour, with lines that lean the other way than a mask's.
export function drawVeiled(pen, x, y, width, height, { card, line }) {
  pen.fillStyle = card;
  pen.fillRect(x, y, width, height);
  hatch(pen, x, y, width, height, line, { apart: APART, leansBack: true });
}

// Blank strips over a small picture of as many rows and columns as there are tokens, or of fewer.
export function veilSmall(pen, veil, [rows, columns], { width, height }, { card }) {
  pen.fillStyle = card;
  for (const place of veil) {
    pen.fillRect(0, (place * height) / rows, width, height / rows);
    pen.fillRect((place * width) / columns, 0, width / columns, height);
  }
}
