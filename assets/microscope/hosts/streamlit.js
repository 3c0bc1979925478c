import { paramsOf } from "./address.js";
import { around, onRemoval, viewOf } from "../../shared/dom.js";
import { unpackHeaded } from "./headed.js";
import { fitBelow, fitSlots } from "./page_slots.js";
import { linked } from "./link.js";
import { mount } from "../mount.js";
import { resting } from "./resting.js";
import { receive } from "./runs.js";
import { sceneOf } from "../engine/scene_version.js";
import { Trace } from "../engine/trace.js";

/**
 * What the server chose. names: of what a link or a control says; arrival: counts how often one said something;
 * file: the page as a file behind the scene, where one was asked for.
 * @typedef {{
 *   name: string, parts: PartName[], follow: boolean, heads: number, moves: number, arrival: number, linked: boolean,
 *   names: string[], place: Required<Place>, file: { bytes: number, size: string },
 * }} Chosen
 *
 * kept: waits for the file, until it has come. arrival: of the last time.
 * @typedef {{
 *   instance: Instance, chosen: Chosen, isTold: boolean, isFramed: boolean, link: ReturnType<typeof linked> | null,
 *   rest(): void, destroy(): void, setTriggerValue: ComponentArgs<Uint8Array>["setTriggerValue"],
 *   arrival?: number, kept?: (file: Awaited<ReturnType<KeptPage>>) => void,
 * }} PageView
 */

const DOOR = ".terms a";
/** @type {Record<string, keyof Place>} */
const PLACES = {
  stage: "stage",
  head: "head",
  row: "places",
  column: "places",
  channel: "places",
  lock: "locked",
  present: "presenting",
  below: "sheet",
};

/**
 * The microscope on a page of the app. It is given no data: the component `run` beside it hands over what each run sends.
 *
 * The server is asked where numbers are missing. It is told of every place where cards of its own
 * follow the place (`follow`), or where a host shows the address, which then only the server can
 * write.
 * @param {ComponentArgs<null>} args
 */
export default function ({ parentElement }) {
  const page = viewOf(parentElement, () => begin(parentElement));
  return onRemoval(parentElement, page.destroy);
}

/** @param {Ground} parentElement */
function begin(parentElement) {
  /** @type {PageView | null} */
  let view = null;
  const deaf = receive(parentElement, ({ data, setTriggerValue }) => {
    const { header: chosen, scene: sent } = unpackHeaded(data);
    view ??= build(parentElement, chosen, setTriggerValue);
    Object.assign(view, { chosen, setTriggerValue });
    view.instance.store.heads = chosen.heads;
    show(view, sent.subarray(0, sent.length - chosen.file.bytes));
    if (chosen.file.bytes) {
      view.kept?.({ bytes: sent.slice(-chosen.file.bytes), size: chosen.file.size });
      view.kept = undefined;
    } else if (view.kept) ask(view); // the run that had it was overtaken by this one before it was shown
    view.rest();
  });
  const destroy = () => {
    deaf();
    view?.destroy();
  };
  return { destroy };
}

/** @param {Ground} parentElement @param {Chosen} chosen @param {PageView["setTriggerValue"]} setTriggerValue */
function build(parentElement, chosen, setTriggerValue) {
  const { name, parts, follow } = chosen,
    isFramed = window.parent !== window,
    isTold = follow || isFramed;
  const instance = mount(parentElement, { name, parts, page: () => asked(view) }),
    { store } = instance;
  const said = resting(() => say(view)),
    rest = () => said.rest(store.isHere ? undefined : 0);
  const link = isTold ? null : linked(instance),
    marks = () => mark(store);
  const stops = [
    instance.on("place", rest),
    instance.on("play", rest),
    fitSlots(instance.element),
    fitBelow(),
    instance.on("place", marks),
    instance.on("hover", marks),
    instance.on("play", marks),
  ];
  instance.element.addEventListener("click", through);
  const destroy = () => {
    said.stop();
    link?.stop();
    stops.forEach((stop) => stop());
    instance.destroy();
    mark({});
  };
  /** @type {PageView} */
  const view = { instance, chosen, isTold, isFramed, link, rest, destroy, setTriggerValue };
  return view;
}

/** @param {PageView} view @param {Uint8Array<ArrayBuffer>} scene */
function show(view, scene) {
  const { instance, chosen, link } = view,
    { store } = instance,
    id = new DataView(scene.buffer, scene.byteOffset, 4).getUint32(0, true);
  store.told = chosen.moves;
  const place = view.isTold ? toldPlace(store, chosen) : namedPlace(view);
  if (store.trace?.id !== id) bring(instance, new Trace(sceneOf(scene)), place, chosen.place.stage);
  else if (place) instance.go(place);
  link?.adopt(
    view.arrival !== undefined || chosen.linked,
    view.arrival !== undefined && view.arrival !== chosen.arrival,
  );
  view.arrival = chosen.arrival;
}

/**
 * The server counts the moves that it was told of; one that it does not know of yet is the reader's
 * latest word.
 * @param {Store} store @param {Chosen} chosen
 */
function toldPlace(store, { moves, place }) {
  if (moves < store.moves) return null;
  store.moves = moves;
  return place;
}

/**
 * Of what the server chose, what a link or a control of the page has just said.
 * @param {PageView} view
 * @returns {Place | null}
 */
function namedPlace({ arrival, chosen: { arrival: now, names, place } }) {
  if (arrival === undefined) return place;
  if (arrival === now) return null;
  return Object.fromEntries(names.map((name) => PLACES[name]).map((name) => [name, place[name]]));
}

/**
 * Sets the trace; if it lacks the current step, its first step is shown.
 * @param {Instance} instance @param {Trace} trace @param {Place | null} place @param {string} first
 */
function bring(instance, trace, place, first) {
  const { store } = instance,
    stage = place?.stage ?? store.stage;
  instance.show(trace, trace.stage(stage) ? place : { ...place, stage: first });
}

/** @param {PageView} view */
function say({ instance: { store, place }, isTold, isFramed, setTriggerValue }) {
  if (store.playing && store.isHere) return;
  if (isTold ? store.moves > store.told : !store.isHere)
    setTriggerValue("rest", { ...place, moves: store.moves, framed: isFramed });
}

/**
 * Requests the page as a file from the server, at the current place.
 * @param {PageView} view
 * @returns {ReturnType<KeptPage>}
 */
function asked(view) {
  ask(view);
  return new Promise((done) => (view.kept = done));
}

/** @param {PageView} view */
function ask({ instance, setTriggerValue }) {
  const place = String(new URLSearchParams(paramsOf(instance.store)));
  setTriggerValue("file", { address: location.href, place });
}

/**
 * Follows a link to another page of the app without a reload, as Back does.
 * @param {MouseEvent} event
 */
function through(event) {
  const door = around(event, "a");
  if (!(door instanceof HTMLAnchorElement) || !door.matches(DOOR) || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  history.pushState({}, "", door.href);
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * Sets attributes on the document for the style sheet of the page.
 * @param {{ presenting?: boolean, resultHidden?: boolean, hover?: Hover | null }} given
 */
function mark({ presenting = false, resultHidden = false, hover = null }) {
  const marks = { presenting, "result-hidden": resultHidden, pointing: Boolean(hover) };
  for (const [name, is] of Object.entries(marks)) document.documentElement.toggleAttribute(`data-${name}`, is);
}
