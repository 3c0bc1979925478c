import { make, rootOf, spans } from "../microscope/dom.js";

/**
 * What a component keeps from one drawing to the next, made at the first: its module may be loaded anew for each.
 * @template View
 * @param {Ground} parent @param {() => View} begin
 */
export function viewOf(parent, begin) {
  const held = /** @type {Ground & { view?: View }} */ (parent);
  return (held.view ??= begin());
}

/**
 * The section that a component draws in.
 * @param {Ground} parent
 */
export function sectionOf(parent) {
  return parent.querySelector("section") ?? parent.appendChild(make("section"));
}

/**
 * The element below root that matches, where there must be one.
 * @param {ParentNode} root @param {string} selector @returns {HTMLElement}
 */
export function within(root, selector) {
  /** @type {HTMLElement | null} */
  const element = root.querySelector(selector);
  if (!element) throw new Error(`no ${selector}`);
  return element;
}

/** @param {ParentNode} root @param {string} selector @returns {NodeListOf<HTMLElement>} */
export function all(root, selector) {
  return root.querySelectorAll(selector);
}

/**
 * What has the focus in the tree of an element.
 * @param {Element} element
 */
export function focusedBeside(element) {
  const held = rootOf(element).activeElement;
  return held instanceof HTMLElement ? held : null;
}

/**
 * A sentence of spans: plain text where there is no role.
 * @param {Span[]} parts @returns {(HTMLElement | string)[]}
 */
export function phrase(parts) {
  return parts.flatMap(/** @returns {(HTMLElement | string)[]} */ (part) => (part[1] ? spans([part]) : [part[0]]));
}
