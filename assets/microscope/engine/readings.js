// Sentences about the numbers of a step, filled into the templates of the scene.
// Which reading a stage has, and the facts that do not depend on the position, is decided in views/scene/readings.py.

import { explain } from "./cell.js";
import { emptiedBy } from "./emptied.js";
import { fsum } from "./fsum.js";
import { MOST_DIGITS, digitsThatAddUp, plain, short } from "./numbers.js";
import { range } from "./rules.js";

const NEARLY_EVEN = 0.2; // of an even share: how far from it a share may be

/**
 * What is put into a template: a number as it is printed, or spans.
 * @typedef {string | number | Span | Span[]} Field
 * @typedef {{ trace: Trace, key: string, index: number[], facts: Facts }} ReadingOf
 * @typedef {[template: string, fields?: Record<string, Field>]} Reading
 */

/**
 * The template and the fields of each reading, for a row or a cell.
 * @type {Record<ReadingName, (of: ReadingOf) => Reading>}
 */
const READINGS = {
  // One projection for all heads against one for each.
  projection({ facts }) {
    return ["same_numbers", facts];
  },

  // The largest of the row, and which it is.
  largest({ trace, key, index }) {
    const row = rowAt(trace, key, index),
      best = argmax(row);
    const names = { row: rowName({ trace, key, index }), column: columnName(trace, key, best) };
    return ["largest", { ...names, value: short(row[best]) }];
  },

  shrinks({ trace, key, index, facts }) {
    const before = rowAt(trace, facts.of, index),
      position = argmax(before.map(Math.abs));
    return ["shrinks", { before: short(before[position]), after: short(rowAt(trace, key, index)[position]) }];
  },

  allowed({ trace, key, index }) {
    const row = rowAt(trace, key, index),
      count = row.filter(Number.isFinite).length;
    return ["allowed", { row: rowName({ trace, key, index }), allowed: String(count), all: String(row.length) }];
  },

  // The key with the largest weight, compared with an even share of the allowed keys.
  looks({ trace, key, index, facts }) {
    const row = rowAt(trace, key, index),
      logits = rowAt(trace, facts.of, index),
      best = argmax(row);
    const allowed = row.filter((_, position) => Number.isFinite(logits[position]));
    const fields = { row: rowName({ trace, key, index }), column: columnName(trace, key, best) };
    if (!allowed.length) return allMasked({ trace, key, index });
    if (allowed.length === 1) return ["only_one", fields];
    const shares = { weight: short(row[best]), share: short(1 / allowed.length) };
    return [isNearlyEven(allowed) ? "nearly_even" : "looks", { ...fields, ...shares }];
  },

  dropped({ trace, key, index, facts }) {
    const [before, after] = [facts.of, key].map((stage) => rowAt(trace, stage, index)),
      best = argmax(after);
    if (!before.some(Boolean)) return allMasked({ trace, key, index });
    if (!after.some(Boolean)) return ["all_lost"];
    const lost = before.filter((weight, position) => weight > 0 && after[position] === 0).length;
    const shares = { column: columnName(trace, key, best), before: short(before[best]), after: short(after[best]) };
    const fields = { ...shares, lost: String(lost), times: short(after[best] / before[best]) };
    return [lost ? "dropped" : "none_lost", fields];
  },

  // Which value a new vector has most of: by the weights after dropout, where there is any.
  takes({ trace, key, index, facts }) {
    const row = rowAt(trace, facts.of, index),
      best = argmax(row),
      query = rowName({ trace, key, index });
    if (!rowAt(trace, "weights", index).some(Boolean)) return allMasked({ trace, key, index });
    if (!row.some(Boolean)) return ["all_lost"];
    return ["takes", { row: query, column: columnName(trace, facts.of, best), weight: short(row[best]) }];
  },

  from_head({ index, facts }) {
    const column = index[index.length - 1];
    /** @type {Span} */
    const head = [String(Math.floor(column / facts.d_v) + 1), "head"];
    return ["from_head", { column: String(column + 1), head, number: String((column % facts.d_v) + 1) }];
  },

  // What each head adds to a number of the output, with digits that make the sum right as printed.
  contributions({ trace, key, index, facts }) {
    const { value, made_by } = explain(trace, key, index),
      sums = sumsOf(productsOf(made_by), facts.d_v);
    const bias = made_by.operation === "sum" ? value - fsum(sums) : 0;
    const digits = digitsThatAddUp([...sums, bias], value) ?? MOST_DIGITS;
    /** @type {Span[]} */
    const parts = sums.flatMap((sum, head) => {
      const spans = sentence(trace, "contribution", { value: plain(sum, digits), head: [String(head + 1), "head"] });
      return head ? [[trace.words.list_mark, ""], ...spans] : spans;
    });
    return ["contributions", { parts }];
  },

  // What LayerNorm did to mean and deviation of a row.
  shift({ trace, key, index, facts }) {
    const [before, after] = [facts.of, key].map((stage) => momentsOf(rowAt(trace, stage, index)));
    return ["shift", { ...before, mean_after: after.mean, deviation_after: after.deviation }];
  },

  unchanged: () => ["unchanged"],
};

/**
 * The reading of a query whose keys are all masked, with the masks that do so.
 * @param {Omit<ReadingOf, "facts">} of
 * @returns {Reading}
 */
function allMasked({ trace, key, index }) {
  /** @type {Span[]} */
  const masks = [[emptiedBy(trace, "masked", index).join(trace.words.list_mark), ""]];
  return ["nobody", { row: rowName({ trace, key, index }), masks }];
}

/**
 * The sentences about the chosen row or cell of a step whose numbers have come; none where it has none.
 * @param {Trace} trace
 * @param {string} key
 * @param {At} at a position from 0 for each role of the stage
 * @returns {Span[][]}
 */
export function readings(trace, key, at) {
  const { roles, reading, facts } = trace.stage(key),
    index = roles.map((role) => at[role]);
  if (isFilling(trace, key, at)) return [sentence(trace, "filling", { row: rowName({ trace, key, index }) })];
  if (!reading) return [];
  const [template, fields] = READINGS[reading]({ trace, key, index, facts });
  return [sentence(trace, template, fields)];
}

/**
 * Whether the chosen row is a padded query.
 * @param {Trace} trace
 * @param {string} key
 * @param {At} at
 */
export function isFilling(trace, key, at) {
  const role = rowRole(trace, key);
  return Boolean(role && trace.filled?.[at[role]]);
}

/**
 * The name of a position, as [text, role]; for a patch with the word for one before its number.
 * @param {Trace} trace
 * @param {string} key
 * @param {string} role
 * @param {number} position
 * @returns {Span}
 */
export function positionName(trace, key, role, position) {
  const axis = trace.stage(key).roles.indexOf(role),
    label = trace.label(key, axis, position);
  return [trace.kind(key, axis, position) === "patch" ? trace.words.patch.replace("{number}", label) : label, role];
}

/**
 * Whether no share is more than a fifth off an even one: 0.55 : 0.45, not 0.73 : 0.27.
 * @param {Float64Array | number[]} shares of all allowed keys
 */
export function isNearlyEven(shares) {
  return [...shares].every((share) => Math.abs(share * shares.length - 1) <= NEARLY_EVEN);
}

/**
 * @param {Term} term
 * @returns {number[]}
 */
function productsOf(term) {
  return term.operation === "product" ? [term.value] : term.parts.flatMap(productsOf);
}

/** @param {number[]} values @param {number} size */
function sumsOf(values, size) {
  const starts = Array.from({ length: values.length / size }, (_, part) => part * size);
  return starts.map((start) => fsum(values.slice(start, start + size)));
}

/** @param {Float64Array} row */
function momentsOf(row) {
  const mean = fsum(row) / row.length,
    variance = fsum(row.map((value) => (value - mean) ** 2)) / row.length;
  return { mean: plain(mean), deviation: plain(Math.sqrt(variance)) };
}

/**
 * The numbers of the row through a cell; for another stage, at the same index.
 * @param {Trace} trace @param {string} key @param {number[]} index
 */
function rowAt(trace, key, index) {
  const size = trace.stage(key).shape.at(-1);
  return trace.numbers(key, [...index.slice(0, -1), range(size)], size);
}

/** @param {Float64Array} row */
const argmax = (row) => row.reduce((best, value, position) => (value > row[best] ? position : best), 0);
/** @param {Trace} trace @param {string} key */
const rowRole = (trace, key) => trace.stage(key).roles.find((role) => role === "query" || role === "token");
/** @param {Trace} trace @param {string} key @param {number} position */
const columnName = (trace, key, position) => positionName(trace, key, trace.stage(key).roles.at(-1), position);

/** @param {Omit<ReadingOf, "facts">} given */
function rowName({ trace, key, index }) {
  const role = rowRole(trace, key) ?? "";
  return positionName(trace, key, role, index[trace.stage(key).roles.indexOf(role)]);
}

/** @param {Trace} trace @param {string} template @param {Record<string, Field>} [fields] */
const sentence = (trace, template, fields) => fill(trace.words.reading[template], fields);

/**
 * A template with its fields filled in: a text is set as a number; else [text, role], or a list of these.
 * @param {Span[]} pieces @param {Record<string, Field>} [fields]
 * @returns {Span[]}
 */
export function fill(pieces, fields = {}) {
  return pieces.flatMap(([text, role]) => (role === "{}" ? spansOf(fields[text]) : [[text, role]]));
}

/**
 * @param {Field} field
 * @returns {Span[]}
 */
function spansOf(field) {
  if (!Array.isArray(field)) return [[String(field), "number"]];
  return isSpan(field) ? [field] : field;
}

/**
 * @param {Span | Span[]} field
 * @returns {field is Span}
 */
const isSpan = (field) => typeof field[0] === "string";
