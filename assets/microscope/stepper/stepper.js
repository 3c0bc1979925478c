import { make, rootOf } from "../../shared/dom.js";
import { roving } from "./roving.js";

/** @typedef {{ store: Store, nav: HTMLElement, why: HTMLElement }} StepperView */

/**
 * All steps in order: where one is, a way to any of them, and why a greyed one is not there.
 * @param {Store} store
 */
export function stepper(store) {
  const element = make("div", "stepper"),
    nav = make("nav"),
    why = make("p", "why"),
    view = { store, nav, why };
  why.setAttribute("role", "status");
  element.append(nav, why);
  nav.onpointermove = (event) => scrub(store, nav, event);
  nav.addEventListener("focusout", () => (why.textContent = ""));
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) fill(view);
    if (what.has("trace") || what.has("selection")) mark(view);
  };
  /** @param {Set<What>} what */
  const settle = (what) => {
    const now = what.has("trace") || what.has("selection") ? nav.querySelector("button.now") : null;
    if (now instanceof HTMLElement) nav.scrollLeft = now.offsetLeft - (nav.clientWidth - now.clientWidth) / 2;
  };
  return { element, changed, settle };
}

/**
 * Drawn over the stepper with the button pressed, the pointer scrubs through the steps.
 * @param {Store} store @param {HTMLElement} nav @param {PointerEvent} pointerEvent
 */
function scrub(store, nav, { buttons, pointerType, clientX, clientY }) {
  if (!(buttons & 1) || pointerType !== "mouse") return;
  /** @type {HTMLElement | null | undefined} */
  const over = rootOf(nav).elementFromPoint(clientX, clientY)?.closest("nav button");
  const key = over?.dataset.key ?? "";
  if (key in store.trace.stages && key !== store.stage) store.move({ stage: key });
}

/** @param {StepperView} view */
function fill({ store, nav, why }) {
  const { steps, words } = store.trace;
  nav.setAttribute("aria-label", words.stepper);
  nav.replaceChildren(...steps.map((step) => button(store, step, why)));
  why.textContent = "";
}

/** @param {Store} store @param {StepperStep} step @param {HTMLElement} why */
function button(store, { key, symbol, called, absent, sizes }, why) {
  const element = make("button");
  element.title = absent || sizes.map(([role, size]) => `${role} ${size}`).join(" · ");
  element.dataset.key = key;
  const line = make("span", "symbol"),
    shape = make("span", "shape");
  line.append(...symbol.map(([tag, text]) => make(tag, "", text)));
  sizes.forEach(([role, size], i) => shape.append(i ? "×" : "", make("span", role, String(size))));
  element.append(line, make("span", "called", called), shape);
  element.onclick = () => {
    why.textContent = absent;
    if (!absent) store.move({ stage: key });
  };
  return element;
}

/** @param {StepperView} view */
function mark({ store, nav, why }) {
  const keys = store.trace.steps.map((step) => step.key),
    buttons = nav.querySelectorAll("button"),
    at = keys.includes(store.stage) ? keys.indexOf(store.stage) : keys.length;
  keys.forEach((key, i) => {
    const element = buttons[i];
    element.className = key in store.trace.stages ? (i === at ? "now" : i < at ? "past" : "next") : "off";
    element.toggleAttribute("aria-current", i === at);
    if (i === at) element.setAttribute("aria-current", "step");
  });
  const now = buttons[at];
  roving(nav, "button", now, { tabbed: true });
  if (now && store.stage !== why.dataset.of) why.textContent = "";
  why.dataset.of = store.stage;
}
