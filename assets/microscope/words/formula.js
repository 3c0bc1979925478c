import { all, around } from "../../shared/dom.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/**
 * Replaces the element's content with a formula. node: as views/figures/formula.py gives it.
 * onHover: called with what the symbol under the pointer or in focus means, with null for none.
 * @param {HTMLElement} element @param {Formula} node @param {{ onHover(means: string | null): void }} given
 */
export function showFormula(element, node, { onHover }) {
  const pieces = piecesOf(node).map(mathOf);
  for (const math of pieces) reportHover(math, onHover);
  element.classList.add("formula");
  element.replaceChildren(...pieces);
}

/**
 * Marks every symbol of this meaning and no other; null marks none.
 * @param {Element} element @param {string | null} means
 */
export function lightFormula(element, means) {
  for (const symbol of all(element, "[data-means]")) symbol.classList.toggle("lit", symbol.dataset.means === means);
}

/**
 * MathML does not break lines. Each piece is a formula of its own, so that it can move below the
 * last one: before an equals sign, behind a comma.
 * @param {Formula} formula
 * @returns {Formula[]}
 */
function piecesOf([tag, children]) {
  /** @param {number} i @param {string} sign */
  const is = (i, sign) => children[i]?.[0] === "mo" && children[i][1][0] === sign;
  const starts = [...children.keys()].filter((i) => i === 0 || is(i, "=") || is(i - 1, ","));
  return starts.map((start, i) => [tag, children.slice(start, starts[i + 1]), null]);
}

/** @param {Formula} node */
function mathOf(node) {
  const math = document.createElementNS(MATHML, "math");
  math.setAttribute("display", "block");
  math.append(symbolOf(node));
  return math;
}

/** @param {string | Formula} node */
function symbolOf(node) {
  if (typeof node === "string") return node;
  const [tag, children, means] = node;
  const symbol = document.createElementNS(MATHML, tag);
  symbol.append(...children.map(symbolOf));
  if (tag === "mo") symbol.setAttribute("stretchy", "false"); // brackets as high as letters
  if (means) {
    symbol.dataset.means = means;
    symbol.ariaLabel = symbol.textContent; // a Tab stop, which MathML does not name by its content
  }
  return symbol;
}

/**
 * Symbols stand inside symbols. These events bubble, unlike pointerenter, so their target is always
 * the innermost one, also on the way out of it into the one around it.
 * @param {Element} math @param {(means: string | null) => void} onHover
 */
function reportHover(math, onHover) {
  /** @param {Event} event */
  const report = (event) => onHover(around(event, "[data-means]")?.dataset.means ?? null);
  math.addEventListener("pointerover", report);
  math.addEventListener("focusin", report);
  math.addEventListener("pointerleave", () => onHover(null));
  math.addEventListener("focusout", () => onHover(null));
}
