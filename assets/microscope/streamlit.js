import { fitHoles } from "./holes.js";
import { mount } from "./mount.js";
import { sceneOf } from "./scene_version.js";
import { Trace } from "./trace.js";

const REST = 300; // ms without a move, after which the server is told

/** The microscope on a page of the app. data: a header with what the server chose, then the scene. */
export default function ({ data, parentElement, setTriggerValue }) {
  const { chosen, scene } = taken(data), view = (parentElement.view ??= build(parentElement, chosen));
  Object.assign(view, { chosen, setTriggerValue });
  show(view, scene);
  view.rest();
  return () => setTimeout(() => parentElement.isConnected || view.destroy());
}

function taken(data) {
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true), start = 8 + size;
  const chosen = JSON.parse(new TextDecoder().decode(data.subarray(8, start)));
  return { chosen, scene: data.subarray(start) };
}

function build(parentElement, { name, parts }) {
  const instance = mount(parentElement, { name, parts }), { store } = instance, view = { instance };
  let timer = 0;
  view.rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(view), store.isHere ? REST : 0);
  };
  const stops = [instance.on("place", view.rest), instance.on("play", view.rest), fitHoles(instance.element)];
  const marks = () => mark(store);
  for (const event of ["place", "hover", "play"]) stops.push(instance.on(event, marks));
  view.destroy = () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
    instance.destroy();
    mark({});
  };
  return view;
}

// The server counts the moves that it was told of; one that it does not know of yet is the reader's
// latest word.
function show({ instance, chosen }, scene) {
  const { store } = instance, id = new DataView(scene.buffer, scene.byteOffset, 4).getUint32(0, true);
  const isNewer = chosen.moves >= store.moves;
  if (isNewer) store.moves = chosen.moves;
  if (store.trace?.id !== id) instance.show(new Trace(sceneOf(scene)), isNewer ? chosen.place : null);
  else if (isNewer) instance.go(chosen.place);
}

function say({ instance: { store, place }, chosen, setTriggerValue }) {
  if (store.moves <= chosen.moves || (store.playing && store.isHere)) return;
  setTriggerValue("rest", { ...place, moves: store.moves });
}

// What stands around the microscope follows by its style sheet.
function mark({ presenting = false, hiding = false, hover = null }) {
  const marks = { presenting, hiding, pointing: Boolean(hover) };
  for (const [name, is] of Object.entries(marks)) document.documentElement.toggleAttribute(`data-${name}`, is);
}
