// One number of a stage, opened: printed numbers whose terms add up to the printed total.

import { WRITTEN } from "./activations.js";
import { byHead } from "./by_head.js";
import { MINUS, MOST_DIGITS, addUp, digitsThatAddUp, fewestDigits, isExact, plain, short, units } from "./numbers.js";
import { door, equation, factorsOf, fill, fillSpans, nameOf, termOf, valueOf } from "./terms.js";

const MANY = 12; // terms, more than which are scrolled

const WORDED = {
  dot: sum,
  sum,
  product,
  softmax,
  mask,
  normalise: normalised,
  activation: activated,
  cell: copied,
  given,
};

/**
 * Word an explained cell: {title, total, relation, sign, terms, columns, rows, chosen, notes}.
 *
 * `amount` and `digits` are the total and the digits all is printed with, where they go together;
 * `shares` the last column of `rows`, as numbers. Terms and rows are worded when they are asked for.
 * @param {Explained} cell @param {Trace} trace
 */
export function opened(cell, trace) {
  const plainest = { relation: "=", sign: "+", terms: [], columns: [], rows: [], chosen: 0, notes: [] };
  const title = nameOf(cell.address, trace);
  return { title, ...plainest, ...WORDED[cell.made_by.operation](cell.made_by, trace, cell) };
}

/** @param {Term} term @param {Trace} trace @param {Explained} explained */
function given({ symbol }, { words }, { value, address }) {
  const template = words.opened.given[symbol];
  const [place, column] = address.index;
  const wave = column % 2 ? "cos" : "sin";
  const says = fill(template, { wave, place, even: column - (column % 2) });
  const whole = Number.isInteger(value) && Math.abs(value) < 1e6;
  return { total: plain(value, whole ? 0 : 4), notes: [[[says, ""]]] };
}

/** @param {Term} term @param {Trace} trace @param {Explained} explained */
function copied({ address }, trace, { value }) {
  const source = door(nameOf(address, trace), address);
  return { total: short(value), notes: [fillSpans(trace.words.opened.copied, "source", source)] };
}

/** @param {Term} made @param {Trace} trace */
function sum(made, trace) {
  const { words } = trace;
  // The products of a dot product that is itself a part of a sum, such as X W + b, are its terms.
  const parts = made.parts.flatMap((part) => (part.operation === "dot" ? part.parts : [part]));
  const values = parts.map((part) => part.value);
  const found = digitsThatAddUp(values, made.value);
  const digits = found ?? MOST_DIGITS;
  const terms = parts.map((part) =>
    termOf(
      part.value,
      () => factorsOf(part, digits, trace),
      () => valueOf(part, digits),
    ),
  );
  const rounds = found === null || terms.some(({ value }) => value[0]?.[1] === "about");
  const notes = rounds ? [[[words.opened.rounding, ""]]] : [];
  const heads = byHead(parts, trace);
  if (heads.length > 1) notes.unshift(together(heads, digits, words));
  if (terms.length > MANY) notes.unshift([[fill(words.opened.terms, { terms: terms.length }), "scroll"]]);
  const norm = parts.map(normIn).find(Boolean);
  if (norm) notes.unshift(...normNotes(norm, digits, words));
  const relation = found === null ? "≈" : "=";
  return { total: plain(made.value, digits), amount: made.value, digits, relation, terms, notes };
}

/**
 * The sum that goes into a function, and what the function makes of it.
 * @param {Term} made @param {Trace} trace
 */
function activated(made, trace) {
  const [inner] = made.parts;
  const told = WORDED[inner.operation](inner, trace, inner);
  const digits = Math.max(told.digits ?? 4, 2),
    fields = { before: plain(inner.value, digits), after: plain(made.value, digits) };
  const says = [[fill(trace.words.opened.activations[made.symbol], fields), ""]];
  const total = `${WRITTEN[made.symbol]}(${fields.before}) ≈ ${fields.after}`;
  return {
    ...told,
    whole: told.total,
    relation: "=",
    total: made.symbol === "relu" ? fields.after : total,
    notes: [says, ...told.notes],
  };
}

/**
 * The normalisation in a term, such as γ · norm.
 * @param {Term} part
 */
function normIn(part) {
  return part.operation === "normalise" ? part : part.parts.map(normIn).find(Boolean);
}

/** @param {[head: number, value: number][]} heads @param {number} digits @param {Words} words */
function together(heads, digits, { contributions, contribution, list_mark }) {
  const spans = heads.flatMap(([head, value], i) => {
    const said = fillSpans(contribution, "head", [[String(head + 1), "head"]]).map(([text, role]) => [
      text.replace("{value}", plain(value, digits)),
      role,
    ]);
    return i ? [[list_mark, ""], ...said] : said;
  });
  return fillSpans(contributions, "parts", spans);
}

/** @param {Term} made @param {Trace} trace */
function product(made, trace) {
  const values = made.parts.map((part) => part.value);
  const constants = made.parts.filter((part) => part.operation === "constant");
  const even = constants.every(({ value }) => units(value, 2) * 10000n === units(value, 6));
  const digits = fewestDigits(even ? 2 : 3, (d) => isExact(values, made.value, d));
  const total = plain(made.value, digits ?? 4);
  const spans = factorsOf(made, digits ?? 4, trace);
  return {
    total,
    terms: [
      termOf(
        made.value,
        () => spans,
        () => equation(digits !== null, total),
      ),
    ],
  };
}

/** @param {Term} made @param {Trace} trace */
function softmax(made, { words }) {
  const { total, maximum } = made.facts;
  if (!total) return { total: "0", notes: [[[words.opened.softmax_empty, ""]]] };
  const powers = made.parts.map((part) => part.value);
  const shares = powers.map((power) => power / total);
  const found = fewestDigits(4, (d) => addUp(powers, total, d) && addUp(shares, 1, d));
  const digits = found ?? 4;
  /** @param {number} value */
  const print = (value) => [[plain(value, digits), ""]];
  /** @param {number} i */
  const rowAt = (i) => {
    const [score] = made.parts[i].parts;
    const label = door([[score.address.labels.at(-1), "key"]], score.address);
    return [label, ...[score.value, score.value - maximum, powers[i], shares[i]].map(print)];
  };
  const ends = { maximum: plain(maximum, digits), total: plain(total, digits) };
  const columns = words.opened.softmax_columns.map((text) => [[fill(text, ends), ""]]);
  const whole = plain(
    shares.reduce((made, share) => made + share, 0),
    digits,
  );
  const notes = [[[fill(words.opened.softmax_sum, { sum: whole }), ""]]];
  if (found === null) notes.push([[words.opened.rounded, ""]]);
  const rows = { length: shares.length, at: rowAt };
  return { total: plain(made.value, digits), digits, columns, rows, shares, chosen: made.chosen, notes };
}

/** @param {Term} made @param {Trace} trace */
function mask(made, trace) {
  const { opened: wording, list_mark } = trace.words;
  const [inner, ...masks] = made.parts;
  const struck = masks.filter((part) => !part.value);
  const keys = (struck.length ? struck : masks).flatMap(({ address }, i) => {
    const key = door([[address.stage, "quiet"]], address);
    return i ? [[list_mark, "quiet"], ...key] : key;
  });
  const parts = inner.operation === "sum" ? inner.parts : [inner];
  const values = parts.map((part) => part.value);
  const found = digitsThatAddUp(values, inner.value);
  const digits = found ?? 4;
  const terms = parts.map((part) => termOf(part.value, () => factorsOf(part, digits, trace)));
  if (struck.length) terms.push(termOf(-Infinity, () => [["−∞", ""], [" ", "quiet"], ...keys]));
  return {
    total: plain(made.value, digits),
    amount: made.value,
    digits,
    relation: struck.length || found !== null ? "=" : "≈",
    sign: struck.length ? "→" : "+",
    terms,
    notes: [fillSpans(struck.length ? wording.struck : wording.passed, "mask", keys)],
  };
}

/** @param {Term} made @param {Trace} trace */
function normalised(made, { words }) {
  const printed = printedFacts(made);
  return {
    total: plain(made.value, 4),
    relation: "≈",
    terms: [termOf(made.value, () => quotientOf(made, printed))],
    notes: [[[fill(words.opened.normalised, printed), ""]]],
  };
}

/** @param {Term} made @param {number} digits @param {Words} words */
function normNotes(made, digits, words) {
  const printed = printedFacts(made);
  const quotient = [[`${plain(made.value, digits)} ≈ `, ""], ...quotientOf(made, printed)];
  return [quotient, [[fill(words.opened.normalised, printed), ""]]];
}

/** @param {Term} term */
function printedFacts({ facts: { mean, variance, epsilon } }) {
  return { mean: plain(mean, 4), variance: plain(variance, 4), epsilon: general(epsilon) };
}

/** @param {Term} made @param {Record<"mean" | "variance" | "epsilon", string>} printed */
function quotientOf(made, printed) {
  const { address, value } = made.parts[made.chosen];
  const minus = printed.mean.startsWith(MINUS) ? `(${printed.mean})` : printed.mean;
  return [
    ["(", ""],
    ...door([[plain(value, 4), ""]], address),
    [` − ${minus})`, ""],
    [` ÷ √(${printed.variance} + ${printed.epsilon})`, ""],
  ];
}

/**
 * Six digits in all, as Python's "g" writes them: 1e-05.
 * @param {number} value
 */
function general(value) {
  const [mantissa, exponent] = value.toExponential(5).split("e");
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)));
  return `${Number(mantissa)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
