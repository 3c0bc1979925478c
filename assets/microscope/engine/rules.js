// The rules of core/rules.py, worked out for one cell, a row or a plane: for `size` cells at once.
//
// `at` gives each role a position: a number where it is the same for all cells, else an array of one
// position a cell. All values are float64; a stage that was not sent is rounded to its own precision.

import { FUNCTIONS } from "./activations.js";

/**
 * A position along an axis, from an index expression; `read` looks up a value of another stage.
 * @overload
 * @param {Index} index @param {At} at @param {Read} read
 * @returns {number}
 *
 * @overload
 * @param {Index} index @param {AtMany} at @param {Read} read
 * @returns {Positions}
 *
 * @param {Index} index @param {AtMany} at @param {Read} read
 * @returns {Positions}
 */
export function resolve(index, at, read) {
  if (typeof index === "string") return at[index];
  if (typeof index === "number") return index;
  if (index[0] === "look_up")
    return read(
      index[1],
      index[2].map((part) => resolve(part, at, read)),
    );
  if (index[0] === "join") {
    const [, high, size, low] = index;
    return both(resolve(high, at, read), resolve(low, at, read), (major, minor) => major * size + minor);
  }
  const [kind, inner, number] = index,
    position = resolve(inner, at, read);
  if (kind === "div") return each(position, (packed) => Math.floor(packed / number));
  if (kind === "mod") return each(position, (packed) => packed % number);
  if (kind === "minus") return each(position, (other) => other - number);
  throw new TypeError(`not an index expression: ${index}`);
}

/**
 * Which of two names an index expression depends on: a bit for each.
 * @param {Index} index @param {string} rows @param {string} columns
 * @returns {number}
 */
export function dependsOn(index, rows, columns) {
  if (typeof index === "string") return (index === rows ? 1 : 0) | (index === columns ? 2 : 0);
  if (typeof index === "number") return 0;
  /** @type {Index[]} */
  const inner = index[0] === "look_up" ? index[2] : index[0] === "join" ? [index[1], index[3]] : [index[1]];
  return inner.map((part) => dependsOn(part, rows, columns)).reduce((all, bits) => all | bits, 0);
}

/**
 * 0, 1, 2 … up to a size: all positions of a role.
 * @param {number} size
 */
export const range = (size) => new Int32Array(size).map((_, position) => position);

/**
 * The values that a rule gives, in the precision of `type` where NumPy has one factor for all.
 * @param {Trace} trace @param {Rule} rule @param {AtMany} at @param {number} size @param {Stage["type"]} type
 * @returns {Float64Array}
 */
export function evaluate(trace, rule, at, size, type) {
  /** @param {Rule} part */
  const of = (part) => evaluate(trace, part, at, size, type);
  switch (rule.rule) {
    case "operand":
      return operand(trace, rule, at, size);
    case "constant":
      return new Float64Array(size).fill(rounded(rule.value, type));
    case "dot":
      return dot(trace, rule, at, size);
    case "sum":
      return rule.parts.map(of).reduce((sum, part) => sum.map((value, i) => value + part[i]));
    case "total":
      return total(trace, rule, at, size, type);
    case "product":
      return product(rule.factors, of, size, type);
    case "mask":
      return mask(trace, rule, of(rule.of), at, size);
    case "activation":
      return of(rule.of).map(FUNCTIONS[rule.function]);
    case "stack":
      return stack(trace, rule, at, size);
    case "softmax":
      return shared(trace, rule, at, size, (row) => softmax(row).weights.subarray(0, rule.size));
    case "normalise":
      return shared(trace, rule, at, size, (row) => normalisedOf(row, rule));
    case "rmsnorm":
      return shared(trace, rule, at, size, (row) => rmsNormOf(row, rule));
    case "rotate":
      return rotated(trace, rule, at, size);
    case "round":
      return of(rule.of).map((value) => roundTo(value, rule.to));
  }
  throw new RangeError(`not a rule for a computed cell: ${rule.rule}`);
}

/**
 * The part of a stack that holds a position along its axis.
 * @param {Stack} stack @param {number} position
 */
export function partAt({ parts, lengths }, position) {
  let part = 0;
  while (position >= lengths[part]) position -= lengths[part++];
  return parts[part];
}

/**
 * One number in a stage's precision.
 * @param {number} value @param {Stage["type"]} type
 */
export const rounded = (value, type) => (type === "f4" ? Math.fround(value) : value);

/**
 * The cells of an operand.
 * @param {Trace} trace @param {Omit<Operand, "rule">} given @param {AtMany} at @param {number} size
 */
export function operand(trace, given, at, size) {
  const found = factor(trace, given, at, size);
  return isOne(found) ? new Float64Array(size).fill(found) : found;
}

/**
 * The cells of an operand; one number where all share one cell.
 * @param {Trace} trace @param {Omit<Operand, "rule">} given @param {AtMany} at @param {number} size
 */
function factor(trace, { stage, index }, at, size) {
  const positions = index.map((part) => resolve(part, at, trace.read));
  return positions.every(isOne) ? trace.value(stage, positions) : trace.numbers(stage, positions, size);
}

/** @param {Trace} trace @param {Dot} dot @param {AtMany} at @param {number} size */
function dot(trace, { left, right, over, size: terms }, at, size) {
  if (size === 1) {
    const position = { ...at, [over]: range(terms) };
    const [one, other] = [left, right].map((side) => operand(trace, side, position, terms));
    return Float64Array.of(one.reduce((sum, value, i) => sum + value * other[i], 0));
  }
  const sum = new Float64Array(size),
    [rows, columns] = [left, right].map((side) => trace.strided(side, at, over, terms, size));
  if (rows && columns) {
    for (let cell = 0; cell < size; cell++) {
      let row = rows.offsets[cell],
        column = columns.offsets[cell];
      for (let i = 0; i < terms; i++, row += rows.stride, column += columns.stride)
        sum[cell] += rows.values[row] * columns.values[column];
    }
    return sum;
  }
  for (let i = 0; i < terms; i++) {
    const position = { ...at, [over]: i };
    const [one, other] = [left, right].map((side) => factor(trace, side, position, size));
    for (let cell = 0; cell < size; cell++)
      sum[cell] += (isOne(one) ? one : one[cell]) * (isOne(other) ? other : other[cell]);
  }
  return sum;
}

/** @param {Trace} trace @param {Total} total @param {AtMany} at @param {number} size @param {Stage["type"]} type */
function total(trace, { of, over, size: terms }, at, size, type) {
  const sum = new Float64Array(size);
  for (let i = 0; i < terms; i++)
    evaluate(trace, of, { ...at, [over]: i }, size, type).forEach((value, cell) => (sum[cell] += value));
  return sum;
}

/**
 * NumPy multiplies the constants first, in the precision of the numbers.
 * @param {Rule[]} factors @param {(rule: Rule) => Float64Array} of @param {number} size @param {Stage["type"]} type
 */
function product(factors, of, size, type) {
  const constant = rounded(
    factors.reduce((made, factor) => (factor.rule === "constant" ? made * factor.value : made), 1),
    type,
  );
  const values = new Float64Array(size).fill(1);
  for (const factor of factors.filter(({ rule }) => rule !== "constant"))
    of(factor).forEach((value, i) => (values[i] *= value));
  return values.map((value) => value * constant);
}

/** @param {Trace} trace @param {Mask} mask @param {Float64Array} values @param {AtMany} at @param {number} size */
function mask(trace, { allowed }, values, at, size) {
  for (const one of allowed) operand(trace, one, at, size).forEach((passes, i) => passes || (values[i] = -Infinity));
  return values;
}

/** @param {Trace} trace @param {Stack} rule @param {AtMany} at @param {number} size */
function stack(trace, rule, at, size) {
  const positions = at[rule.along];
  if (isOne(positions)) return operand(trace, partAt(rule, positions), at, size);
  const values = new Float64Array(size),
    cells = range(size);
  let begin = 0;
  rule.parts.forEach((part, i) => {
    const end = begin + rule.lengths[i],
      here = cells.filter((cell) => positions[cell] >= begin && positions[cell] < end);
    if (here.length)
      operand(trace, part, someOf(at, here), here.length).forEach((value, j) => (values[here[j]] = value));
    begin = end;
  });
  return values;
}

/**
 * of · cos ∓ partner · sin: minus for the first of two.
 * @param {Trace} trace @param {Rotate} rule @param {AtMany} at @param {number} size
 */
function rotated(trace, { of, partner, cos, sin, second }, at, size) {
  const [x, other, c, s] = [of, partner, cos, sin].map((one) => operand(trace, one, at, size));
  const seconds = resolve(second, at, trace.read);
  return x.map((value, i) => {
    const turned = other[i] * s[i];
    return value * c[i] + ((isOne(seconds) ? seconds : seconds[i]) ? turned : -turned);
  });
}

/**
 * The sum that makes a cell of a rotation.
 * @param {Rotate} rotate @param {At} at @param {Read} read
 * @returns {Sum}
 */
export function sumOf({ of, partner, cos, sin, second }, at, read) {
  /** @type {Rule[]} */
  const sign = resolve(second, at, read) ? [] : [{ rule: "constant", value: -1, symbol: "-" }];
  return {
    rule: "sum",
    parts: [
      { rule: "product", factors: [of, cos] },
      { rule: "product", factors: [...sign, partner, sin] },
    ],
  };
}

/**
 * Cells of one row share what is found from all of it: the row is worked out once.
 * @param {Trace} trace @param {OfRow} rule @param {AtMany} at @param {number} size
 * @param {(row: Float64Array) => Float64Array} madeOf
 */
function shared(trace, rule, at, size, madeOf) {
  const chosen = at[rule.along],
    rows = { ...at, [rule.along]: 0 };
  const many = Object.values(rows).flatMap((positions) => (isOne(positions) ? [] : [positions]));
  /** @type {Float64Array} */
  let row;
  return new Float64Array(size).map((_, i) => {
    if (!i || many.some((positions) => positions[i] !== positions[i - 1]))
      row = trace.row(rule, oneOf(rows, i), madeOf);
    return row[isOne(chosen) ? chosen : chosen[i]];
  });
}

/**
 * The numbers that a softmax or a normalisation goes over; the sink, if there is one, is the last.
 * @param {Trace} trace @param {OfRow} rule @param {AtMany} at
 */
export function rowOf(trace, rule, at) {
  const { of, along, size } = rule,
    row = operand(trace, of, { ...at, [along]: range(size) }, size);
  if (rule.rule !== "softmax" || !rule.sink) return row;
  return Float64Array.of(...row, ...operand(trace, rule.sink, at, 1));
}

/**
 * A row shared out, move by move: minus its maximum, e to the power of it, over their total.
 * @param {Float64Array} row
 */
export function softmax(row) {
  const maximum = row.reduce((most, value) => Math.max(most, value), -Infinity);
  const exponentials = row.map((value) => (maximum === -Infinity ? 0 : Math.exp(value - maximum)));
  const total = exponentials.reduce((sum, value) => sum + value, 0);
  return { maximum, exponentials, weights: exponentials.map((value) => value / (total || 1)) };
}

/** @param {Float64Array} row @param {Normalise} normalise */
function normalisedOf(row, { epsilon }) {
  const mean = meanOf(row),
    left = meanOf(row.map((value) => value - mean)); // by its rounding
  const centred = row.map((value) => value - mean - left);
  const deviation = Math.sqrt(meanOf(centred.map((value) => value * value)) + epsilon);
  return centred.map((value) => value / deviation);
}

/** @param {Float64Array} row @param {RMSNorm} rmsNorm */
function rmsNormOf(row, { epsilon }) {
  const root = Math.sqrt(meanOf(row.map((value) => value * value)) + epsilon);
  return row.map((value) => value / root);
}

const SMALLEST = { float16: 2 ** -14, bfloat16: 2 ** -126 }, // with all its digits
  LARGEST = { float16: 65504, bfloat16: (2 - 2 ** -7) * 2 ** 127 },
  DIGITS = { float16: 10, bfloat16: 7 }; // of two, behind the first

/**
 * A number rounded to half precision by way of float32, a tie to the even neighbour.
 * @param {number} value @param {Half} to
 */
export function roundTo(value, to) {
  if (!Number.isFinite(value) || !value) return value;
  const single = to === "bfloat16" ? Math.fround(value) : value;
  const unit = 2 ** (Math.max(exponentOf(single), Math.log2(SMALLEST[to])) - DIGITS[to]),
    count = single / unit,
    below = Math.floor(count),
    above = count - below > 0.5 || (count - below === 0.5 && below % 2 !== 0) ? 1 : 0;
  const rounded = (below + above) * unit;
  return Math.abs(rounded) > LARGEST[to] ? Math.sign(value) * Infinity : rounded;
}

/** @param {number} value */
function exponentOf(value) {
  const wide = new DataView(new ArrayBuffer(8));
  wide.setFloat64(0, value);
  return ((wide.getUint16(0) >> 4) & 0x7ff) - 1023;
}

/** @param {Float64Array} row */
const meanOf = (row) => row.reduce((sum, value) => sum + value, 0) / row.length;
/** @param {Positions} position */
const isOne = (position) => typeof position === "number";
/** @param {Positions} position @param {(position: number, i: number) => number} change */
const each = (position, change) => (isOne(position) ? change(position, 0) : position.map(change));
/** @param {AtMany} at @param {Int32Array} cells */
const someOf = (at, cells) => changed(at, (positions) => cells.map((cell) => positions[cell]));
/** @param {AtMany} at @param {number} i */
const oneOf = (at, i) => changed(at, (positions) => positions[i]);
/** @param {AtMany} at @param {(positions: Int32Array | Float64Array) => Positions} change */
const changed = (at, change) =>
  Object.fromEntries(
    Object.entries(at).map(([role, position]) => [role, isOne(position) ? position : change(position)]),
  );

/** @param {Positions} one @param {Positions} other @param {(one: number, other: number) => number} join */
function both(one, other, join) {
  if (isOne(one) && isOne(other)) return join(one, other);
  if (isOne(one)) return each(other, (low) => join(one, low));
  return each(one, (high, i) => join(high, isOne(other) ? other : other[i]));
}

/**
 * Whether a plane has the other numbers of the pairs that are rotated: the second of two planes of one stage.
 * @param {Trace} trace @param {Plane} plane @param {Plane[]} planes with the result as the last one
 */
export function isPartner(trace, plane, planes) {
  const [, second] = planes.filter(({ stage }) => stage === plane.stage);
  return second === plane && trace.stage(planes[planes.length - 1].stage).rule.rule === "rotate";
}
