import { softmaxAnimation } from "./softmax_animation.js";
import { drawNames, drawPlane } from "./draw.js";
import { gather } from "./gather.js";
import { drawBar } from "./labels.js";
import { matmulAnimation } from "./matmul_animation.js";
import { appear, between, during, ease, piece } from "./motion.js";
import { maskAnimation } from "./mask_animation.js";

const CARRY = 0.3; // of the animation, in which operands move to their new position
const FEW = 400; // cells, up to which a matrix is transposed visibly
/** @type {Record<string, Maker>} */
const MAKERS = { mask: maskAnimation, softmax: softmaxAnimation, given: appear, operand: gather, stack: gather };

/**
 * The transition from one step to the next, at a time 0 … 1: planes that stay move to their new position, then the
 * result is animated by its rule. ``before``: the boxes of the step before. Returns the cell of a product that is
 * filled at this time.
 * @param {CanvasPen} pen @param {Step} step @param {Box[] | null} before @param {number} time
 * @returns {{ row: number, column: number | null } | null}
 */
export function drawAnimation(pen, step, before, time) {
  const { layout, trace, drawing } = step,
    moved = ease(during(time, 0, CARRY)),
    made = during(time, CARRY, 1);
  const operands = layout.boxes.slice(0, -1),
    result = layout.boxes.at(-1),
    { rule } = trace.stage(result.plane.stage);
  for (const box of operands) {
    carry(pen, step, box, before, moved);
    pen.globalAlpha = moved;
    drawNames(pen, step, box, []);
  }
  pen.globalAlpha = moved;
  drawNames(pen, step, result, []);
  if (!layout.narrow && rule.rule !== "softmax") drawBar(pen, step, result);
  pen.globalAlpha = 1;
  if (made <= 0) return null;
  if (drawing.layout === "product") return matmulAnimation(pen, step, operands, result, made);
  (MAKERS[rule.rule] ?? slide)(pen, step, operands, result, made);
  return null;
}

/**
 * An operand comes from where the step before had it, turns about its diagonal, or fades in.
 * @param {CanvasPen} pen @param {Step} step @param {Box} box @param {Box[] | null} before @param {number} moved
 */
function carry(pen, step, box, before, moved) {
  const { plane } = box,
    old = before?.find(
      (one) =>
        one.plane.stage === plane.stage && one.plane.head === plane.head && one.plane.transposed === plane.transposed,
    );
  pen.globalAlpha = old ? 1 : moved;
  if (!old && plane.transposed && plane.rows.size * plane.columns.size <= FEW) return transpose(pen, step, box, moved);
  drawPlane(pen, step, old ? between(old, box, moved) : box, null);
}

/** @param {CanvasPen} pen @param {Step} step @param {Box} box @param {number} moved */
function transpose(pen, step, box, moved) {
  for (let row = box.top; row < box.bottom; row++) {
    for (let column = box.first; column < box.last; column++) {
      const cell = piece(box, { row, column, rows: 1, columns: 1 }),
        x = box.x + (row - box.top) * box.cellWidth,
        y = box.y + (column - box.first) * box.cellHeight;
      drawPlane(pen, step, between({ ...cell, x, y }, cell, moved), null);
    }
  }
}

/**
 * Sums and scalings: the operands slide over one another and take the new colours.
 * @param {CanvasPen} pen @param {Step} step @param {Box[]} operands @param {Box} result @param {number} time
 */
function slide(pen, step, operands, result, time) {
  const arrived = ease(during(time, 0, 0.7)),
    turned = during(time, 0.7, 1),
    { x, y, width, height } = result;
  pen.globalAlpha = 0.9 * (1 - turned);
  for (const box of operands) drawPlane(pen, step, between(box, { ...box, x, y, width, height }, arrived), null);
  appear(pen, step, operands, result, turned);
}
