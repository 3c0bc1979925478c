// A block of a stage for its picture: computed from Q and K in float32, without the whole of the matrix.
// What is printed is computed in float64, by rules.js.

import { FUNCTIONS } from "./activations.js";
import { memo } from "./memo.js";
import { range, resolve, roundTo } from "./rules.js";

/**
 * The rows or the columns of a block: the role of the axis, and positions along it.
 * @typedef {{ role: string, positions: Int32Array }} Positioned
 *
 * Where a block lies: its rows, its columns, and where the other axes stand. made: the blocks there, since weights
 * are computed from logits that are asked for, too.
 * @typedef {{ rows: Positioned, columns: Positioned, at: At, made?: Map<string, Block> }} Window
 * @typedef {Float32Array | Float64Array} Block
 */

/**
 * The numbers of a stage in a window, row by row.
 * @param {Trace} trace @param {string} key @param {Window} window
 * @returns {Block}
 */
export function block(trace, key, window) {
  window.made ??= new Map();
  return memo(window.made, key, () =>
    trace.forPicture(() => {
      const { rule, roles } = trace.stage(key),
        { form } = trace.stored[key] ?? { form: "levels" };
      const computed = form === "levels" ? computedBy(trace, key, rule, window) : null;
      return computed ?? numbers(trace, key, roles, window);
    }),
  );
}

/**
 * The numbers that a rule gives in a window; null where they are read one by one.
 * @param {Trace} trace @param {string} key @param {Rule} rule @param {Window} window
 * @returns {Block | null}
 */
function computedBy(trace, key, rule, window) {
  const size = window.rows.positions.length * window.columns.positions.length;
  /** @param {Rule} part */
  const of = (part) => computedBy(trace, key, part, window);
  switch (rule.rule) {
    case "operand":
      return rule.index.every((part) => typeof part === "string")
        ? block(trace, rule.stage, window)
        : numbers(trace, rule.stage, rule.index, window);
    case "constant":
      return new Float32Array(size).fill(rule.value);
    case "dot":
      return product(trace, rule, window);
    case "sum":
      return joined(rule.parts.map(of), (one, other) => one + other);
    case "product":
      return joined(rule.factors.map(of), (one, other) => one * other);
    case "mask":
      return joined([of(rule.of), ...rule.allowed.map(of)], (value, passes) => (passes ? value : -Infinity));
    case "activation":
      return of(rule.of)?.map(FUNCTIONS[rule.function]) ?? null;
    case "round":
      return of(rule.of)?.map((value) => roundTo(value, rule.to)) ?? null;
    case "softmax":
      return weights(trace, key, rule, window);
  }
  return null;
}

/**
 * The numbers of a stage one by one; one for all where its axes are not those of the window.
 * @param {Trace} trace @param {string} key @param {Index[]} index @param {Window} window
 */
function numbers(trace, key, index, { rows, columns, at }) {
  const [down, right] = [rows.positions, columns.positions],
    size = down.length * right.length;
  const cells = range(size),
    position = {
      ...at,
      [rows.role]: cells.map((cell) => down[Math.floor(cell / right.length)]),
      [columns.role]: cells.map((cell) => right[cell % right.length]),
    };
  return trace.numbers(
    key,
    index.map((part) => resolve(part, position, trace.read)),
    size,
  );
}

/**
 * A product of two matrices: row by row, so that the innermost loop goes along both of its arrays.
 * @param {Trace} trace @param {Dot} dot @param {Window} window
 */
function product(trace, { left, right, over, size: terms }, { rows, columns, at }) {
  const { length } = columns.positions,
    along = { role: over, positions: range(terms) },
    [first, second] = left.index.includes(rows.role) ? [left, right] : [right, left];
  const one = Float32Array.from(numbers(trace, first.stage, first.index, { rows, columns: along, at })),
    other = Float32Array.from(numbers(trace, second.stage, second.index, { rows: along, columns, at }));
  const result = new Float32Array(rows.positions.length * length);
  for (let row = 0; row < rows.positions.length; row++) {
    const sums = result.subarray(row * length, (row + 1) * length);
    for (let term = 0; term < terms; term++) {
      const factor = one[row * terms + term],
        begin = term * length;
      for (let column = 0; column < length; column++) sums[column] += factor * other[begin + column];
    }
  }
  return result;
}

/**
 * e to the power of each logit, over the total of its row, which was sent.
 * @param {Trace} trace @param {string} key @param {Softmax} softmax @param {Window} window
 */
function weights(trace, key, { of }, window) {
  const sent = trace.arrays[`${key}.logsumexp`];
  if (!sent) return null;
  const { rows, columns, at } = window,
    width = columns.positions.length,
    head = trace.head === null ? at.head * sent.shape[1] : 0;
  /** @type {(cell: number) => number} */
  const query =
    rows.role === "query"
      ? (cell) => rows.positions[Math.floor(cell / width)]
      : (cell) => columns.positions[cell % width];
  return block(trace, of.stage, window).map((logit, cell) => Math.exp(logit - sent.values[head + query(cell)]));
}

/**
 * Blocks joined cell by cell; null where one of them is.
 * @param {(Block | null)[]} blocks @param {(one: number, other: number) => number} join
 */
function joined(blocks, join) {
  const all = blocks.filter((one) => one !== null);
  if (all.length < blocks.length) return null;
  return all.reduce((one, other) => one.map((value, i) => join(value, other[i])));
}
