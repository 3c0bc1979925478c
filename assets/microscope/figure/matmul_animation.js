import { drawPlane, frame } from "./draw.js";
import { between, during, ease, piece } from "./motion.js";

const ONE = 0.55,
  THERE = 0.45; // of the time: for the chosen cell; and its row and column have arrived
const MANY = 2000; // cells, from which on they come row by row

/**
 * A product: the chosen cell's row of the left and column of the right fly together into it, and
 * then all cells come in reading order. Returns the cell that comes just now; without a column where rows come whole.
 * @param {CanvasPen} pen @param {Step} step @param {Box[]} operands @param {Box} result @param {number} time
 * @returns {{ row: number, column: number | null } | null}
 */
export function matmulAnimation(pen, step, [left, right], result, time) {
  const { row, column } = step.chosen;
  if (time >= 1) {
    drawPlane(pen, step, result, null);
    return null;
  }
  if (time < ONE) {
    outline(pen, step, left, right, result, row, column);
    const arrived = ease(during(time, 0, THERE)),
      goal = piece(result, { row, column, rows: 1, columns: 1 });
    pen.globalAlpha = 1 - during(time, THERE, ONE);
    fly(pen, step, piece(left, { row, column: left.first, rows: 1, columns: left.last - left.first }), goal, arrived);
    fly(pen, step, piece(right, { row: right.top, column, rows: right.bottom - right.top, columns: 1 }), goal, arrived);
    pen.globalAlpha = during(time, THERE, ONE);
    drawPlane(pen, step, goal, null);
    pen.globalAlpha = 1;
    return step.chosen;
  }
  const columns = result.last - result.first,
    count = (result.bottom - result.top) * columns,
    now = Math.min(count - 1, Math.floor(during(time, ONE, 1) * count)),
    filled = {
      row: result.top + Math.floor(now / columns),
      column: count > MANY ? null : result.first + (now % columns),
    };
  drawPlane(pen, step, result, null, now);
  drawPlane(pen, step, piece(result, { row, column, rows: 1, columns: 1 }), null);
  outline(pen, step, left, right, result, filled.row, filled.column);
  return filled;
}

/**
 * Half see-through on arrival, so that the row and the column are both visible in the cell.
 * @param {CanvasPen} pen @param {Step} step @param {Box} from @param {Rectangle} rectangle @param {number} time
 */
function fly(pen, step, from, { x, y, width, height }, time) {
  const whole = pen.globalAlpha;
  pen.globalAlpha = whole * (1 - time / 2);
  drawPlane(pen, step, between(from, { ...from, x, y, width, height }, time), null);
  pen.globalAlpha = whole;
}

/**
 * @param {CanvasPen} pen @param {Step} step @param {Box} left @param {Box} right @param {Box} result
 * @param {number} row @param {number | null} column
 */
function outline(pen, { palette: { accent } }, left, right, result, row, column) {
  frame(pen, left, { row, column: null }, accent, false);
  frame(pen, right, { row: null, column }, accent, false);
  frame(pen, result, { row, column }, accent, true);
}
