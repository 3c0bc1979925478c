import { all, make, rootOf, within } from "../../shared/dom.js";
import { filled } from "../engine/names.js";
import { setSymbol } from "../words/symbols.js";
import { roving } from "./roving.js";

/**
 * whole: steps that are not in the trace are shown, too.
 * @typedef {{ store: Store, nav: HTMLElement, why: HTMLElement, whole: boolean }} StepperView
 */

/**
 * All steps in order and in groups: where one is, and a way to any of them. Steps that the trace does not have are behind
 * a button of their group, and say why when pressed.
 * @param {Store} store
 */
export function stepper(store) {
  const nav = make("nav"),
    why = make("p", "why", "", { role: "status" }),
    element = make("div", "stepper", [nav, why]),
    view = { store, nav, why, whole: false };
  nav.onpointermove = (event) => scrub(store, nav, event);
  nav.addEventListener("focusout", () => (why.textContent = ""));
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) fill(view);
    if (what.has("trace") || what.has("selection")) mark(view);
  };
  /** @param {Set<What>} what */
  const settle = (what) => {
    const now = what.has("trace") || what.has("selection") ? nav.querySelector("[data-key].now") : null;
    for (const scroller of now?.parentElement ? [now.parentElement, nav] : []) {
      const [step, frame] = [now, scroller].map((one) => one?.getBoundingClientRect() ?? new DOMRect());
      scroller.scrollLeft += step.x + step.width / 2 - frame.x - frame.width / 2;
    }
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
function fill(view) {
  const { store, nav, why } = view,
    { steps, words } = store.trace;
  nav.ariaLabel = words.stepper;
  nav.replaceChildren(
    ...[...new Set(steps.map(({ group }) => group))].map((name) => {
      const members = steps.filter(({ group }) => group === name),
        row = make(
          "div",
          "steps",
          members.map((step) => button(store, step, why)),
        ),
        unused = members.filter(({ key }) => !(key in store.trace.stages));
      if (unused.length) row.append(more(view, unused));
      if (!name) return make("div", "group", [row]);
      const { name: called, does } = words.groups[name],
        first = members.find(({ key }) => key in store.trace.stages),
        onclick = () => first && store.move({ stage: first.key });
      const heading = make("button", "heading", called, { title: does, disabled: !first, onclick });
      return make("div", "group", [heading, row], { role: "group", ariaLabel: called });
    }),
  );
  why.textContent = "";
}

/** @param {Store} store @param {StepperStep} step @param {HTMLElement} why */
function button(store, { key, symbol, called, absent, sizes }, why) {
  const title = [called, absent || sizes.map(([role, size]) => `${role} ${size}`).join(" · ")].join(": "),
    line = make("span", "symbol", setSymbol(symbol)),
    shape = make("span", "shape");
  sizes.forEach(([role, size], i) => shape.append(i ? "×" : "", make("span", role, String(size))));
  const element = make("button", "", [line, make("span", "called", called), shape], { title });
  element.dataset.key = key;
  element.onclick = () => {
    why.textContent = absent;
    if (!absent) store.move({ stage: key });
  };
  return element;
}

/**
 * Shows the steps that are not in the trace, and leads to the first of them that it stands for.
 * @param {StepperView} view @param {StepperStep[]} steps
 */
function more(view, steps) {
  const { unused } = view.store.trace.words.microscope,
    title = steps.map(({ called }) => called).join(", "),
    called = filled(unused, { count: steps.length }),
    parts = [make("span", "symbol", "…"), make("span", "called", called)];
  const element = make("button", "more", parts, { title, ariaLabel: `${called}: ${title}` });
  element.onclick = () => {
    view.whole = true;
    mark(view);
    within(view.nav, `[data-key="${steps[0].key}"]`).focus();
  };
  return element;
}

/** @param {StepperView} view */
function mark({ store, nav, why, whole }) {
  const keys = store.trace.steps.map((step) => step.key),
    /** @type {NodeListOf<HTMLElement>} */
    buttons = nav.querySelectorAll("[data-key]"),
    at = keys.includes(store.stage) ? keys.indexOf(store.stage) : keys.length;
  keys.forEach((key, i) => {
    const element = buttons[i];
    element.className = key in store.trace.stages ? (i === at ? "now" : i < at ? "past" : "next") : "off";
    element.ariaCurrent = i === at ? "step" : null;
    element.hidden = !whole && element.className === "off";
  });
  for (const element of all(nav, ".more")) element.hidden = whole;
  const now = buttons[at],
    // What is given, such as a matrix, belongs to the step that first reads it.
    shown = now ?? buttons[keys.indexOf(store.neighbours[1] ?? keys[0])];
  for (const group of nav.children) group.classList.toggle("current", group.contains(shown));
  roving(nav, "button", now, { tabbed: true });
  if (now && store.stage !== why.dataset.of) why.textContent = "";
  why.dataset.of = store.stage;
}
