import { hatch } from "./cells.js";
import { drawPlane, partBox } from "./draw.js";
import { appear, ease } from "./motion.js";
import { cellsOf } from "./planes.js";
import { css, mixed, rampOf, rgb } from "./theme.js";

const BREATHS = ["x − max", "eˣ", "÷ Σ"];
const LEAVES = 0.35; // of the last breath, after which the shares of what was struck out move on
const FEW = 400, LEAST = 0.004; // cells up to which shares are seen to move; the smallest that is

// Softmax in its three breaths: minus the row's largest, e to the power of it, divided by the sum.
// In the last one, what the mask struck out hands the share that it would have had to the others of
// its row: to each in the measure of what that one gets.
export function breathe(pen, step, [operand], result, time) {
  const { trace, palette, at } = step, { numbers } = cellsOf(trace, operand.plane, at), width = result.plane.columns.size;
  if (!numbers) return appear(pen, step, [operand], result, time);
  if (time >= 1) return drawPlane(pen, step, result, null);
  const breath = Math.min(2, Math.floor(time * 3)), moment = { breath, part: time * 3 - breath };
  const free = unmasked(trace, operand.plane, at), colours = coloursOf(trace.stage(result.plane.stage).scale, palette);
  const rows = [];
  for (let row = result.top; row < result.bottom; row++) {
    const of = (all) => all.subarray(row * width, (row + 1) * width), values = of(numbers), struck = values.map((value) => value === -Infinity);
    rows.push({ row, ...shared(values), values, struck, before: free && struck.some(Boolean) ? shared(of(free)).shares : null });
  }
  for (const one of rows) breath < 2 ? paint(pen, step, result, one, moment, colours) : divide(pen, step, result, one, moment, colours);
  if (rows.length * width <= FEW && breath === 2 && moment.part > LEAVES) for (const one of rows) if (one.before) hand(pen, result, one, ease((moment.part - LEAVES) / (1 - LEAVES)), colours);
  pen.fillStyle = palette.accent;
  pen.font = `600 ${15 * Math.max(1, step.layout.scale)}px ${pen.face}`;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.fillText(BREATHS[breath], result.x + result.width / 2, result.y + result.height + 6);
}

// The numbers that the mask has not struck yet.
function unmasked(trace, plane, at) {
  const { rule, roles } = trace.stage(plane.stage);
  if (rule.rule !== "mask" || rule.of.rule !== "operand" || rule.of.index.some((part, axis) => part !== roles[axis])) return null;
  return cellsOf(trace, { ...plane, stage: rule.of.stage }, at).numbers;
}

function shared(values) {
  const maximum = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = values.map((x) => (maximum === -Infinity ? 0 : Math.exp(x - maximum))), sum = powers.reduce((a, b) => a + b, 0) || 1;
  return { maximum, powers, shares: powers.map((power) => power / sum) };
}

function coloursOf({ high, root }, palette) {
  const signed = rampOf({ kind: "signed" }, palette), share = rampOf({ kind: "share" }, palette);
  return {
    card: rgb(palette.card),
    masked: rgb(palette.masked),
    below: (part) => signed[Math.round(127 * (1 - Math.min(1, part)))],
    power: (value) => share[Math.round(255 * (root ? Math.sqrt(value) : value))],
    share: (value) => share[Math.round(255 * Math.min(1, root ? Math.sqrt(value / high) : value / high))],
  };
}

function paint(pen, step, result, { row, values, struck, maximum, powers }, { breath, part }, colours) {
  const span = Math.max(1, ...values.map((x) => (Number.isFinite(x) ? maximum - x : 0))), time = ease(part);
  values.forEach((x, column) => {
    const below = struck[column] ? colours.masked : colours.below((maximum - x) / span);
    const colour = breath ? mixed(below, colours.power(powers[column]), time) : mixed(colours.card, below, time);
    fill(pen, step, result, row, column, struck[column] ? colours.masked : colour, struck[column]);
  });
}

function divide(pen, step, result, { row, struck, powers, shares, before }, { part }, colours) {
  const late = before && part > LEAVES, time = ease(late ? (part - LEAVES) / (1 - LEAVES) : before ? part / LEAVES : part);
  shares.forEach((share, column) => {
    const from = late ? colours.share(before[column]) : colours.power(powers[column]), to = colours.share(late || !before ? share : before[column]);
    fill(pen, step, result, row, column, struck[column] ? colours.masked : mixed(from, to, time), struck[column]);
  });
}

function fill(pen, { palette }, result, row, column, colour, struck) {
  if (column < result.first || column >= result.last) return;
  const { x, y, width, height } = partBox(result, { row, column }), gap = width > 12 ? 1.5 : 0;
  pen.fillStyle = css(colour);
  pen.fillRect(x + gap, y + gap, width - 2 * gap, height - 2 * gap);
  if (struck && width > 8) hatch(pen, x + gap, y + gap, width - 2 * gap, height - 2 * gap, palette.hatch);
}

// Tiles on their way from what was struck out to what is left, as large as the share that they carry.
function hand(pen, result, { row, struck, shares, before }, time, colours) {
  struck.forEach((isStruck, from) => shares.forEach((share, to) => {
    const carried = isStruck ? before[from] * share : 0;
    if (carried < LEAST) return;
    const [start, goal] = [from, to].map((column) => partBox(result, { row, column })), side = Math.sqrt(carried) * Math.min(goal.width, goal.height);
    pen.globalAlpha = 0.9 * (1 - time ** 4);
    pen.fillStyle = css(colours.share(before[from]));
    pen.fillRect(start.x + (goal.x - start.x) * time + (goal.width - side) / 2, start.y + (goal.height - side) / 2, side, side);
  }));
  pen.globalAlpha = 1;
}
