import { all } from "../shared/dom.js";

const ON = '[aria-checked="true"], [aria-pressed="true"]';

/**
 * The control of a page that presenter view steps through: a slider, a choice, or a row of buttons.
 *
 * What is wanted is a setting, not a step: keys that are pressed before the control is there are added up, and a setting
 * that a run of the server takes back, because it began before the key, is chosen again.
 */
export class Control {
  /** @type {string[]} */
  keys = []; // of its elements
  /** @type {number[]} */
  pressed = []; // steps that wait for the control
  /** @type {number | null} */
  wanted = null; // until the reader does something else
  last = 0; // of buttons that do not say themselves which of them was pressed last
  tries = 0;
  pressedAt = -Infinity; // milliseconds

  /** @param {(setting: number) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
  }

  /** @param {string[]} keys */
  take(keys) {
    if (String(keys) === String(this.keys)) return;
    this.keys = keys;
    this.last = 0;
    this.forget();
  }

  forget() {
    this.pressed = [];
    this.wanted = null;
  }

  /** @param {number} by settings; infinite for the first and the last */
  move(by) {
    this.pressed.push(by);
    this.settle();
  }

  /** Chooses what is wanted, as soon as the control is there. */
  settle() {
    this.tries = 0;
    this.approach();
  }

  approach() {
    const parts = this.keys.flatMap((key) => [...all(document, `.st-key-${key}`)]);
    // A figure that is its own control hears the keys itself.
    if (parts.some(isFigure)) return this.pressed.splice(0).forEach((by) => press(document.body, by));
    const [range] = parts.flatMap((part) => [...part.querySelectorAll("input")]).filter(({ type }) => type === "range"),
      buttons = parts.flatMap((part) => [...all(part, "button")]);
    if (!range && !buttons.length) return; // not yet
    const [at, end] = range ? steps(range) : [this.chosenOf(buttons), buttons.length - 1];
    if (this.pressed.length) {
      const from = this.wanted ?? at;
      this.wanted = this.pressed.splice(0).reduce((setting, by) => within(setting + by, 0, end), from);
      if (this.wanted !== from) this.chosen(this.wanted);
    }
    const { wanted } = this;
    if (wanted === null || wanted === at || this.tries > end) return;
    this.tries += 1;
    this.last = wanted;
    this.pressedAt = performance.now();
    if (!range) return buttons[wanted].click();
    // React takes a value that is set from outside for one that is still dragged; a key moves by one.
    press(range, wanted === 0 ? -Infinity : wanted === end ? Infinity : wanted - at);
    requestAnimationFrame(() => this.approach());
  }

  /** @param {HTMLElement[]} buttons */
  chosenOf(buttons) {
    const chosen = buttons.findIndex((button) => button.matches(ON));
    return chosen < 0 ? this.last : chosen;
  }
}

/** Whether this is a component, with what it draws. @param {HTMLElement} part */
const isFigure = (part) => [...all(part, "*")].some(({ shadowRoot }) => shadowRoot?.querySelector("section"));

/** Where a slider stands, and its last setting. @param {HTMLInputElement} range */
const steps = ({ value, min, max, step }) =>
  [Number(value), Number(max)].map((one) => Math.round((one - Number(min)) / Number(step)));

/** @param {HTMLElement} element @param {number} by */
function press(element, by) {
  const key = Number.isFinite(by) ? (by < 0 ? "ArrowLeft" : "ArrowRight") : by < 0 ? "Home" : "End";
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.max(low, Math.min(high, value));
