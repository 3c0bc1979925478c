import { explain } from "../engine/cell.js";
import { MINUS, plain } from "../engine/numbers.js";
import { range } from "../engine/rules.js";

const MOST_TERMS = 12, // that a sum is written out with; of a longer one the first and the last
  FIRST_TERMS = 3,
  DIGITS = 4;
const BYTE_ORDER_MARK = "\ufeff"; // without it Excel does not read UTF-8
/** @type {Record<string, string>} */
const FUNCTIONS = { log: "\\ln", cos: "\\cos", sin: "\\sin", tanh: "\\tanh" };

/**
 * The matrix that is shown.
 * @typedef {{ stage: string, at: At, rows: string | null, columns: string | null }} Shown  at: a position for every role;
 *   rows, columns: the roles that are drawn
 */

/**
 * The matrix as a table, with the names of its rows and columns.
 * @param {Trace} trace @param {Shown} shown
 */
export function csvOf(trace, shown) {
  const { stage, rows, columns } = shown,
    names = namesOf(trace, stage, rows);
  const lines = [["", ...namesOf(trace, stage, columns)]];
  for (const [i, row] of valuesOf(trace, shown).entries()) lines.push([names[i], ...Array.from(row, written)]);
  return BYTE_ORDER_MARK + lines.map((line) => `${line.map(field).join()}\r\n`).join("");
}

/**
 * The matrix and how the selected cell is computed, for a paper.
 * @param {Trace} trace @param {Shown} shown
 */
export function latexOf(trace, shown) {
  const { roles, shape, latex, rule } = trace.stage(shown.stage),
    values = valuesOf(trace, shown),
    rows = values.map((row) => Array.from(row, number).join(" & "));
  const columns = "r".repeat(values[0].length),
    matrix = `\\left[\\begin{array}{${columns}}\n${rows.join(" \\\\\n")}\n\\end{array}\\right]`,
    parts = [`${latex} = ${matrix}`];
  if (rule.rule !== "given") {
    const index = roles.map((role) => shown.at[role] ?? 0),
      { made_by, value } = explain(trace, shown.stage, index),
      drawn = index.filter((_, axis) => shape[axis] > 1).map((position) => position + 1);
    parts.push(`{${latex.split(" = ")[0]}}_{${drawn.join(", ")}} = ${term(made_by)} = ${number(value)}`);
  }
  return parts.map((part) => `\\[\n${part}\n\\]\n`).join("\n");
}

/**
 * The numbers, row by row.
 * @param {Trace} trace @param {Shown} shown
 */
function valuesOf(trace, { stage, at, rows, columns }) {
  const { roles } = trace.stage(stage),
    length = columns ? trace.size(stage, columns) : 1;
  return Array.from({ length: rows ? trace.size(stage, rows) : 1 }, (_, row) => {
    const index = roles.map((role) => (role === rows ? row : role === columns ? range(length) : (at[role] ?? 0)));
    return trace.numbers(stage, index, length);
  });
}

/**
 * The names of rows or columns in full; their numbers, from 1, where they have none.
 * @param {Trace} trace @param {string} key @param {string | null} role
 */
function namesOf(trace, key, role) {
  if (!role) return [""];
  const names = trace.stage(key).names[trace.stage(key).roles.indexOf(role)];
  return names === null
    ? Array.from({ length: trace.size(key, role) }, (_, i) => String(i + 1))
    : [...trace.names[names]];
}

/** As NumPy, pandas and spreadsheets read it. @param {number} value */
const written = (value) => (Number.isFinite(value) ? String(value) : value < 0 ? "-inf" : "inf");

/** @param {string} text */
const field = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** @param {number} value */
const number = (value) =>
  plain(value, Number.isInteger(value) ? 0 : DIGITS)
    .replace(MINUS, "-")
    .replace("∞", "\\infty");

/**
 * How a value is computed; what is read is written as its number.
 * @param {Term} made
 * @returns {string}
 */
function term({ operation, value, parts, symbol, chosen, facts }) {
  switch (operation) {
    case "dot":
    case "sum":
      return some(" + ", parts.map(factor));
    case "product":
      return some(" \\cdot ", parts.map(factor));
    case "mask":
      return Number.isFinite(value) ? term(parts[0]) : "-\\infty";
    case "softmax": {
      const powers = parts.map((part) => `e^{${number(part.parts[0].value)}}`);
      return `\\frac{${powers[chosen]}}{${some(" + ", powers)}}`;
    }
    case "normalise": {
      const above = `${number(parts[chosen].value)} - ${bracketed(facts.mean)}`;
      return `\\frac{${above}}{\\sqrt{${number(facts.variance)} + ${power(facts.epsilon)}}}`;
    }
    case "rmsnorm":
      return `\\frac{${number(parts[chosen].value)}}{\\sqrt{${number(facts.mean_square)} + ${power(facts.epsilon)}}}`;
    case "activation":
    case "round": {
      const name = FUNCTIONS[symbol] ?? `\\operatorname{${symbol.replaceAll("_", "-")}}`;
      return `${name}\\left(${term(parts[0])}\\right)`;
    }
  }
  return number(value);
}

/**
 * A part of a sum or of a product.
 * @param {Term} part
 */
function factor(part) {
  if (part.operation === "cell" || part.operation === "constant") return bracketed(part.value);
  return part.operation === "sum" || part.operation === "dot" ? `\\left(${term(part)}\\right)` : term(part);
}

/** A small number that is added, as its power of ten. @param {number} epsilon */
const power = (epsilon) => `10^{${Math.round(Math.log10(epsilon))}}`;

/** @param {number} value */
function bracketed(value) {
  const shown = number(value);
  return shown.startsWith("-") ? `(${shown})` : shown;
}

/** @param {string} sign @param {string[]} parts */
function some(sign, parts) {
  const few = parts.length > MOST_TERMS ? [...parts.slice(0, FIRST_TERMS), "\\cdots", parts[parts.length - 1]] : parts;
  return few.join(sign);
}
