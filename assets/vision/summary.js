import { followStore } from "../microscope/hosts/connect.js";
import { effect, make, phrase, viewOf } from "../shared/dom.js";
import { queryOf, nameOf } from "./query.js";

/** @import { Followed } from "./query.js" */

/**
 * A value for all, a list of one for each head, or a list for each head of one for each token.
 * @template Value
 * @typedef {Value | Value[] | Value[][]} PerToken
 */

/**
 * @typedef {{ pieces: Span[], fields: Record<string, PerToken<string>>, when: PerToken<boolean> }} Sentence
 * @typedef {Followed & { paragraphs: Sentence[][], style: string, language: string }} Summary
 * @typedef {[head: number, token: number]} At
 */

/**
 * Sentences about the current head and query token, with their numbers.
 * @param {ComponentArgs<Summary>} args
 */
export default function ({ data, parentElement }) {
  const box = viewOf(parentElement, () => parentElement.appendChild(make("article")));
  box.lang = data.language;
  box.className = data.style;
  /** @type {{ store: Store | null, shown: string | null }} */
  const view = { store: null, shown: null };
  const show = () => {
    const at = queryOf(view.store, data);
    if (view.shown === at.join()) return;
    view.shown = at.join();
    box.replaceChildren(...linesAt(at, data));
  };
  const cleanup = effect(parentElement, () => followStore(view, show, ["selection", "trace"]));
  show();
  return cleanup;
}

/** @param {At} at @param {Summary} data */
function linesAt(at, data) {
  return data.paragraphs.flatMap((sentences) => {
    const pieces = sentences.filter(({ when }) => valueAt(when, at)).flatMap((one) => piecesOf(one, at, data));
    return pieces.length ? [make("p", "", phrase(pieces))] : [];
  });
}

/** @param {Sentence} sentence @param {At} at @param {Summary} summary @returns {Span[]} */
function piecesOf({ pieces, fields }, at, { begins, names }) {
  /** @type {Record<string, Span>} */
  const looks = { head: [String(at[0] + begins[0] + 1), "number"], query: [nameOf(names, at[1] + begins[1]), "query"] };
  return pieces.map(([text, role]) =>
    role === "{}" ? (looks[text] ?? [valueAt(fields[text], at), "number"]) : [text, role],
  );
}

/** @template {string | boolean} Value @param {PerToken<Value>} value @param {At} at @returns {Value} */
function valueAt(value, [head, token]) {
  if (!Array.isArray(value)) return value;
  const own = value[head];
  return Array.isArray(own) ? own[token] : own;
}
