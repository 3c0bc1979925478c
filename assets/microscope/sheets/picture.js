import { drawStep } from "../figure/draw.js";
import { layoutOf } from "../figure/layout.js";
import { litBy } from "../figure/lit.js";

const AROUND = 16; // pixels of ground at each side
const NARROWEST = 560,
  EDGE = 2; // what a wide layout begins with, and what it leaves at each side

/** One step as it is drawn, for a picture of its own: all of it, in the size that it is designed for.
 *
 * @param {Trace} trace
 * @param {{ stage: string, at: At, rest: CellSpot, locked: boolean, resultHidden: boolean }} shown  at: a position for every
 *   role; rest: the chosen cell of the result
 * @param {Palette} palette
 */
export function pictureOf(trace, { stage, at, rest, locked, resultHidden }, palette) {
  const drawing = trace.drawing(stage),
    width = Math.max(NARROWEST, drawing.wide.width + 2 * EDGE);
  const layout = layoutOf(drawing, [drawing], width, Infinity, {}, { smallest: 1, largest: 1 });
  layout.boxes.at(-1).hides = resultHidden;
  const marks = litBy(trace, drawing, at, { plane: drawing.planes.length - 1, ...rest });
  const lit = locked ? marks : null;
  const step = { trace, drawing, layout, at, lit, rest: marks, chosen: rest, palette, means: null };
  return { step, width: layout.width + 2 * AROUND, height: layout.height + 2 * AROUND };
}

/** Draws a picture with any pen, its ground first.
 *
 * @param {Pen} pen @param {ReturnType<typeof pictureOf>} picture
 */
export function paint(pen, { step, width, height }) {
  pen.fillStyle = step.palette.card;
  pen.fillRect(0, 0, width, height);
  pen.save();
  pen.translate(AROUND, AROUND);
  drawStep(pen, step);
  pen.restore();
}
