/**
 * A small element, and spans of a reader's words, which are never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} [className] @param {string} [text]
 */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/**
 * What draws on a canvas. face: the font of what it writes.
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasPen}
 */
export function penOf(canvas, face = "") {
  return Object.assign(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), { face });
}

/**
 * The document or the shadow root that an element stands in.
 * @param {Element} element
 */
export const rootOf = (element) => /** @type {Document | ShadowRoot} */ (element.getRootNode());

/**
 * The innermost element that matches, from where an event happened outwards.
 * @param {Event} event @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/** @param {Span[]} parts */
export function spans(parts) {
  return parts.map(([text, role]) => make(role === "sup" || role === "sub" ? role : "span", role, text));
}
