import { breathe } from "./breathe.js";
import { hatch } from "./cells.js";
import { drawNames, drawPlane, frame, partBox } from "./draw.js";
import { drawBar } from "./labels.js";
import { appear, between, ease } from "./motion.js";
import { cellsOf } from "./planes.js";
import { css, rampOf } from "./theme.js";

const CARRY = 0.3; // of the flight, in which what is there already moves to its new place
const SLOW = 40; // cells, up to which each flies by itself

// One step becoming the next, at a time 0 … 1: what stays moves to its new place, then the result is
// made in the way of its rule. ``before`` has the boxes of the step before.
export function drawFlight(pen, step, before, time) {
  const { layout, trace, palette } = step, moved = ease(Math.min(1, time / CARRY)), made = Math.max(0, (time - CARRY) / (1 - CARRY));
  const operands = layout.boxes.slice(0, -1), result = layout.boxes.at(-1);
  for (const box of operands) {
    const old = before?.find(({ plane }) => plane.stage === box.plane.stage && plane.head === box.plane.head && plane.transposed === box.plane.transposed);
    pen.globalAlpha = old ? 1 : moved;
    drawPlane(pen, step, old ? between(old, box, moved) : box, null);
    pen.globalAlpha = moved;
    drawNames(pen, step, box, null);
  }
  pen.globalAlpha = moved;
  drawNames(pen, step, result, null);
  if (!layout.narrow) drawBar(pen, trace, result, layout, palette);
  pen.globalAlpha = 1;
  if (made > 0) maker(trace.stage(result.plane.stage).rule, step)(pen, step, operands, result, made);
}

function maker(rule, { drawing }) {
  if (drawing.layout === "product") return meet;
  return { mask: strike, softmax: breathe, given: appear }[rule.rule] ?? slide;
}

// A product: row i of the left and column j of the right fly together into cell (i, j).
function meet(pen, step, [left, right], result, time) {
  const columns = result.last - result.first, count = (result.bottom - result.top) * columns, done = time * count, now = Math.min(count - 1, Math.floor(done));
  drawPlane(pen, step, result, null, now);
  if (time >= 1) return drawPlane(pen, step, result, null);
  const row = result.top + Math.floor(now / columns), column = result.first + (now % columns), { accent } = step.palette;
  const parts = [[left, { row, column: null }], [right, { row: null, column: count > 2000 ? null : column }]];
  for (const [box, part] of parts) {
    frame(pen, box, part, accent, false);
    if (count <= SLOW) flying(pen, step, box, part, partBox(result, { row, column }), ease(done - now));
  }
  frame(pen, result, { row, column: count > 2000 ? null : column }, accent, true);
}

function flying(pen, { trace, palette, at }, box, part, goal, time) {
  const from = partBox(box, part), cells = cellsOf(trace, box.plane, at), ramp = rampOf(trace.stage(box.plane.stage).scale, palette);
  const along = part.row === null, first = along ? box.top : box.first, count = (along ? box.bottom : box.last) - first;
  const to = (a, b) => a + (b - a) * time, strip = { x: to(from.x, goal.x), y: to(from.y, goal.y), width: to(from.width, goal.width), height: to(from.height, goal.height) };
  pen.globalAlpha = 1 - 0.6 * time;
  for (let i = 0; i < count; i++) {
    const row = along ? first + i : part.row, column = along ? part.column : first + i;
    pen.fillStyle = css(ramp[cells.places[row * box.plane.columns.size + column]]);
    const share = along ? [strip.x, strip.y + (strip.height * i) / count, strip.width, strip.height / count] : [strip.x + (strip.width * i) / count, strip.y, strip.width / count, strip.height];
    pen.fillRect(...share);
  }
  pen.globalAlpha = 1;
}

// Copies, sums and scalings: the operands slide over into their places and take the new colours.
function slide(pen, step, operands, result, time) {
  const arrived = ease(Math.min(1, time / 0.7)), turned = Math.max(0, (time - 0.7) / 0.3);
  for (const box of operands) {
    pen.globalAlpha = (1 - turned) * 0.9;
    drawPlane(pen, step, between(box, { ...box, ...placeIn(result, box.plane) }, arrived), null);
  }
  appear(pen, step, operands, result, turned);
}

// Where in the result an operand comes to lie: a head's columns, a part's rows, or all of it.
function placeIn(result, { head, columns, rows, marked_when: when }) {
  const whole = { x: result.x, y: result.y, width: result.width, height: result.height };
  if (head !== null) return { ...whole, x: result.x + head * columns.size * result.cellWidth, width: columns.size * result.cellWidth };
  if (when) return { ...whole, y: result.y + when[1] * result.cellHeight, height: Math.max(rows.size, 1) * result.cellHeight };
  return whole;
}

// A mask: the values slide over, then what is not allowed turns over and is struck out.
function strike(pen, step, operands, result, time) {
  const { trace, palette, at } = step, cells = cellsOf(trace, result.plane, at), source = cellsOf(trace, operands[0].plane, at);
  const arrived = ease(Math.min(1, time / 0.4)), turned = ease(Math.max(0, (time - 0.4) / 0.6));
  const ground = rampOf(trace.stage(operands[0].plane.stage).scale, palette);
  if (arrived < 1) return drawPlane(pen, step, between(operands[0], { ...operands[0], ...placeIn(result, operands[0].plane) }, arrived), null);
  drawPlane(pen, step, result, null);
  for (let row = result.top; row < result.bottom; row++) {
    for (let column = result.first; column < result.last; column++) {
      const i = row * result.plane.columns.size + column;
      if (cells.masked[i]) turning(pen, partBox(result, { row, column }), ground[source.places[i]], palette, turned);
    }
  }
}

function turning(pen, { x, y, width, height }, before, palette, time) {
  const open = Math.abs(Math.cos(time * Math.PI)), struck = time > 0.5;
  pen.fillStyle = palette.card;
  pen.fillRect(x, y, width, height);
  pen.fillStyle = struck ? palette.masked : css(before);
  pen.fillRect(x + (width * (1 - open)) / 2, y + 1, width * open, height - 2);
  if (struck && width > 8) hatch(pen, x + (width * (1 - open)) / 2, y + 1, width * open, height - 2, palette.hatch);
}
