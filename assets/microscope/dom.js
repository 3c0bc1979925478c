/**
 * A small element, and spans of a reader's words, which are never markup.
 * @param {string} tag @param {string} [className] @param {string} [text]
 */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** @param {Span[]} parts */
export function spans(parts) {
  return parts.map(([text, role]) => make(role === "sup" || role === "sub" ? role : "span", role, text));
}
