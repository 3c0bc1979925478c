// How a cell, and one term of the sum that makes it, are printed.
// A span is [text, role] or [text, role, address]; the address is the cell whose number it prints.

import { WRITTEN } from "./activations.js";
import { filled } from "./names.js";
import { MINUS, digitsOfConstant, isExact, plain } from "./numbers.js";

const FEW = 4; // terms of a sum that stands in brackets

/** @type {Record<string, Span[]>} */
const SYMBOLS = {
  "1/\\sqrt{d_k}": [
    ["1/√d", "quiet"],
    ["k", "sub"],
  ],
  "1/\\sqrt{d_{\\text{model}}}": [
    ["1/√d", "quiet"],
    ["model", "sub"],
  ],
  "1/T": [["1/T", "quiet"]],
  "1/(1-p)": [["1/(1−p)", "quiet"]],
  s: [["s", "quiet"]],
  "\\gamma": [["γ", "quiet"]],
  "1/\\ln(1+\\gamma)": [["1/ln(1+γ)", "quiet"]],
  "1/k": [["1/k", "quiet"]],
  c: [["c", "quiet"]],
  "1/c": [["1/c", "quiet"]],
};

/**
 * A cell by its stage and its labels, in the order in which its axes are named; the sample goes
 * without saying.
 * @param {Address} address @param {Trace} trace
 * @returns {LinkSpan[]}
 */
export function nameOf(address, trace) {
  const { name, roles, order } = trace.stages[address.stage];
  /** @type {LinkSpan[]} */
  const spans = name.map(([tag, text]) => [text, tag === "span" ? "symbol" : tag]);
  spans.push(["[", ""]);
  let first = true;
  order.forEach((axis) => {
    const role = roles[axis];
    if (role === "batch") return;
    const label = address.labels[axis];
    if (!first) spans.push([", ", ""]);
    const template = role === "head" ? trace.words.head : role === "kv_head" ? trace.words.kv_head : "{number}";
    spans.push([filled(template, { number: label }), role]);
    first = false;
  });
  return [...spans, ["]", ""]];
}

/**
 * The spans as a link to the cell at this address.
 * @param {LinkSpan[]} spans @param {CellLink} link
 * @returns {LinkSpan[]}
 */
export function linked(spans, { stage, index }) {
  const address = { stage, index };
  return spans.map(([text, role]) => [text, role, address]);
}

/**
 * The address of the cell that a term copies.
 * @param {Term} term
 */
export function addressOf({ operation, address }) {
  if (!address) throw new TypeError(`no other cell holds this: ${operation}`);
  return address;
}

/**
 * One term: its amount, and what it is made of and its printed value, worded when asked for.
 * @param {number} amount @param {() => LinkSpan[]} made @param {() => LinkSpan[]} [value]
 * @returns {PrintedTerm}
 */
export function termOf(amount, made, value = () => []) {
  return {
    amount,
    get made() {
      return made();
    },
    get value() {
      return value();
    },
  };
}

/**
 * What a term is made of, multiplied.
 * @param {Term} part @param {number} digits @param {Trace} trace
 * @returns {LinkSpan[]}
 */
export function factorsOf(part, digits, trace) {
  if (part.operation !== "product") return factorOf(part, digits, trace, false);
  return part.parts.flatMap((factor, i) => {
    const spans = factorOf(factor, digits, trace, true);
    return i ? [[" × ", ""], ...spans] : spans;
  });
}

/**
 * @param {Term} factor @param {number} digits @param {Trace} trace @param {boolean} bare
 * @returns {LinkSpan[]}
 */
function factorOf(factor, digits, trace, bare) {
  const text = plain(factor.value, digits);
  if (factor.symbol === "-") return [["(−1)", ""]];
  if (factor.operation === "constant") {
    const symbol = SYMBOLS[factor.symbol],
      whole = plain(factor.value, digitsOfConstant(factor.value, digits));
    return symbol ? [[whole, ""], [" (", "quiet"], ...symbol, [")", "quiet"]] : [[text, ""]];
  }
  if (factor.operation === "activation")
    return [[`${WRITTEN[factor.symbol]}(`, ""], ...factorsOf(factor.parts[0], digits, trace), [")", ""]];
  if (factor.operation === "sum" && factor.parts.length <= FEW)
    return [["(", ""], ...factor.parts.flatMap((part, i) => signed(part, i, digits, trace)), [")", ""]];
  if (!factor.address) return [[text, ""]];
  const { stage } = factor.address;
  /** @type {LinkSpan[]} */
  const spans = [[text, sideOf(stage, trace)]];
  if (!bare) spans.push([` ${stage.replace("grad/", "d")}`, "quiet"]);
  return linked(spans, factor.address);
}

/**
 * A part of a sum that stands in brackets, behind its sign.
 * @param {Term} part @param {number} position @param {number} digits @param {Trace} trace
 * @returns {LinkSpan[]}
 */
function signed(part, position, digits, trace) {
  const [first, ...others] = part.operation === "product" ? part.parts : [],
    minus = first?.symbol === "-";
  const spans = factorsOf(minus ? { ...part, parts: others } : part, digits, trace);
  const bare = spans[0]?.[0].startsWith(MINUS) ? [["(", ""], ...spans, [")", ""]] : spans;
  if (minus) return [[position ? " − " : "−", ""], .../** @type {LinkSpan[]} */ (bare)];
  return position ? [[" + ", ""], ...spans] : spans;
}

/** @param {string} stage @param {Trace} trace */
function sideOf(stage, trace) {
  return trace.stages[stage].roles.find((role) => /^(query|key|past_key|new_key|token)$/.test(role)) ?? "";
}

/**
 * The values of the factors of a product: those that are numbers of a stage, and the constants.
 * @param {Term} part
 */
export function splitFactors({ parts }) {
  /** @param {boolean} constant */
  const valuesOf = (constant) =>
    parts.filter(({ operation }) => (operation === "constant") === constant).map(({ value }) => value);
  return [valuesOf(false), valuesOf(true)];
}

/**
 * What the factors of a term make; nothing where it has but one.
 * @param {Term} part @param {number} digits
 */
export function productOf(part, digits) {
  if (part.operation !== "product") return [];
  const [factors, constants] = splitFactors(part),
    exact = isExact(factors, part.value, digits, constants);
  return equation(exact, plain(part.value, digits));
}

/**
 * A relation and what stands right of it.
 * @param {boolean} exact @param {string} text
 * @returns {LinkSpan[]}
 */
export function equation(exact, text) {
  return [exact ? ["= ", "equals"] : ["≈ ", "about"], [text, ""]];
}

/**
 * A template cut at its one field, with spans in its place.
 * @param {string} template @param {string} field @param {LinkSpan[]} spans
 * @returns {LinkSpan[]}
 */
export function fillSpans(template, field, spans) {
  const [before, after] = template.split(`{${field}}`);
  return [[before, ""], ...spans, [after, ""]];
}
