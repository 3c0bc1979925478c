import { make } from "../../shared/dom.js";

// A letter and what hangs on it: below, or raised where it names a matrix or a bias.
const SYMBOL = /\b([Wbdhnx])([\^_])([A-Zchkqtvx12]|ff|model)(?![A-Za-z])/g,
  RAISED = /^[Wb][A-Z]$/;

/**
 * A text cut at its symbols, such as d_k and W_Q, as [tag, text]: "" for plain text, "span" for a
 * letter, "sub" or "sup" for what hangs on it.
 * @param {string} text
 */
export function partsOf(text) {
  /** @type {[tag: "" | "span" | "sub" | "sup", text: string][]} */
  const parts = [];
  let start = 0;
  for (const { 0: whole, 1: letter, 2: mark, 3: script, index } of text.matchAll(SYMBOL)) {
    if (index > start) parts.push(["", text.slice(start, index)]);
    parts.push(["span", letter], [mark === "^" || RAISED.test(letter + script) ? "sup" : "sub", script]);
    start = index + whole.length;
  }
  if (start < text.length) parts.push(["", text.slice(start)]);
  return parts;
}

/**
 * The elements of a symbol.
 * @param {Symbol_} symbol
 */
export const setSymbol = (symbol) => symbol.map(([tag, text]) => make(tag, "", text));

/**
 * Appends a text to an element, its symbols set as mathematics.
 * @template {HTMLElement} Element
 * @param {Element} element @param {string} text
 */
export function setIn(element, text) {
  element.append(...partsOf(text).map(([tag, part]) => (tag ? make(tag, tag === "span" ? "symbol" : "", part) : part)));
  return element;
}
