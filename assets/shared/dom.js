const PRESSED = "a, button, summary";

/**
 * Creates an element. content: plain text, never markup, or children. properties: such as `title` and `onclick`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} [className] @param {string | (Node | string)[]} [content]
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = "", content = "", properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  if (className) element.className = className;
  if (typeof content !== "string") element.append(...content);
  else if (content) element.textContent = content;
  return element;
}

/**
 * Sets an element's text only if it differs, since setting it causes a new layout.
 * @param {Element} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Sets an element's children, and keeps those that look the same: a press is lost if what it began on is replaced
 * before it ends, and so is the focus. What is kept keeps its listeners too, which must not depend on what it was made of.
 * @param {Element} element @param {(Node | string)[]} children
 */
export function setChildren(element, children) {
  const before = [...element.childNodes];
  children.forEach((child, i) => {
    const old = before[i],
      now = typeof child === "string" ? new Text(child) : child;
    if (!old) element.append(now);
    else if (old.isEqualNode(now)) return;
    else if (old instanceof Element && !old.matches(PRESSED) && old.cloneNode().isEqualNode(now.cloneNode()))
      setChildren(old, [...now.childNodes]);
    else old.replaceWith(now);
  });
  for (const old of before.slice(children.length)) old.remove();
}

/**
 * Sets the text of a button, and its accessible name.
 * @param {HTMLElement} button @param {string} text @param {string} name
 */
export function label(button, text, name) {
  setText(button, text);
  button.title = button.ariaLabel = name;
}

/**
 * The 2D context of a canvas. face: its font.
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
 * The closest matching ancestor of the target of an event.
 * @param {Event} event @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Whether a key is pressed together with Ctrl, Alt or the Command key, so that it means something else.
 * @param {KeyboardEvent | MouseEvent} event
 */
export const isModified = (event) => event.ctrlKey || event.altKey || event.metaKey;

/**
 * Follows a clicked link to another page of the app without a reload, as Back does, and returns whether it did:
 * what opens a tab of its own is left to the browser.
 * @param {KeyboardEvent | MouseEvent} event @param {HTMLAnchorElement} link
 */
export function followInApp(event, link) {
  if (isModified(event) || event.shiftKey) return false;
  event.preventDefault();
  openInApp(link.href);
  return true;
}

/** Opens an address of the app without a reload, as Back does. @param {string} href */
export function openInApp(href) {
  document.isOpening = true;
  history.pushState({}, "", href);
  document.isOpening = false;
  dispatchEvent(new PopStateEvent("popstate"));
}

/** @param {Span[]} parts */
export function spans(parts) {
  return parts.map(([text, role]) => make(role === "sup" || role === "sub" ? role : "span", role, text));
}

/**
 * The state of a component between runs, created at the first; its module may be reloaded.
 * @template View
 * @param {Ground} parent @param {() => View} begin
 */
export function viewOf(parent, begin) {
  const state = /** @type {Ground & { view?: View }} */ (parent);
  return (state.view ??= begin());
}

/**
 * Runs `begin`, such as adding listeners, after the cleanup of the run before.
 *
 * begin: returns the cleanup. Returns it as a function that works once: Streamlit may call the cleanup
 * of a run that was overtaken after the next run has started.
 * @param {Ground} parent @param {() => () => void} begin
 */
export function effect(parent, begin) {
  const state = /** @type {Ground & { cleanup?: () => void }} */ (parent);
  state.cleanup?.();
  /** @type {(() => void) | null} */
  let stop = begin();
  return (state.cleanup = () => {
    stop?.();
    stop = null;
  });
}

/**
 * The cleanup of a component that runs `end` only once the component has left the page.
 * @param {Ground} parent @param {() => void} end
 */
export function onRemoval(parent, end) {
  return () => setTimeout(() => parent.isConnected || end());
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
 * The focused element in the tree of an element.
 * @param {Element} element
 */
export function focusedBeside(element) {
  const focused = rootOf(element).activeElement;
  return focused instanceof HTMLElement ? focused : null;
}

/**
 * A sentence of spans: plain text where there is no role.
 * @param {Span[]} parts @returns {(HTMLElement | string)[]}
 */
export function phrase(parts) {
  return parts.flatMap(/** @returns {(HTMLElement | string)[]} */ (part) => (part[1] ? spans([part]) : [part[0]]));
}

/** Brings the microscope into view, which shows what was chosen above it. */
export function toMicroscope() {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  document.querySelector(".st-key-model_map")?.scrollIntoView({ block: "start", behavior });
}
