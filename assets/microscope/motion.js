import { drawPlane } from "./draw.js";

// Slow, fast, slow: where a part 0 … 1 of the time leads.
export const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

// A box on its way to another of the same plane.
export function between(from, to, part) {
  const box = { ...to };
  for (const side of ["x", "y", "width", "height"]) box[side] = from[side] + (to[side] - from[side]) * part;
  return { ...box, cellWidth: box.width / (to.last - to.first), cellHeight: box.height / (to.bottom - to.top) };
}

export function appear(pen, step, operands, result, time) {
  pen.globalAlpha = ease(time);
  drawPlane(pen, step, result, null);
  pen.globalAlpha = 1;
}
