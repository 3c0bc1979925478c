import { chips } from "./words/chips.js";
import { announce } from "./hosts/connect.js";
import { make } from "../shared/dom.js";
import { firstView } from "./first_view/first_view.js";
import { figure } from "./figure/figure.js";
import { heads } from "./figure/heads.js";
import { meaning } from "./words/meaning.js";
import { origin } from "./words/origin.js";
import { listenToKeys } from "./stepper/keys.js";
import { presenterBar } from "./stepper/presenter_bar.js";
import { stepper } from "./stepper/stepper.js";
import { sheets } from "./sheets/sheets.js";
import { Store } from "./store.js";
import { paletteOf } from "./theme.js";
import { isWaiting } from "./engine/trace.js";
import { words } from "./words/words.js";

/** @typedef {Partial<Record<"first_view" | "stepper" | "chips" | "words" | "meaning" | "origin" | "heads" | "sheets", ShownPart>>} Around */

/** @type {PartName[]} */
const ALL = ["stepper", "chips", "words", "sheets"];

/**
 * One microscope in an element: everything that shows a step, laid out by itself.
 *
 * name: by which `connect` finds it. parts: what stands around the figure. hints: whether a reader's
 * first visit is greeted. keys: what hears the keys that are for it, the whole page or less. page: the
 * files that a server makes. Gives `{ element, store,
 * show(trace, selection), go(selection), selection, on(event, listener), destroy() }`; events are those of
 * `Store.listen`.
 * @param {HTMLElement | ShadowRoot} host
 * @param {{
 *   name?: string, parts?: PartName[], hints?: boolean, keys?: GlobalEventHandlers, page?: PageFiles,
 * }} [given]
 */
export function mount(host, { name = "", parts = ALL, hints = true, keys = document, page } = {}) {
  const store = new Store(),
    element = make("div", "microscope"),
    /** @type {Set<What>} */
    pending = new Set();
  /** @type {number | null} */
  let asked = null,
    settling = 0;
  /** @param {What} what */
  const request = (what) => {
    pending.add(what);
    asked ??= requestAnimationFrame(draw);
  };
  const given = { request, hints, page },
    step = figure(store, given),
    bar = presenterBar(store);
  let wasShown = false; // the machine
  const around = built(parts, store, given),
    /** @type {ShownPart[]} */
    all = [step, bar, ...Object.values(around)]; // the step first, see figure.js

  /** @param {number} now */
  function draw(now) {
    asked = null;
    if (!store.isReady || !element.isConnected) return; // what is not on the page yet is drawn once it is
    const isShown = store.showsMachine,
      what = new Set(pending);
    pending.clear();
    if (isShown !== wasShown) what.add("trace"); // what was not shown has to be drawn from the beginning
    wasShown = isShown;
    arrange(element, store);
    const frame = { now, face: getComputedStyle(element).fontFamily, palette: paletteOf(element, store.trace) };
    const shown = isShown ? all : partsOf(bar, around.first_view);
    for (const part of shown) attempt(() => update(part, what, frame));
    settling = requestAnimationFrame(() => shown.forEach((part) => attempt(() => part.settle?.(what))));
  }

  /** @type {Instance} */
  const instance = {
    element,
    store,
    name,
    player: step.player,
    show: (trace, selection) => store.setTrace(trace, selection),
    go: (selection) => store.go(selection),
    on: (event, listener) => store.listen((what) => what === event && listener()),
    get selection() {
      const { stage, head, positions, locked, presenting, sheet } = store;
      return { stage, head, positions: { ...positions }, locked, presenting, sheet };
    },
    destroy() {
      stops.forEach((stop) => stop());
      for (const frame of [asked ?? 0, settling]) cancelAnimationFrame(frame);
      for (const part of all) part.destroy?.();
      store.trace?.maker?.close();
      element.remove();
    },
  };
  lay(element, around, step);
  element.append(bar.element);
  host.append(element);
  const { isActive, withdraw } = announce(instance),
    shortcuts = Object.assign({}, ...all.map((part) => part.keys)),
    stops = [
      withdraw,
      store.listen(request),
      listenToKeys(keys, step.view, shortcuts, () => isActive() && (store.showsMachine || store.presenting)),
    ];
  element.addEventListener("transitionend", ({ target }) => target === element && request("trace")); // the theme has changed
  return instance;
}

/**
 * A part whose numbers have not come yet is dimmed.
 * @param {ShownPart} part @param {Set<What>} what @param {Frame} frame
 */
const update = (part, what, frame) =>
  part.element.classList.toggle(
    "awaits",
    isWaiting(() => part.changed(what, frame)),
  );

/**
 * Runs a part; its errors are reported and do not stop the others.
 * @param {() => void} run
 */
function attempt(run) {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}

/** @param {PartName[]} parts @param {Store} store @param {PartContext} given */
function built(parts, store, given) {
  /** @type {Around} */
  const around = {};
  if (parts.includes("first_view")) around.first_view = firstView(store, given);
  if (parts.includes("stepper")) around.stepper = stepper(store);
  if (parts.includes("words"))
    Object.assign(around, { words: words(store), meaning: meaning(store), origin: origin(store), heads: heads(store) });
  if (parts.includes("sheets")) around.sheets = sheets(store, given);
  if (parts.includes("chips")) around.chips = chips(store, given); // last: it draws once all have measured
  return around;
}

/**
 * What stands where: words and sum beside the figure, the other heads below it; one under another
 * where there is little room.
 * @param {HTMLElement} element @param {Around} around @param {ReturnType<typeof figure>} step
 */
function lay(element, around, step) {
  const card = make("div", "card", [step.element]),
    words = make("div", "card", [...elementsOf(around.words, around.meaning), step.sum]),
    side = make("aside", "", [pageSlot("beside"), words, ...elementsOf(around.origin)]),
    body = make("div", "body", [card, side, ...elementsOf(around.heads)]);
  element.append(
    ...elementsOf(around.first_view),
    pageSlot("lead"),
    ...elementsOf(around.stepper),
    pageSlot("above"),
    ...elementsOf(around.chips),
    body,
    ...elementsOf(around.sheets),
  );
}

/** @param {(ShownPart | undefined)[]} parts */
const elementsOf = (...parts) => partsOf(...parts).map(({ element }) => element);

/** @param {(ShownPart | undefined)[]} parts */
const partsOf = (...parts) => parts.flatMap((part) => part ?? []);

/**
 * A placeholder over which the page puts an element.
 * @param {string} id
 */
const pageSlot = (id) => make("div", "page-slot", "", { id, hidden: true });

/**
 * Shows or leaves presentation mode, which covers the whole page.
 * @param {HTMLElement} element @param {Store} store
 */
function arrange(element, store) {
  const { presenting, resultHidden, showsMachine } = store;
  element.classList.toggle("closed", !showsMachine);
  element.classList.toggle("hides", resultHidden);
  if (element.classList.toggle("presenting", presenting) === element.matches(":popover-open")) return;
  element.popover = presenting ? "manual" : null;
  if (presenting) element.showPopover();
}
