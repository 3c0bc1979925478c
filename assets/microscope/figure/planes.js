import { memo } from "../engine/memo.js";
import { plain } from "../engine/numbers.js";
import { resolve } from "../engine/rules.js";
import { levelOf } from "../theme.js";
import { Tiles } from "./tiles.js";

const WHOLE = 256 * 256, // cells up to which all of a plane is computed at once
  WIDEST = 16_384; // pixels of one picture, safely below what browsers can draw

/**
 * The cells of a plane: `numbers` row by row; only `levels` along the colour scale where the numbers of
 * a large plane were not sent; or `tiles` of one that is computed here. `at` says where the axes stand
 * that are not drawn.
 * @param {Trace} trace @param {Plane} plane @param {At} at
 */
export function cellsOf(trace, plane, at) {
  const { rows, columns } = plane,
    free = new Set([rows.role, columns.role]);
  const name = plane.index.map((part) => fixedBy(part, free, at)).join("|");
  return memo(trace.cells, `${plane.stage} ${rows.role} ${columns.role} ${name}`, () => made(trace, plane, at));
}

/** @param {Index} part @param {Set<string>} free @param {At} at */
function fixedBy(part, free, at) {
  if (typeof part === "string") return free.has(part) ? part : at[part];
  if (typeof part === "number") return part;
  /** @type {unknown[]} */
  const inner = /** @type {unknown[]} */ (part).flat(9);
  return inner.map((one) => (typeof one === "string" && !free.has(one) ? (at[one] ?? one) : one)).join();
}

/**
 * @param {Trace} trace @param {Plane} plane @param {At} at
 * @returns {Cells | TiledCells}
 */
function made(trace, plane, at) {
  const { stage, rows, columns } = plane,
    { scale, masked_by } = trace.stage(stage),
    size = rows.size * columns.size;
  const { form } = trace.stored[stage] ?? { form: "" };
  const isSent = ["numbers", "levels", "table"].includes(form) && Math.max(rows.size, columns.size) <= WIDEST;
  if (size > WHOLE && !isSent) return { tiles: new Tiles(trace, plane, at) };
  const index = indicesOf(trace, plane, at);
  if (form === "levels") {
    const sent = trace.entries(stage, index, size);
    if (!sent) throw new RangeError(`${stage} is not here`);
    const levels = Uint8Array.from(sent);
    return { numbers: null, levels, masked: levels.map((position) => (position ? 0 : 1)) };
  }
  const isRough = Boolean(trace.stored[stage]?.later && trace.arrays[stage]);
  const read = () => trace.numbers(stage, index, size),
    numbers = isRough ? trace.forPicture(read) : read(),
    masked = new Uint8Array(size),
    levels = new Uint8Array(size);
  const scores = masked_by && trace.stored[masked_by]?.form !== "levels" ? trace.numbers(masked_by, index, size) : null;
  for (let i = 0; i < size; i++) {
    masked[i] = !Number.isFinite(numbers[i]) || (scores && scores[i] === -Infinity) ? 1 : 0;
    levels[i] = masked[i] ? 0 : levelOf(scale, numbers[i]);
  }
  return { numbers: isRough ? null : numbers, levels, masked };
}

/**
 * The index in its stage of each cell of a plane, row by row.
 * @param {Trace} trace @param {Plane} plane @param {At} at
 */
function indicesOf(trace, { index, rows, columns }, at) {
  const size = rows.size * columns.size,
    down = new Int32Array(size),
    right = new Int32Array(size);
  for (let row = 0, i = 0; row < rows.size; row++) {
    for (let column = 0; column < columns.size; column++, i++) {
      down[i] = row;
      right[i] = column;
    }
  }
  return index.map((part) => resolve(part, { ...at, [rows.role]: down, [columns.role]: right }, trace.read));
}

/**
 * The text of a cell, short enough to fit; cached.
 * @param {Trace} trace @param {Plane} plane @param {Cells} cells @param {number} i
 */
export function printed(trace, plane, cells, i) {
  cells.texts ??= [];
  return (cells.texts[i] ??= written(trace, plane, cells, i));
}

/** @param {Trace} trace @param {Plane} plane @param {Cells} cells @param {number} i */
function written(trace, plane, cells, i) {
  const { type } = trace.stage(plane.stage),
    number = cells.numbers?.[i] ?? NaN;
  if (type === "b1") return number ? "✓" : "×";
  if (type[0] === "i") return String(number);
  if (cells.masked[i] && number === 0) return "0";
  return plain(number);
}
