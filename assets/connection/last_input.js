import { around } from "../shared/dom.js";

const CONTROL = "input, textarea, button",
  CONTAINER = '[data-testid="stElementContainer"]',
  TYPED = ["text", "number", "textarea"];
const EVENTS = ["input", "click", "keydown"];

/** The reader's last input into one of Streamlit's controls, until the server has answered it. */
export class LastInput {
  /** @param {() => void} noted called at each */
  constructor(noted) {
    /** @type {HTMLElement | null} */
    this.container = null;
    this.text = "";
    this.noted = noted;
    this.note = this.note.bind(this);
    for (const event of EVENTS) document.addEventListener(event, this.note, true);
  }

  /** @param {Event} event */
  note(event) {
    const control = around(event, CONTROL),
      isTyped = isText(control),
      isAbout = isTyped ? event.type !== "click" && !isOtherKey(event) : event.type !== "keydown",
      /** @type {HTMLElement | null | undefined} */
      container = control?.closest(CONTAINER);
    if (!container || !isAbout) return;
    this.mark("");
    this.container = container;
    this.text = isTyped ? control.value : "";
    this.noted();
  }

  /** @param {string} words empty: without a mark */
  mark(words) {
    if (words) this.container?.setAttribute("data-waits", words);
    else this.container?.removeAttribute("data-waits");
  }

  forget() {
    this.mark("");
    this.container = null;
  }

  /** Enters a typed text once more: a server that was started anew knows only the link. */
  repeat() {
    const { container, text } = this,
      [key] = container?.className.match(/\bst-key-[\w-]+/) ?? [],
      field = text && key ? document.querySelector(`.${key} :is(input, textarea)`) : null;
    this.forget();
    if (!isText(field)) return;
    if (field.value !== text) {
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
      set?.call(field, text); // React does not notice a change through the field's own property
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  }

  destroy() {
    this.forget();
    for (const event of EVENTS) document.removeEventListener(event, this.note, true);
  }
}

/** @param {Event} event */
const isOtherKey = (event) => event instanceof KeyboardEvent && event.key !== "Enter";

/**
 * @param {Element | null} control
 * @returns {control is HTMLInputElement | HTMLTextAreaElement}
 */
function isText(control) {
  const isField = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
  return isField && TYPED.includes(control.type) && !control.role;
}
