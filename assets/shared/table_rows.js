import { make } from "./dom.js";

/**
 * A table of rows; head and foot: the row above them and the one below.
 * @param {HTMLElement | null} head @param {HTMLElement[]} rows @param {HTMLElement | null} [foot]
 */
export function table(head, rows, foot = null) {
  const element = make("table");
  if (head) element.createTHead().append(head);
  element.createTBody().append(...rows);
  if (foot) element.createTFoot().append(foot);
  return element;
}

/** @param {...HTMLElement} cells */
export function row(...cells) {
  const element = make("tr");
  element.append(...cells);
  return element;
}

/**
 * The cell that names a column or a row.
 * @param {"col" | "row"} scope @param {string | HTMLElement} content @param {string} [role]
 */
export function header(scope, content, role = "") {
  const element = make("th", role);
  element.scope = scope;
  element.append(content);
  return element;
}
