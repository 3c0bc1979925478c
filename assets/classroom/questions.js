import { nameOf } from "../microscope/figure/labels.js";
import { filled } from "../microscope/engine/names.js";
import { mistakesAt } from "../microscope/engine/mistakes.js";
import { plain } from "../microscope/engine/numbers.js";
import { isRight } from "./tally.js";

/** @import { Key } from "./tally.js" */

const MOST_WORDS = 12, // that can be told apart on a phone
  MOST_SHARES = 6;

/** @typedef {{ ask: Ask, key: Key }} Prepared */

/**
 * What can be asked about the chosen cell: its number, and of a row of weights the largest and the shares.
 * @param {Store} store
 * @returns {Prepared[]}
 */
export function questionsAt(store) {
  const { trace, stage } = store,
    plane = trace.drawing(stage)?.planes.at(-1);
  if (!plane || !store.isHere) return [];
  const { row, column } = store.rest,
    about = [
      trace
        .stage(stage)
        .name.map(([, text]) => text)
        .join(""),
      nameOf(trace, plane.rows, row),
      nameOf(trace, plane.columns, column),
    ].map(short);
  /** @type {Prepared[]} */
  const found = [];
  const value = valueAt(store, row, column);
  if (value !== null)
    found.push({
      ask: { form: "number", asks: "cell", text: "", options: [], about },
      key: { right: String(value), mistakes: mistakesAt(store, stage, row, column) },
    });
  if (stage !== "weights" || plane.columns.role !== "key") return found;
  const options = Array.from({ length: plane.columns.size }, (_, i) => short(nameOf(trace, plane.columns, i))),
    weights = options.map((_, i) => valueAt(store, row, i) ?? 0);
  if (options.length < 2 || options.length > MOST_WORDS || value === null) return found;
  const right = String(weights.indexOf(Math.max(...weights)));
  found.push({ ask: { form: "pick", asks: "row", text: "", options, about }, key: { right, mistakes: {} } });
  if (options.length <= MOST_SHARES)
    found.push({
      ask: { form: "shares", asks: "shares", text: "", options, about },
      key: { right: weights.map((weight) => weight.toFixed(3)).join(), mistakes: {} },
    });
  return found;
}

/**
 * Which of the heads it is that does what the text says: the chosen one.
 * @param {Store} store @param {string} text
 * @returns {Prepared}
 */
export function headQuestion({ trace, heads, head }, text) {
  const options = Array.from({ length: Math.max(trace.heads, heads) }, (_, i) => String(i + 1));
  return { ask: { form: "pick", asks: "head", text, options, about: [] }, key: { right: String(head), mistakes: {} } };
}

/**
 * A sentence with choices, one a line; the right one begins with a star.
 * @param {string} text @param {string} lines
 * @returns {Prepared | null}
 */
export function ownQuestion(text, lines) {
  const all = lines
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    right = all.findIndex((line) => line.startsWith("*")),
    options = all.map((line) => short(line.replace(/^\*\s*/, "")));
  if (!text.trim() || options.length < 2) return null;
  const ask = /** @type {Ask} */ ({ form: "pick", asks: "choice", text: text.trim(), options, about: [] });
  return { ask, key: { right: right < 0 ? null : String(right), mistakes: {} } };
}

/** A question in the language of the page, if it has it. @param {Ask} ask @returns {Ask} */
export const inLanguage = (ask) => ({ ...ask, ...ask.languages?.[document.documentElement.lang.split("-")[0]] });

/** @param {Ask} ask @param {ClassWords} words */
export function questionText({ asks, text, about: [stage = "", row = "", column = ""] }, words) {
  if (asks === "choice") return text;
  return [filled(words.asks[asks] ?? "", { stage, row, column }), text].filter(Boolean).join(" ");
}

/**
 * An answer in words: of options the one that was picked.
 * @param {Ask} ask @param {string} answer
 */
export function answerText({ form, options }, answer) {
  if (form === "pick") return options[Number(answer)] ?? answer;
  if (form === "number") return Number.isNaN(Number(answer)) || answer.length < 9 ? answer : plain(Number(answer));
  return answer
    .split(",")
    .map((share, i) => `${options[i]} ${plain(Number(share))}`)
    .join(" · ");
}

/** A mark before it: whether an answer is right. @param {Ask} ask @param {string} answer @param {string | null} right */
export function markOf(ask, answer, right) {
  const is = answer ? isRight(ask, answer, right) : null;
  return is === null ? "" : is ? "✓ " : "✗ ";
}

/** @param {Store} store @param {number} row @param {number} column */
function valueAt(store, row, column) {
  const { trace, stage } = store,
    plane = trace.drawing(stage).planes.at(-1),
    at = { ...store.pointed({ hover: null }), [plane.rows.role]: row, [plane.columns.role]: column };
  if (trace.stored[stage]?.form === "levels") return null;
  return trace.value(
    stage,
    trace.stage(stage).roles.map((role) => at[role]),
  );
}

/** @param {string} text */
const short = (text) => [...text].slice(0, 60).join("");
