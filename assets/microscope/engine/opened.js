// One number of a stage, opened: printed numbers whose terms add up to the printed total.

import { WRITTEN } from "./activations.js";
import { emptiedBy } from "./emptied.js";
import { fsum } from "./fsum.js";
import { filled } from "./names.js";
import { BRIEF, DECIMALS, MINUS, addUp, digitsFor, digitsOf, isExact, plain, short } from "./numbers.js";
import { resolve } from "./rules.js";
import { addressOf, linked, splitFactors, factorsOf, fillSpans, nameOf, productOf, termOf } from "./terms.js";

const MANY = 12; // terms, more than which are scrolled
const PLAIN = 4; // digits of what need not add up
const EXACT = 6; // digits that distinguish a number from its rounding to half precision
const AROUND = 1; // rows either side of the chosen one that a brief cell shows
const NORMS = ["normalise", "rmsnorm"];

/**
 * The wording of an explained cell by one kind of term, without the defaults.
 * @typedef {Partial<Opened> & Pick<Opened, "total" | "notes">} Worded
 */

/** @typedef {Pick<Term, "value" | "address"> & { brief: boolean }} Asked */

/**
 * What is printed of each kind of term.
 * @type {Record<string, (made: Term, trace: Trace, cell: Asked) => Worded>}
 */
const WORDED = {
  given({ symbol }, { words }, { value, address }) {
    const template = words.opened.given[symbol];
    const [position, column] = address?.index ?? [];
    const wave = column % 2 ? "cos" : "sin";
    const says = filled(template, { wave, number: position, even: column - (column % 2) });
    const whole = Number.isInteger(value) && Math.abs(value) < 1e6;
    return { total: plain(value, whole ? 0 : 4), notes: [[[says, ""]]] };
  },

  cell(made, trace) {
    const address = addressOf(made),
      source = linked(nameOf(address, trace), address);
    return { total: short(made.value), notes: [fillSpans(trace.words.opened.copied, "source", source)] };
  },

  sum(made, trace, { brief }) {
    const { words } = trace;
    // The products of a dot product that is itself a part of a sum, such as X W + b, are its terms.
    const parts = made.parts.flatMap((part) => (part.operation === "dot" ? part.parts : [part]));
    const values = parts.map((part) => part.value);
    const { shown, left, printed } = shownOf(values, brief, (position) => Math.abs(values[position]));
    const [found, digits] = digitsOf(printed, made.value, brief);
    const terms = parts.map((part) => printedTerm(part, digits, trace));
    const rounds = found === null || terms.some(({ value }) => value[0]?.[1] === "about");
    /** @type {LinkSpan[][]} */
    const notes = rounds ? [[[words.opened.rounding, ""]]] : [];
    const heads = byHead(parts, trace);
    if (heads.length > 1 && !brief) notes.unshift(together(heads, digits, words));
    if (terms.length > MANY && !brief) notes.unshift([[filled(words.opened.terms, { terms: terms.length }), ""]]);
    const norm = normIn(parts);
    if (norm) notes.unshift(...normNotes(norm, digits, words));
    const relation = found === null ? "≈" : "=";
    return { total: plain(made.value, digits), amount: made.value, digits, relation, terms, shown, left, notes };
  },

  dot: (made, trace, cell) => WORDED.sum(made, trace, cell),

  // The argument of an activation, and its value.
  activation(made, trace, { brief }) {
    const [inner] = made.parts;
    const worded = WORDED[inner.operation](inner, trace, { ...inner, brief });
    const digits = Math.max(worded.digits ?? PLAIN, DECIMALS),
      fields = { before: plain(inner.value, digits), after: plain(made.value, digits) };
    /** @type {Span[]} */
    const says = [[filled(trace.words.opened.activations[made.symbol], fields), ""]];
    const total = `${WRITTEN[made.symbol]}(${fields.before}) ≈ ${fields.after}`;
    return {
      ...worded,
      whole: worded.total,
      relation: "=",
      total: made.symbol === "relu" ? fields.after : total,
      notes: [says, ...worded.notes],
    };
  },

  // A number before and after it is rounded to half precision.
  round(made, trace, { brief }) {
    const [inner] = made.parts;
    const worded = WORDED[inner.operation](inner, trace, { ...inner, brief });
    const fields = { precision: made.symbol, before: plain(inner.value, EXACT), after: plain(made.value, EXACT) };
    return { ...worded, notes: [[[filled(trace.words.opened.half, fields), ""]], ...worded.notes] };
  },

  product(made, trace, { brief }) {
    const [factors, constants] = splitFactors(made);
    const [, digits] = digitsFor(brief, (d) => isExact(factors, made.value, d, constants));
    const sum = dotIn(made.parts);
    /** @type {LinkSpan[][]} */
    const notes = sum && sum.parts.length <= (brief ? BRIEF : MANY) ? [sumOf(sum, digits, trace)] : [];
    return { total: plain(made.value, digits), terms: [printedTerm(made, digits, trace)], notes };
  },

  softmax(made, trace, { brief }) {
    const { words } = trace;
    const { total, maximum } = made.facts;
    if (!total) {
      const { stage, index } = addressOf(made.parts[0].parts[0]),
        masks = emptiedBy(trace, stage, index).join(words.list_mark);
      return { total: "0", notes: [[[filled(words.opened.softmax_empty, { masks }), ""]]] };
    }
    const powers = made.parts.map((part) => part.value);
    const shares = powers.map((power) => power / total);
    /** @param {number} position */
    const counts = (position) => shares[position] + (Math.abs(position - made.chosen) <= AROUND ? 2 : 0);
    const { shown, left, printed } = shownOf(shares, brief, counts);
    const isWhole = shown.length === shares.length;
    const [found, digits] = digitsFor(brief, (d) => addUp(printed, 1, d) && (!isWhole || addUp(powers, total, d)));
    /**
     * @param {number} value
     * @returns {LinkSpan[]}
     */
    const print = (value) => [[plain(value, digits), ""]];
    /** @param {number} i */
    const rowAt = (i) => {
      const [score] = made.parts[i].parts,
        address = addressOf(score);
      const isKey = address.stage === addressOf(made.parts[0].parts[0]).stage,
        name = isKey ? (address.labels.at(-1) ?? "") : trace.stage(address.stage).called;
      const label = linked([[name, isKey ? "key" : ""]], address);
      return [label, ...[score.value, score.value - maximum, powers[i], shares[i]].map(print)];
    };
    const ends = { maximum: plain(maximum, digits), total: plain(total, digits) };
    /** @type {Span[][]} */
    const columns = words.opened.softmax_columns.map((text) => [[filled(text, ends), ""]]);
    const whole = plain(
      shares.reduce((made, share) => made + share, 0),
      digits,
    );
    /** @type {Span[][]} */
    const notes = [[[filled(words.opened.softmax_sum, { sum: whole }), ""]]];
    if (found === null) notes.push([[words.opened.rounded, ""]]);
    const rows = { length: shares.length, at: rowAt };
    return { total: plain(made.value, digits), digits, columns, rows, shown, left, chosen: made.chosen, notes };
  },

  mask(made, trace, { brief }) {
    const { opened: wording, list_mark } = trace.words;
    const [inner, ...masks] = made.parts;
    const hiding = masks.filter((part) => !part.value);
    const keys = (hiding.length ? hiding : masks).flatMap((part, i) => {
      const address = addressOf(part);
      return listed(linked([[trace.stage(address.stage).called, "quiet"]], address), i, list_mark, "quiet");
    });
    const parts = inner.operation === "sum" ? inner.parts : [inner];
    const values = parts.map((part) => part.value);
    const [found, digits] = digitsOf(values, inner.value, brief);
    const terms = parts.map((part) => printedTerm(part, digits, trace));
    if (hiding.length) terms.push(termOf(-Infinity, () => [["−∞", ""], [" ", "quiet"], ...keys]));
    return {
      total: plain(made.value, digits),
      amount: made.value,
      digits,
      relation: hiding.length || found !== null ? "=" : "≈",
      sign: hiding.length ? "→" : "+",
      terms,
      notes: [fillSpans(hiding.length ? wording.masked : wording.passed, "mask", keys)],
    };
  },

  normalise(made, { words }) {
    const printed = printedFacts(made);
    return {
      total: plain(made.value, 4),
      relation: "≈",
      terms: [termOf(made.value, () => quotientOf(made, printed))],
      notes: [[[factsOf(made, printed, words), ""]]],
    };
  },

  rmsnorm: (made, trace, cell) => WORDED.normalise(made, trace, cell),
};

/**
 * Word an explained cell: {title, total, relation, sign, terms, columns, rows, chosen, notes}.
 *
 * `amount` and `digits` are the total and the digits all is printed with, where they go together;
 * `shown` the indices of the terms or rows that are shown, `left` the sum of the others (of rows, of
 * their last column). Terms and rows are worded when they are asked for.
 * brief: for few terms and few digits, the others in one; else with as many as make the terms add up.
 * @param {Explained} cell @param {Trace} trace @param {boolean} [brief]
 * @returns {Opened}
 */
export function opened(cell, trace, brief = false) {
  const title = nameOf(cell.address, trace),
    rows = { length: 0, at: () => [] },
    plainest = { relation: "=", sign: "+", terms: [], columns: [], rows, left: 0, chosen: 0 },
    worded = WORDED[cell.made_by.operation](cell.made_by, trace, { ...cell, brief }),
    shown = [...(worded.terms ?? []).keys()];
  return { title, ...plainest, shown, amount: cell.value, digits: PLAIN, ...worded };
}

/**
 * Which of the values a cell shows, what the others sum to, and all that is printed of them. A brief cell
 * of many values shows those that count most; the sum of the others is a number as any other, so that
 * what is printed need not add up: the caller says ≈ then.
 * @param {number[]} values @param {boolean} brief @param {(position: number) => number} counts
 */
function shownOf(values, brief, counts) {
  const positions = [...values.keys()];
  if (!brief || values.length <= BRIEF) return { shown: positions, left: 0, printed: values };
  const order = positions.sort((a, b) => counts(b) - counts(a));
  const shown = order.slice(0, BRIEF - 1).sort((a, b) => a - b),
    left = fsum(order.slice(BRIEF - 1).map((position) => values[position]));
  return { shown, left, printed: [...shown.map((position) => values[position]), left] };
}

/**
 * A term of a sum: the factors that it is made of, and their product.
 * @param {Term} part @param {number} digits @param {Trace} trace
 */
function printedTerm(part, digits, trace) {
  return termOf(
    part.value,
    () => factorsOf(part, digits, trace),
    () => productOf(part, digits),
  );
}

/**
 * The first sum of products among terms and what they are made of, as in softmax turned round.
 * @param {Term[]} terms
 * @returns {Term | undefined}
 */
function dotIn(terms) {
  for (const term of terms) {
    const found = term.operation === "dot" ? term : dotIn(term.parts);
    if (found) return found;
  }
}

/**
 * A sum of products on a line of its own.
 * @param {Term} sum @param {number} digits @param {Trace} trace
 * @returns {LinkSpan[]}
 */
function sumOf(sum, digits, trace) {
  const terms = sum.parts.flatMap((part, i) => listed(factorsOf(part, digits, trace), i, " + "));
  return [[`${plain(sum.value, digits)} = `, ""], ...terms];
}

/**
 * The first normalisation among terms and what they are made of, such as γ · norm.
 * @param {Term[]} terms
 * @returns {Term | undefined}
 */
function normIn(terms) {
  for (const term of terms) {
    const found = NORMS.includes(term.operation) ? term : normIn(term.parts);
    if (found) return found;
  }
}

/**
 * An item of a list, after a separator except for the first.
 * @param {LinkSpan[]} spans @param {number} position @param {string} mark @param {string} [role]
 * @returns {LinkSpan[]}
 */
function listed(spans, position, mark, role = "") {
  return position ? [[mark, role], ...spans] : spans;
}

/** @param {[head: number, value: number][]} heads @param {number} digits @param {Words} words */
function together(heads, digits, { contributions, contribution, list_mark }) {
  const spans = heads.flatMap(([head, value], i) => {
    const spans = fillSpans(contribution.replace("{value}", plain(value, digits)), "head", [
      [String(head + 1), "head"],
    ]);
    return listed(spans, i, list_mark);
  });
  return fillSpans(contributions, "parts", spans);
}

/**
 * @param {Term} made @param {number} digits @param {Words} words
 * @returns {LinkSpan[][]}
 */
function normNotes(made, digits, words) {
  const printed = printedFacts(made);
  /** @type {LinkSpan[]} */
  const quotient = [[`${plain(made.value, digits)} ≈ `, ""], ...quotientOf(made, printed)];
  return [quotient, [[factsOf(made, printed, words), ""]]];
}

/**
 * @param {Term} term
 * @returns {Record<string, string>}
 */
function printedFacts({ facts: { epsilon, ...means } }) {
  const printed = Object.entries(means).map(([name, value]) => [name, plain(value, 4)]);
  return { ...Object.fromEntries(printed), epsilon: general(epsilon) };
}

/** @param {Term} term @param {Record<string, string>} printed @param {Words} words */
function factsOf({ operation }, printed, { opened }) {
  return filled(operation === "rmsnorm" ? opened.rms_normalised : opened.normalised, printed);
}

/**
 * @param {Term} made @param {Record<string, string>} printed
 * @returns {LinkSpan[]}
 */
function quotientOf(made, printed) {
  const number = made.parts[made.chosen];
  if (made.operation === "rmsnorm") {
    const value = linked([[plain(number.value, 4), ""]], addressOf(number));
    return [...value, [` ÷ √(${printed.mean_square} + ${printed.epsilon})`, ""]];
  }
  const minus = printed.mean.startsWith(MINUS) ? `(${printed.mean})` : printed.mean;
  return [
    ["(", ""],
    ...linked([[plain(number.value, 4), ""]], addressOf(number)),
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
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(Number(value.toPrecision(6)));
  return `${Number(mantissa)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/**
 * The contribution of each head to a sum over concat; empty for a sum over another axis.
 * @param {Term[]} products @param {Trace} trace
 * @returns {[head: number, value: number][]}
 */
function byHead(products, trace) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { value, parts } of products) {
    const head = parts[0]?.address ? headOf(parts[0].address, trace) : null;
    if (head !== null) sums.set(head, (sums.get(head) ?? 0) + value);
  }
  return [...sums];
}

/**
 * The head from which a cell of concat was copied.
 * @param {Address} address @param {Trace} trace
 */
function headOf({ stage, index }, trace) {
  const { rule, roles } = trace.stage(stage);
  if (rule.rule !== "operand" || roles.includes("head")) return null;
  const axis = trace.stage(rule.stage).roles.indexOf("head");
  if (axis < 0) return null;
  return resolve(rule.index[axis], Object.fromEntries(roles.map((role, i) => [role, index[i]])), trace.read);
}
