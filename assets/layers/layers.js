import { effect, focusedBeside, isModified, make, viewOf } from "../shared/dom.js";
import { isForControl } from "../microscope/stepper/key_guard.js";

/**
 * @typedef {{ label: string, one: string, previous: string, next: string, chosen: number, layers: number }} Layers
 * @typedef {{ section: HTMLElement, asked: number[] }} View
 */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * The layers of a model in a row, one of them chosen; L and Shift+L step from anywhere on the page.
 * @param {ComponentArgs<Layers>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  /** @type {View} */
  const view = viewOf(parentElement, () => ({ section: parentElement.appendChild(make("section")), asked: [] })),
    { section } = view;
  const focused = focusedBeside(section),
    way = focused?.dataset.way;
  const label = make("span", "label", data.label),
    layers = Array.from({ length: data.layers }, (_, i) => cell(i + 1, data)),
    row = make("div", "scroll", layers, { role: "radiogroup", ariaLabel: data.label });
  const [before, after] = [arrow("‹", data.previous, "before"), arrow("›", data.next, "after")];
  const keys = make("span", "keys", "⇧L · L", { ariaHidden: "true" });
  section.replaceChildren(label, before, row, after, keys);
  let now = reached(view.asked, data.chosen);
  /** @param {number} layer */
  const mark = (layer) => {
    now = layer;
    layers.forEach((one, i) => {
      one.ariaChecked = String(i + 1 === now);
      one.tabIndex = i + 1 === now ? 0 : -1;
      one.classList.toggle("later", i + 1 > now);
    });
    before.ariaDisabled = String(now === 1);
    after.ariaDisabled = String(now === data.layers);
    centre(row, layers[now - 1]);
  };
  /** @param {number} layer @param {boolean} [focused] */
  const go = (layer, focused = false) => {
    const answered = !view.asked.length; // else what was asked may have been lost, and is asked again
    if (layer < 1 || layer > data.layers || (layer === now && answered)) return;
    mark(layer);
    view.asked.push(layer);
    if (focused) layers[layer - 1].focus({ preventScroll: true });
    setTriggerValue("choose", layer);
  };
  layers.forEach((one, i) => (one.onclick = () => go(i + 1)));
  before.onclick = () => go(now - 1);
  after.onclick = () => go(now + 1);
  row.onkeydown = (event) => {
    if (!(event.key in STEPS) || isModified(event)) return;
    event.preventDefault();
    event.stopPropagation();
    go(now + STEPS[event.key], true);
  };
  mark(now);
  const again =
    [before, after].find((one) => one.dataset.way === way) ?? (focused?.closest(".scroll") && layers[now - 1]);
  again?.focus({ preventScroll: true });
  return effect(parentElement, () =>
    listening(
      section,
      (by) => go(now + by),
      () => centre(row, layers[now - 1]),
    ),
  );
}

/**
 * The layer to show: the last requested one, until the server has answered it.
 * @param {number[]} asked @param {number} chosen
 */
function reached(asked, chosen) {
  const at = asked.lastIndexOf(chosen);
  asked.splice(0, at < 0 ? asked.length : at + 1);
  return asked.at(-1) ?? chosen;
}

/** @param {number} layer @param {Layers} data */
function cell(layer, { one }) {
  const ariaLabel = one.replace("{number}", String(layer));
  return make("button", "", String(layer), { role: "radio", ariaLabel });
}

/** @param {string} sign @param {string} label @param {string} way */
function arrow(sign, label, way) {
  const element = make("button", "arrow", sign, { title: label, ariaLabel: label });
  element.dataset.way = way;
  return element;
}

/** @param {HTMLElement} row @param {HTMLElement} chosen */
function centre(row, chosen) {
  row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
}

/**
 * The page's keys, and the chosen layer in sight when the row gets its width.
 * @param {HTMLElement} section @param {(by: number) => void} step @param {() => void} fit
 */
function listening(section, step, fit) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key.toLowerCase() !== "l" || isModified(event)) return;
    if (isForControl(event) && !event.composedPath().includes(section)) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(section);
  document.addEventListener("keydown", pressed);
  return () => {
    observer.disconnect();
    document.removeEventListener("keydown", pressed);
  };
}
