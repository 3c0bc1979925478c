// One number of one stage, opened: the interpreter of core/cell.py, on the same rules.

import { FUNCTIONS } from "./activations.js";
import { fsum } from "./fsum.js";
import { memo } from "./memo.js";
import { partAt, range, resolve, roundTo, sumOf } from "./rules.js";

const NONE = {};

/**
 * Explains a cell: its address, its value, and the term that computes it (as core/cell.py). The last one is cached, since
 * words and sum are of the same cell.
 * @param {Trace} trace @param {string} key @param {number[]} index
 * @returns {Explained}
 */
export function explain(trace, key, index) {
  return memo(trace.explained, `${key} ${index}`, () => explained(trace, key, index), 0);
}

/**
 * @param {Trace} trace @param {string} key @param {number[]} index
 * @returns {Explained}
 */
function explained(trace, key, index) {
  const { roles, rule } = trace.stage(key),
    value = trace.value(key, index);
  const at = Object.fromEntries(roles.map((role, axis) => [role, index[axis]]));
  const made_by = rule.rule === "given" ? term("given", value, [], { symbol: rule.what }) : termOf(trace, rule, at);
  return { address: new CellAddress(trace, key, index), value, made_by };
}

/**
 * @param {Operation} operation @param {number} value @param {Term[]} parts @param {Partial<Term>} [more]
 * @returns {Term}
 */
function term(operation, value, parts, { address = null, symbol = "", chosen = 0, facts = NONE } = {}) {
  return { operation, value, parts, address, symbol, chosen, facts };
}

/** Of thousands that a long sum has, few are read: their labels are found when they are. */
class CellAddress {
  #trace;

  /** @param {Trace} trace @param {string} stage @param {number[]} index */
  constructor(trace, stage, index) {
    this.#trace = trace;
    this.stage = stage;
    this.index = index;
  }

  get labels() {
    return this.#trace.labelsOf(this.stage, this.index);
  }
}

/**
 * @param {Trace} trace @param {Rule} rule @param {At} at
 * @returns {Term}
 */
function termOf(trace, rule, at) {
  switch (rule.rule) {
    case "operand":
      return cell(trace, rule, at);
    case "constant":
      return term("constant", rule.value, [], { symbol: rule.symbol });
    case "dot":
      return dot(trace, rule, at);
    case "sum": {
      const parts = rule.parts.map((part) => termOf(trace, part, at));
      return term(
        "sum",
        parts.reduce((sum, part) => sum + part.value, 0),
        parts,
      );
    }
    case "total": {
      const terms = Array.from({ length: rule.size }, (_, i) => termOf(trace, rule.of, { ...at, [rule.over]: i }));
      return term("sum", fsum(terms.map((part) => part.value)), terms);
    }
    case "product":
      return product(rule.factors.map((factor) => termOf(trace, factor, at)));
    case "mask": {
      const inner = termOf(trace, rule.of, at),
        masks = rule.allowed.map((mask) => cell(trace, mask, at));
      return term("mask", masks.every((mask) => mask.value) ? inner.value : -Infinity, [inner, ...masks]);
    }
    case "softmax":
      return softmax(trace, rule, at);
    case "normalise":
      return normalise(trace, rule, at);
    case "rmsnorm":
      return rmsNorm(trace, rule, at);
    case "rotate":
      return termOf(trace, sumOf(rule, at, trace.read), at);
    case "activation": {
      const inner = termOf(trace, rule.of, at);
      return term("activation", FUNCTIONS[rule.function](inner.value), [inner], { symbol: rule.function });
    }
    case "stack":
      return cell(trace, partAt(rule, at[rule.along]), at);
    case "round": {
      const inner = termOf(trace, rule.of, at);
      return term("round", roundTo(inner.value, rule.to), [inner], { symbol: rule.to });
    }
  }
  throw new TypeError(`not a rule for a computed cell: ${rule.rule}`);
}

/** @param {Trace} trace @param {Operand} operand @param {At} at */
const cell = (trace, operand, at) => cells(trace, operand, at, 1)[0];

/**
 * The cells of an operand, read at once.
 * @param {Trace} trace @param {Operand} operand @param {AtMany} at @param {number} size
 */
function cells(trace, { stage, index }, at, size) {
  const positions = index.map((part) => resolve(part, at, trace.read)),
    values = trace.numbers(stage, positions, size);
  return Array.from(values, (value, i) => {
    const position = positions.map((many) => (typeof many === "number" ? many : many[i]));
    return term("cell", value, [], { address: new CellAddress(trace, stage, position) });
  });
}

/** @param {Term[]} parts */
function product(parts) {
  return term(
    "product",
    parts.reduce((value, part) => value * part.value, 1),
    parts,
  );
}

/** @param {Trace} trace @param {Dot} dot @param {At} at */
function dot(trace, { left, right, over, size }, at) {
  const [ones, others] = [left, right].map((factor) => cells(trace, factor, { ...at, [over]: range(size) }, size));
  const products = ones.map((one, i) => product([one, others[i]]));
  return term("dot", fsum(products.map((part) => part.value)), products);
}

/** @param {Trace} trace @param {OfRow} rule @param {At} at */
function rowTerms(trace, rule, at) {
  const row = cells(trace, rule.of, { ...at, [rule.along]: range(rule.size) }, rule.size);
  return rule.rule === "softmax" && rule.sink ? [...row, cell(trace, rule.sink, at)] : row;
}

/** @param {Trace} trace @param {Softmax} rule @param {At} at */
function softmax(trace, rule, at) {
  const row = rowTerms(trace, rule, at),
    maximum = row.reduce((most, part) => Math.max(most, part.value), -Infinity);
  const shift = maximum > -Infinity ? maximum : 0;
  const exponentials = row.map((part) => term("exponential", Math.exp(part.value - shift), [part]));
  const total = fsum(exponentials.map((part) => part.value)),
    chosen = at[rule.along];
  return term("softmax", total ? exponentials[chosen].value / total : 0, exponentials, {
    chosen,
    facts: { maximum, total },
  });
}

/** @param {Trace} trace @param {Normalise} rule @param {At} at */
function normalise(trace, rule, at) {
  const row = rowTerms(trace, rule, at),
    chosen = at[rule.along],
    { epsilon } = rule;
  const mean = fsum(row.map((part) => part.value)) / rule.size;
  const left = fsum(row.map((part) => part.value - mean)) / rule.size; // by its rounding
  const centred = row.map((part) => part.value - mean - left);
  const variance = fsum(centred.map((deviation) => deviation * deviation)) / rule.size;
  const facts = { mean: mean + left, variance, epsilon };
  return term("normalise", centred[chosen] / Math.sqrt(variance + epsilon), row, { chosen, facts });
}

/** @param {Trace} trace @param {RMSNorm} rule @param {At} at */
function rmsNorm(trace, rule, at) {
  const row = rowTerms(trace, rule, at),
    chosen = at[rule.along],
    { epsilon } = rule;
  const mean_square = fsum(row.map((part) => part.value * part.value)) / rule.size;
  const value = row[chosen].value / Math.sqrt(mean_square + epsilon);
  return term("rmsnorm", value, row, { chosen, facts: { mean_square, epsilon } });
}
