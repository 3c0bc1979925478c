import { all, openInApp } from "../shared/dom.js";

/**
 * The control of a page that presenter view steps through.
 *
 * A step opens the address of another setting. What one would press a slider for reaches the server later than a link
 * that is followed afterwards, and then takes the reader back.
 */
export class Control {
  /** @type {string[]} */
  keys = []; // of its elements
  /** @type {number[]} */
  pressed = []; // steps that wait for the control

  /** @param {string[]} keys */
  take(keys) {
    if (String(keys) === String(this.keys)) return;
    this.keys = keys;
    this.forget();
  }

  forget() {
    this.pressed = [];
  }

  /** @param {number} by settings; infinite for the first and the last */
  move(by) {
    this.pressed.push(by);
    this.settle();
  }

  /** Opens what was asked for, as soon as the control is there. */
  settle() {
    const parts = this.keys.flatMap((key) => [...all(document, `.st-key-${key}`)]);
    // A figure that is its own control hears the keys itself.
    if (parts.some(isFigure)) return this.pressed.splice(0).forEach(press);
    const settings = document.controlSettings;
    if (!this.pressed.length || !settings || String(settings.control) !== String(this.keys)) return;
    const { name, texts } = settings,
      query = new URLSearchParams(location.search),
      at = texts.indexOf(query.get(name) ?? ""),
      wanted = this.pressed.splice(0).reduce((setting, by) => within(setting + by, 0, texts.length - 1), at);
    if (wanted === at) return;
    if (texts[wanted]) query.set(name, texts[wanted]);
    else query.delete(name);
    openInApp(`${location.pathname}?${query}`);
  }
}

/** Whether this is a component, with what it draws. @param {HTMLElement} part */
const isFigure = (part) => [...all(part, "*")].some(({ shadowRoot }) => shadowRoot?.querySelector("section"));

/** @param {number} by */
function press(by) {
  const key = Number.isFinite(by) ? (by < 0 ? "ArrowLeft" : "ArrowRight") : by < 0 ? "Home" : "End";
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.max(low, Math.min(high, value));
