import { drawPlane } from "./draw.js";

/** @type {(keyof Rectangle)[]} */
const SIDES = ["x", "y", "width", "height"];

/**
 * Ease-in-out of a time 0 … 1.
 * @param {number} t
 */
export const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

/**
 * The elapsed part, 0 … 1, of the time from ``start`` to ``end``.
 * @param {number} time @param {number} start @param {number} end
 */
export const during = (time, start, end) => Math.min(1, Math.max(0, (time - start) / (end - start)));

/**
 * A box interpolated between two of the same plane.
 * @param {Box} from @param {Box} to @param {number} part
 */
export function between(from, to, part) {
  const box = { ...to };
  for (const side of SIDES) box[side] = from[side] + (to[side] - from[side]) * part;
  return { ...box, cellWidth: box.width / (to.last - to.first), cellHeight: box.height / (to.bottom - to.top) };
}

/**
 * Some of a box's rows and columns as a box of their own.
 * @param {Box} box @param {Part} part
 */
export function piece(box, { row, column, rows, columns }) {
  const { cellWidth, cellHeight } = box,
    corner = { x: box.x + (column - box.first) * cellWidth, y: box.y + (row - box.top) * cellHeight };
  return {
    ...box,
    ...corner,
    width: columns * cellWidth,
    height: rows * cellHeight,
    top: row,
    bottom: row + rows,
    first: column,
    last: column + columns,
  };
}

/** @param {Pen} pen @param {Step} step @param {Box[]} _operands @param {Box} result @param {number} time */
export function appear(pen, step, _operands, result, time) {
  pen.globalAlpha = ease(time);
  drawPlane(pen, step, result, null);
  pen.globalAlpha = 1;
}

/**
 * How the page scrolls by itself: at once for who does not want motion.
 * @returns {ScrollBehavior}
 */
export const scrolling = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
