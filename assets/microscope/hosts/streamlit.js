import { paramsOf, writeAddress } from "./address.js";
import { around, followInApp, onRemoval, viewOf, within } from "../../shared/dom.js";
import { idOf, joined, sceneOf, splitHeader } from "../engine/blob.js";
import { fitBelow, fitSlots } from "./page_slots.js";
import { linked } from "./link.js";
import { mount } from "../mount.js";
import { debounced } from "./debounce.js";
import { receive } from "./runs.js";
import { Trace } from "../engine/trace.js";

/**
 * What the server chose. weights: which ones, and where they are in the scene. texts: of the first view, null without
 * one; opens: whether the link names what only the machine shows. names: the parameters that a link or a control of
 * the page has set; arrival: how often that happened; file: the one behind the scene, where one was asked for; offered:
 * those that can be.
 * @typedef {{
 *   name: string, parts: PartName[], texts: FirstViewTexts | null, opens: boolean, follow: boolean, heads: number, moves: number, arrival: number, linked: boolean,
 *   names: string[], weights: { id: number, pieces: [begin: number, size: number][] }, selection: Required<SelectionState>, file: { bytes: number, size: string, refused: string },
 *   offered: ReturnType<PageFiles["offered"]>,
 * }} Chosen
 *
 * wanted: the format of a file that was asked for, and what is called once it has come. arrival: that of the last run.
 * @typedef {{
 *   instance: Instance, chosen: Chosen, isReported: boolean, isFramed: boolean, link: ReturnType<typeof linked> | null,
 *   rest(): void, isAwaited(): boolean, destroy(): void, setTriggerValue: ComponentArgs<Uint8Array>["setTriggerValue"],
 *   arrival?: number, wanted?: { format: string, more: Record<string, unknown>, done(file: MadeFile): void },
 * }} PageView
 */

const LANDS = 600, // milliseconds after which what stands above the figure has its height
  LANDINGS = 8, // of a cell: its numbers may come later
  EDGE = 60; // pixels
const TERM_LINK = ":is(.terms, .does) a",
  MACHINE = "attention-microscope-machine"; // stays open for who has opened it
/** @type {Record<string, keyof SelectionState>} */
const FIELDS = {
  stage: "stage",
  head: "head",
  row: "positions",
  column: "positions",
  channel: "positions",
  lock: "locked",
  present: "presenting",
  below: "sheet",
};

/**
 * The microscope on a page of the app. It is given no data: the component `run` beside it hands over what each run sends.
 *
 * The server is asked for missing numbers. Every selection is reported where cards of the page
 * depend on it (`follow`), or where a host page shows the address, which then only the server can write.
 * @param {ComponentArgs<null>} args
 */
export default function ({ parentElement }) {
  const page = viewOf(parentElement, () => begin(parentElement));
  return onRemoval(parentElement, page.destroy);
}

/** @param {Ground} parentElement */
function begin(parentElement) {
  /** @type {PageView | null} */
  let view = null,
    weights = new Uint8Array(8);
  /** @type {Sent | null} */
  let waiting = null;
  /** @param {Sent} run */
  const take = (run) => {
    const { data, setTriggerValue } = run,
      { header: chosen, scene: sent } = splitHeader(data);
    waiting = idOf(weights) === chosen.weights.id ? null : run;
    if (waiting) return;
    view ??= build(parentElement, chosen, setTriggerValue);
    Object.assign(view, { chosen, setTriggerValue });
    const { store } = view.instance,
      isOpened = chosen.opens && view.arrival !== chosen.arrival,
      wasShown = view.arrival !== undefined,
      wasClosed = !store.machine;
    Object.assign(store, { heads: chosen.heads, texts: chosen.texts });
    if (!chosen.texts || isOpened) store.machine = true;
    if (isOpened) sessionStorage.setItem(MACHINE, "1");
    show(view, sent.subarray(0, sent.length - chosen.file.bytes), weights);
    if (wasClosed && store.machine) {
      store.notify("trace");
      mark(store);
      if (wasShown) landOpened(view.instance);
    }
    const { bytes, size, refused } = chosen.file;
    if (bytes || refused) {
      view.wanted?.done({ bytes: sent.slice(sent.length - bytes), size, refused });
      view.wanted = undefined;
    } else if (view.wanted) ask(view, view.wanted); // the run that had it was overtaken by this one before it was shown
    if (!view.isAwaited()) view.rest(); // else each run would put off what the reader has done
  };
  const stops = [
    receive(
      parentElement,
      ({ data }) => {
        weights = data;
        if (waiting) take(waiting);
      },
      "weights",
    ),
    receive(parentElement, take),
  ];
  const destroy = () => {
    stops.forEach((stop) => stop());
    view?.destroy();
  };
  return { destroy };
}

/** @param {Ground} parentElement @param {Chosen} chosen @param {PageView["setTriggerValue"]} setTriggerValue */
function build(parentElement, chosen, setTriggerValue) {
  const { name, parts, follow } = chosen,
    isFramed = window.parent !== window,
    isReported = follow || isFramed;
  const instance = mount(parentElement, {
      name,
      parts,
      page: { ask: (format, more) => asked(view, format, more), offered: () => view.chosen.offered },
    }),
    { store } = instance;
  store.machine = !chosen.texts || Boolean(sessionStorage.getItem(MACHINE));
  const report = debounced(() => send(view)),
    rest = () => report.rest(store.isHere ? undefined : 0);
  const link = isReported ? null : linked(instance),
    marks = () => mark(store);
  /**
   * Back leads to an entry of the history, also from a move that has no entry yet.
   * @param {PopStateEvent} event
   */
  const forget = ({ isTrusted }) => {
    if (!isTrusted) return;
    report.stop();
    store.moves = store.reportedMoves;
  };
  addEventListener("popstate", forget);
  const stops = [
    instance.on("selection", rest),
    instance.on("play", rest),
    fitSlots(instance.element),
    fitBelow(),
    instance.on("machine", () => {
      sessionStorage.setItem(MACHINE, store.machine ? "1" : "");
      rest();
      marks();
      landOpened(instance);
    }),
    instance.on("selection", marks),
    instance.on("hover", marks),
    instance.on("play", marks),
    () => removeEventListener("popstate", forget),
  ];
  instance.element.addEventListener("click", through);
  const destroy = () => {
    report.stop();
    link?.stop();
    stops.forEach((stop) => stop());
    instance.destroy();
    mark({});
  };
  /** @type {PageView} */
  const view = {
    instance,
    chosen,
    isReported,
    isFramed,
    link,
    rest,
    isAwaited: report.isAwaited,
    destroy,
    setTriggerValue,
  };
  return view;
}

/** @param {PageView} view @param {Uint8Array<ArrayBuffer>} scene without its weights @param {Uint8Array} weights */
function show(view, scene, weights) {
  const { instance, chosen, link } = view,
    { store } = instance,
    id = idOf(scene);
  store.reportedMoves = chosen.moves;
  const selection = areReported(view) ? reportedSelection(store, chosen) : namedSelection(view);
  if (store.trace?.id !== id) {
    const trace = Object.assign(new Trace(sceneOf(joined(scene, weights, chosen.weights.pieces))), { bytesAt });
    bring(instance, trace, selection, chosen.selection.stage);
  } else if (selection) instance.go(selection);
  link?.adopt(
    view.arrival !== undefined || chosen.linked,
    view.arrival !== undefined && view.arrival !== chosen.arrival,
  );
  if (chosen.selection.locked && view.arrival !== chosen.arrival) setTimeout(() => land(instance), LANDS);
  view.arrival = chosen.arrival;
  mark(store);
}

/**
 * What the server has at an address; null if it has nothing there any more.
 * @param {string} url
 */
async function bytesAt(url) {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ? answer.arrayBuffer() : null;
}

/**
 * Scrolls the page to the locked cell that its link names, if that is out of sight, once it is drawn.
 * @param {Instance} instance @param {number} [tries]
 */
function land(instance, tries = LANDINGS) {
  const { element, store } = instance,
    { layout, locked, presenting, isReady } = store;
  if (!locked || presenting || !element.isConnected) return;
  if (!layout || !isReady) {
    if (tries > 1) setTimeout(() => land(instance, tries - 1), LANDS);
    return;
  }
  const box = layout.boxes.at(-1),
    { top } = within(element, ".figure > canvas").getBoundingClientRect(),
    y = top + box.y + (store.rest.row - box.top + 0.5) * box.cellHeight;
  if (y < EDGE || y > innerHeight - EDGE) within(document, '[data-testid="stMain"]').scrollBy(0, y - innerHeight / 2);
}

/** Lands on the steps of the machine, once now and once when all of it is there. @param {Instance} instance */
function landOpened(instance) {
  for (const after of [0, LANDS]) setTimeout(() => landOnSteps(instance), after);
}

/**
 * Scrolls the page so that the opened machine begins at the top of the screen, with its steps and its words.
 * @param {Instance} instance
 */
function landOnSteps({ element, store }) {
  if (!store.machine || store.presenting || !element.isConnected) return;
  const steps = within(element, ".stepper");
  steps.style.position = "static"; // where it sticks it seems to be at the top already
  steps.scrollIntoView({ block: "start" });
  steps.style.position = "";
}

/**
 * Whether moves are reported; for the address alone, those in the first view are not.
 * @param {PageView} view
 */
const areReported = ({ chosen, isReported, instance: { store } }) =>
  isReported && (store.machine || store.presenting || chosen.follow);

/**
 * The selection of the server; null if the reader has moved since the last move that the server knows of.
 * @param {Store} store @param {Chosen} chosen
 */
function reportedSelection(store, { moves, selection }) {
  if (moves < store.moves) return null;
  store.moves = moves;
  return selection;
}

/**
 * The fields of the server's selection that a link or a control of the page has just set.
 * @param {PageView} view
 * @returns {SelectionState | null}
 */
function namedSelection({ arrival, chosen: { arrival: now, names, selection } }) {
  if (arrival === undefined) return selection;
  if (arrival === now) return null;
  return Object.fromEntries(names.map((name) => FIELDS[name]).map((name) => [name, selection[name]]));
}

/**
 * Sets the trace; if it lacks the current step, its first step is shown.
 * @param {Instance} instance @param {Trace} trace @param {SelectionState | null} selection @param {string} first
 */
function bring(instance, trace, selection, first) {
  const { store } = instance,
    stage = selection?.stage ?? store.stage;
  instance.show(trace, trace.stage(stage) ? selection : { ...selection, stage: first });
}

/**
 * Reports the selection to the server, or asks for the numbers that are missing. The address has a reported selection
 * at once, however long the server takes; in a host page only the server can write it.
 * @param {PageView} view
 */
function send(view) {
  const { chosen, isFramed, setTriggerValue } = view,
    { store, selection } = view.instance;
  if (store.playing && store.isHere) return;
  const before = new URLSearchParams(location.search),
    isMoved = areReported(view) || (view.isReported && before.has("present")); // it was presenting until now
  if (isMoved ? store.moves <= store.reportedMoves : store.isHere) return;
  const stage = before.get("stage") ?? chosen.selection.stage,
    head = Number(before.get("head") ?? chosen.selection.head + 1) - 1,
    isOther = store.head !== head, // of which the page has figures: its entry is the server's, so that Back reruns it
    address = isMoved && !isFramed && !isOther ? writeAddress(store, store.stage !== stage).slice(1) : null;
  setTriggerValue("rest", { ...selection, moves: store.moves, framed: isFramed, address });
}

/**
 * Requests a file of the page from the server, at the current selection.
 * @param {PageView} view @param {string} format @param {Record<string, unknown>} more
 * @returns {Promise<MadeFile>}
 */
function asked(view, format, more) {
  return new Promise((done) => {
    view.wanted = { format, more, done };
    ask(view, view.wanted);
  });
}

/** @param {PageView} view @param {{ format: string, more: Record<string, unknown> }} wanted */
function ask({ instance: { store, selection }, setTriggerValue }, { format, more }) {
  const query = String(new URLSearchParams(paramsOf(store))),
    { stage, head, positions } = selection;
  setTriggerValue("file", { format, ...more, address: location.href, query, stage, head, positions });
}

/** @param {MouseEvent} event */
function through(event) {
  const link = around(event, TERM_LINK);
  if (link instanceof HTMLAnchorElement) followInApp(event, link);
}

/**
 * Sets attributes on the document for the style sheet of the page.
 * @param {{ presenting?: boolean, resultHidden?: boolean, hover?: Hover | null, machine?: boolean }} given
 */
function mark({ presenting = false, resultHidden = false, hover = null, machine = false }) {
  const marks = { presenting, "result-hidden": resultHidden, pointing: Boolean(hover), machine };
  for (const [name, is] of Object.entries(marks)) document.documentElement.toggleAttribute(`data-${name}`, is);
}
