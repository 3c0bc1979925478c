import { all } from "../shared/dom.js";

const ON = '[aria-checked="true"], [aria-pressed="true"]';
/** @type {Map<string, number>} */
const pressed = new Map(); // of buttons that do not say themselves which of them was pressed last

/**
 * Moves a control of the page to another of its settings: a slider, a choice, or a row of buttons.
 * @param {string[]} keys of its elements @param {number} by settings; infinite for the first and the last
 */
export function move(keys, by) {
  const parts = keys.flatMap((key) => [...all(document, `.st-key-${key}`)]),
    [range] = parts.flatMap((part) => [...part.querySelectorAll("input")].filter(({ type }) => type === "range"));
  if (range) return press(range, by); // React takes a value that is set from outside for one that is still dragged
  const buttons = parts.flatMap((part) => [...all(part, "button")]),
    name = keys.join();
  if (!buttons.length) return press(document.body, by); // a figure that is its own control hears the keys itself
  const chosen = buttons.findIndex((button) => button.matches(ON)),
    at = chosen < 0 ? (pressed.get(name) ?? 0) : chosen,
    to = within(at + by, 0, buttons.length - 1);
  pressed.set(name, to);
  if (to !== at) buttons[to].click();
}

/** @param {HTMLElement} element @param {number} by */
function press(element, by) {
  const key = Number.isFinite(by) ? (by < 0 ? "ArrowLeft" : "ArrowRight") : by < 0 ? "Home" : "End";
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.max(low, Math.min(high, value));
