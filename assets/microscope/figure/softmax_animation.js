import { SINGLE, digitSize, drawFace, inner } from "./cells.js";
import { make, penOf } from "../../shared/dom.js";
import { drawPlane, partBox } from "./draw.js";
import { drawBar } from "./labels.js";
import { appear, during, ease } from "./motion.js";
import { plain } from "../engine/numbers.js";
import { cellsOf } from "./planes.js";
import { softmax } from "../engine/rules.js";
import { css, mixed, rampOf, rgb } from "../theme.js";
import { drawHiddenCell, isHiddenCell, hiddenTokensOf } from "./hidden_tokens.js";

/**
 * The style of all cells of a phase. size: of digits, 0 for none.
 * @typedef {{ size: number, hidden: Set<number>, picture: ImageData | null }} Ink
 *
 * A row that shares out one unit; before: its weights without the mask.
 * @typedef {{
 *   cell(i: number): number, values: Float64Array, masked: boolean[], before: Float64Array | null,
 * } & ReturnType<typeof softmax>} Line
 * @typedef {{ phase: number, part: number }} Moment
 * @typedef {ReturnType<typeof coloursOf>} Colours
 */

const PHASES = ["x − max", "eˣ", "÷ Σ"];
const LEAVES = 0.35; // of the last phase, after which the shares of what is masked move on
const FEW = 400,
  LEAST = 0.004; // cells up to which shares visibly move; the smallest that is

/**
 * Animates softmax in three phases: minus the maximum, exponential, divided by the sum.
 * In the last one, what is masked hands the share that it would have had to the others of its row:
 * to each in the measure of what that one gets.
 * @param {CanvasPen} pen @param {Step} step @param {Box[]} operands @param {Box} result @param {number} time
 */
export function softmaxAnimation(pen, step, [operand], result, time) {
  const { trace, palette, at, layout } = step,
    numbers = numbersOf(trace, operand.plane, at),
    width = result.plane.columns.size;
  if (!numbers) return appear(pen, step, [operand], result, time);
  if (time >= 1) return drawPlane(pen, step, result, null);
  const phase = Math.min(2, Math.floor(time * 3)),
    moment = { phase, part: time * 3 - phase };
  const free = unmasked(trace, operand.plane, at),
    colours = coloursOf(trace.stage(result.plane.stage).scale, palette);
  const size = digitSize(step, result, cellsOf(trace, result.plane, at));
  /** @type {Line[]} */
  const rows = [];
  /** @type {Ink} */
  const ink = {
    size,
    hidden: hiddenTokensOf(trace, result.plane),
    picture:
      Math.min(result.cellWidth, result.cellHeight) < SINGLE ? new ImageData(width, result.plane.rows.size) : null,
  };
  const { begin, end, length, next, step: apart } = linesOf(trace, result);
  for (let line = begin; line < end; line++) {
    /** @param {number} i */
    const cell = (i) => line * next + i * apart;
    const of = /** @param {ArrayLike<number>} all */ (all) => Float64Array.from({ length }, (_, i) => all[cell(i)]),
      values = of(numbers),
      masked = Array.from(values, (value) => value === -Infinity);
    rows.push({
      cell,
      ...softmax(values),
      values,
      masked,
      before: free && masked.some(Boolean) ? softmax(of(free)).weights : null,
    });
  }
  for (const one of rows) paint(pen, step, result, one, moment, colours, ink);
  if (ink.picture) put(pen, ink.picture, result);
  if (phase === 2) last(pen, step, result, rows, moment, colours);
  caption(pen, PHASES[phase], result, layout, palette);
}

/**
 * The lines that share out one unit each: rows, or columns where a token is one; which of them are
 * in sight, and how far apart lines and their cells are in memory.
 * @param {Trace} trace @param {Box} box
 */
function linesOf(trace, { plane: { stage, rows, columns }, top, bottom, first, last }) {
  const { rule: outer } = trace.stage(stage),
    rule = outer.rule === "round" ? outer.of : outer;
  if (rule.rule === "softmax" && rows.role === rule.along)
    return { begin: first, end: last, length: rows.size, next: 1, step: columns.size };
  return { begin: top, end: bottom, length: columns.size, next: columns.size, step: 1 };
}

/**
 * @param {CanvasPen} pen @param {Step} step @param {Box} result @param {Line[]} rows @param {Moment} moment
 * @param {Colours} colours
 */
function last(pen, step, result, rows, { part }, colours) {
  if (!step.layout.narrow) drawBar(pen, step, result);
  if (result.plane.rows.size * result.plane.columns.size > FEW || part < LEAVES) return;
  const hidden = hiddenTokensOf(step.trace, result.plane);
  for (const row of rows)
    if (row.before) hand(pen, result, row, row.before, ease(during(part, LEAVES, 1)), colours, hidden);
}

/**
 * Below the result, or over its last row where there is no room.
 * @param {CanvasPen} pen @param {string} text @param {Rectangle} rectangle @param {Layout} layout
 * @param {Palette} palette
 */
function caption(pen, text, { x, y, width, height }, layout, palette) {
  const size = 15 * Math.max(1, layout.textScale),
    high = size + 10,
    top = Math.min(y + height + 4, layout.height - high - 2);
  pen.font = `600 ${size}px ${pen.face}`;
  const wide = pen.measureText(text).width + 20;
  pen.fillStyle = palette.card;
  pen.beginPath();
  pen.roundRect(x + (width - wide) / 2, top, wide, high, high / 2);
  pen.fill();
  pen.fillStyle = palette.accent;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + width / 2, top + high / 2);
}

/**
 * The numbers before the mask.
 * @param {Trace} trace @param {Plane} plane @param {At} at
 */
function unmasked(trace, plane, at) {
  const { rule, roles } = trace.stage(plane.stage);
  if (rule.rule !== "mask" || rule.of.rule !== "operand" || rule.of.index.some((part, axis) => part !== roles[axis]))
    return null;
  return numbersOf(trace, { ...plane, stage: rule.of.stage }, at);
}

/** @param {Trace} trace @param {Plane} plane @param {At} at */
function numbersOf(trace, plane, at) {
  const cells = cellsOf(trace, plane, at);
  return "tiles" in cells ? null : cells.numbers;
}

/** @param {Scale} scale @param {Palette} palette */
function coloursOf({ high, root }, palette) {
  const signed = rampOf({ kind: "signed" }, palette),
    share = rampOf({ kind: "share" }, palette);
  return {
    card: rgb(palette.card),
    masked: rgb(palette.masked),
    /** @param {number} part */
    below: (part) => signed[Math.round(127 * (1 - Math.min(1, part)))],
    /** @param {number} value */
    power: (value) => share[Math.round(255 * (root ? Math.sqrt(value) : value))],
    /** @param {number} value */
    share: (value) => share[Math.round(255 * Math.min(1, root ? Math.sqrt(value / high) : value / high))],
  };
}

/**
 * Paints a row; half-way through a phase the new numbers replace the old ones.
 * @param {CanvasPen} pen @param {Step} step @param {Box} result @param {Line} line @param {Moment} moment
 * @param {Colours} colours @param {Ink} ink
 */
function paint(pen, step, result, line, { phase, part }, colours, ink) {
  const { cell, values, masked, maximum, exponentials, weights, before } = line,
    span = Math.max(1, ...values.map((x) => (Number.isFinite(x) ? maximum - x : 0))),
    leaves = phase === 2 && before,
    late = leaves && part > LEAVES;
  /** @type {((i: number) => [colour: Colour, number: number])[]} */
  const faces = [
    (i) => [colours.card, values[i]],
    (i) => [colours.below((maximum - values[i]) / span), values[i] - maximum],
    (i) => [colours.power(exponentials[i]), exponentials[i]],
    ...(before ? [before] : []).map((shares) => faceOf(shares, colours)),
    faceOf(weights, colours),
  ];
  const [from, to] = faces.slice(late ? 3 : phase),
    time = ease(late ? during(part, LEAVES, 1) : leaves ? part / LEAVES : part);
  masked.forEach((isMasked, i) => {
    const [old, made] = [from(i), to(i)],
      colour = isMasked ? colours.masked : mixed(old[0], made[0], time),
      number = isMasked && phase === 2 ? 0 : (time < 0.5 ? old : made)[1];
    fill(pen, step, result, cell(i), colour, isMasked, number, ink);
  });
}

/**
 * @param {Float64Array} shares @param {Colours} colours
 * @returns {(i: number) => [colour: Colour, number: number]}
 */
const faceOf = (shares, colours) => (i) => [colours.share(shares[i]), shares[i]];

/**
 * @param {CanvasPen} pen @param {Step} step @param {Box} result @param {number} cell @param {Colour} colour
 * @param {boolean} isMasked @param {number} number @param {Ink} ink
 */
function fill(pen, { palette }, result, cell, colour, isMasked, number, { size, hidden, picture }) {
  const { row, column } = spotOf(result, cell),
    isHidden = isHiddenCell(hidden, row, column);
  if (column < result.first || column >= result.last || row < result.top || row >= result.bottom) return;
  if (picture) {
    picture.data.set([...(isHidden ? rgb(palette.card) : colour), 255], 4 * cell);
    return;
  }
  const box = partBox(result, { row, column });
  if (isHidden) return drawHiddenCell(pen, ...inner(box), palette);
  drawFace(pen, box, { colour, text: size ? plain(number) : "", isMasked }, size, palette);
}

/** @param {CanvasPen} pen @param {ImageData} picture @param {Rectangle} rectangle */
function put(pen, picture, { x, y, width, height }) {
  const canvas = Object.assign(make("canvas"), { width: picture.width, height: picture.height });
  penOf(canvas).putImageData(picture, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(canvas, x, y, width, height);
}

/** @param {Box} box @param {number} cell */
const spotOf = ({ plane: { columns } }, cell) => ({
  row: Math.floor(cell / columns.size),
  column: cell % columns.size,
});

/**
 * Tiles on their way from what is masked to what is left, as large as the share that they carry.
 * @param {CanvasPen} pen @param {Box} result @param {Line} line @param {Float64Array} before @param {number} time
 * @param {Colours} colours @param {Set<number>} hidden
 */
function hand(pen, result, { cell, masked, weights }, before, time, colours, hidden) {
  /** @param {number} i */
  const isSeen = (i) => {
    const { row, column } = spotOf(result, cell(i));
    return !isHiddenCell(hidden, row, column);
  };
  masked.forEach((isMasked, from) =>
    weights.forEach((share, to) => {
      const carried = isMasked && isSeen(from) && isSeen(to) ? before[from] * share : 0;
      if (carried < LEAST) return;
      const [start, goal] = [from, to].map((i) => partBox(result, spotOf(result, cell(i)))),
        side = Math.sqrt(carried) * Math.min(goal.width, goal.height);
      pen.globalAlpha = 0.9 * (1 - time ** 4);
      pen.fillStyle = css(colours.share(before[from]));
      pen.fillRect(
        start.x + (goal.x - start.x) * time + (goal.width - side) / 2,
        start.y + (goal.height - side) / 2,
        side,
        side,
      );
    }),
  );
  pen.globalAlpha = 1;
}
