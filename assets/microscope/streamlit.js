import { paramsOf } from "./address.js";
import { taken } from "./headed.js";
import { fitHoles } from "./holes.js";
import { linked } from "./link.js";
import { mount } from "./mount.js";
import { sceneOf } from "./scene_version.js";
import { Trace } from "./trace.js";

const REST = 300; // ms without a move, after which the server is told
const DOOR = ".terms a";
const PLACES = { row: "places", column: "places", lock: "locked", present: "presenting", below: "sheet" };

/**
 * The microscope on a page of the app. data: a header with what the server chose, then the scene.
 *
 * The server is asked where numbers are missing. It is told of every place where cards of its own
 * follow the place (`follow`), or where a host shows the address, which then only the server can
 * write.
 * @param {Given_} given
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const { header: chosen, scene: sent } = taken(data),
    view = (parentElement.view ??= build(parentElement, chosen));
  Object.assign(view, { chosen, setTriggerValue });
  view.instance.store.heads = chosen.heads;
  show(view, sent.subarray(0, sent.length - chosen.file.bytes));
  if (chosen.file.bytes) view.kept?.({ bytes: sent.slice(-chosen.file.bytes), size: chosen.file.size });
  view.rest();
  return () => setTimeout(() => parentElement.isConnected || view.destroy());
}

/** @param {Parent} parentElement @param {Chosen} chosen */
function build(parentElement, { name, parts, follow }) {
  const view = { isFramed: window.parent !== window },
    page = () => asked(view);
  const instance = mount(parentElement, { name, parts, page }),
    { store } = instance;
  Object.assign(view, { instance, isTold: follow || view.isFramed });
  let timer = 0;
  view.rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(view), store.isHere ? REST : 0);
  };
  if (!view.isTold) view.link = linked(instance);
  const stops = [instance.on("place", view.rest), instance.on("play", view.rest), fitHoles(instance.element)];
  const marks = () => mark(store);
  for (const event of ["place", "hover", "play"]) stops.push(instance.on(event, marks));
  instance.element.addEventListener("click", through);
  view.destroy = () => {
    clearTimeout(timer);
    view.link?.stop();
    stops.forEach((stop) => stop());
    instance.destroy();
    mark({});
  };
  return view;
}

/** @param {PageView} view @param {Uint8Array} scene */
function show(view, scene) {
  const {
      instance: { store },
      instance,
      chosen,
      link,
    } = view,
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
 * @param {PageView} pageView
 */
function namedPlace({ arrival, chosen: { arrival: now, names, place } }) {
  if (arrival === undefined) return place;
  if (arrival === now) return null;
  return Object.fromEntries(names.map((name) => [PLACES[name] ?? name, place[PLACES[name] ?? name]]));
}

/**
 * A trace without the step that was looked at is shown from where it begins.
 * @param {Instance} instance @param {Trace} trace @param {Place | null} place @param {string} first
 */
function bring(instance, trace, place, first) {
  const { store } = instance,
    stage = place?.stage ?? store.stage;
  instance.show(trace, trace.stage(stage) ? place : { ...place, stage: first });
}

/** @param {PageView} pageView */
function say({ instance: { store, place }, chosen, isTold, isFramed, setTriggerValue }) {
  if (store.playing && store.isHere) return;
  if (isTold ? store.moves > store.told : !store.isHere)
    setTriggerValue("rest", { ...place, moves: store.moves, framed: isFramed });
}

/**
 * The file of this page, as the server makes it: at the place that is looked at.
 * @param {PageView} view
 */
function asked(view) {
  const params = Object.entries(paramsOf(view.instance.store)).filter(([, text]) => text !== null);
  view.setTriggerValue("file", { address: location.href, place: String(new URLSearchParams(params)) });
  return new Promise((done) => (view.kept = done));
}

/**
 * A way to another page of the app costs no reload: Streamlit is told as by Back.
 * @param {MouseEvent} event
 */
function through(event) {
  const door = event.target.closest(DOOR);
  if (!door || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({}, "", door.href);
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * What stands around the microscope follows by its style sheet.
 * @param {{ presenting?: boolean, hiding?: boolean, hover?: Hover | null }} given
 */
function mark({ presenting = false, hiding = false, hover = null }) {
  const marks = { presenting, hiding, pointing: Boolean(hover) };
  for (const [name, is] of Object.entries(marks)) document.documentElement.toggleAttribute(`data-${name}`, is);
}
