import { digitSize, drawFace } from "./cells.js";
import { drawPlane, partBox } from "./draw.js";
import { between, during, ease } from "./motion.js";
import { cellsOf, printed } from "./planes.js";
import { rampOf, rgb } from "../theme.js";
import { isHiddenCell, hiddenTokensOf } from "./hidden_tokens.js";

const VALUES = 0.3,
  MASKS = 0.5; // of the time, by which the values and the masks have slid over

/**
 * A mask: the values slide over and the masks over them; then what is not allowed turns over and is
 * masked.
 * @param {CanvasPen} pen @param {Step} step @param {Box[]} operands @param {Box} result @param {number} time
 */
export function maskAnimation(pen, step, [values, ...masks], result, time) {
  const { x, y, width, height } = result,
    over = /** @param {Box} box @param {number} part */ (box, part) =>
      between(box, { ...box, x, y, width, height }, ease(part));
  if (time < VALUES) return drawPlane(pen, step, over(values, time / VALUES), null);
  if (time < MASKS) {
    drawPlane(pen, step, over(values, 1), null);
    pen.globalAlpha = 0.6;
    for (const mask of masks) drawPlane(pen, step, over(mask, during(time, VALUES, MASKS)), null);
    pen.globalAlpha = 1;
    return;
  }
  const { trace, at, palette } = step,
    cells = cellsOf(trace, result.plane, at),
    before = cellsOf(trace, values.plane, at);
  const ramp = rampOf(trace.stage(values.plane.stage).scale, palette),
    size = digitSize(step, result, cells),
    columns = result.plane.columns.size,
    hidden = hiddenTokensOf(trace, result.plane);
  drawPlane(pen, step, result, null);
  if ("tiles" in cells || "tiles" in before) return;
  for (let row = result.top; row < result.bottom; row++) {
    for (let column = result.first; column < result.last; column++) {
      const i = row * columns + column;
      if (!cells.masked[i] || isHiddenCell(hidden, row, column)) continue;
      const [colour, shown, source, isMasked] =
        time < (1 + MASKS) / 2
          ? [ramp[before.levels[i]], before, values, false]
          : [rgb(palette.masked), cells, result, true];
      const text = size ? printed(trace, source.plane, shown, i) : "";
      turn(pen, partBox(result, { row, column }), { colour, text, isMasked }, size, palette, during(time, MASKS, 1));
    }
  }
}

/**
 * @param {CanvasPen} pen @param {Rectangle} rectangle
 * @param {{ colour: Colour, text: string, isMasked: boolean }} face @param {number} size @param {Palette} palette
 * @param {number} time
 */
function turn(pen, { x, y, width, height }, face, size, palette, time) {
  const open = Math.abs(Math.cos(ease(time) * Math.PI));
  pen.fillStyle = palette.card;
  pen.fillRect(x, y, width, height);
  pen.save();
  pen.translate(x + width / 2, y + height / 2);
  pen.scale(Math.max(open, 0.01), 1);
  drawFace(pen, { x: -width / 2, y: -height / 2, width, height }, face, size, palette);
  pen.restore();
}
