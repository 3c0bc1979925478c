import { make } from "../../shared/dom.js";
import { mount } from "../mount.js";
import { resting } from "./resting.js";
import { sceneOf } from "../engine/scene_version.js";
import { followHostTheme } from "./host_theme.js";
import { Trace } from "../engine/trace.js";

/**
 * The traits that the anywidget shares with Python.
 * @typedef {{
 *   _style: string, _scene: DataView<ArrayBuffer>, place: Place, _asked: { stage: string, head: number },
 * }} Shared
 * @typedef {{
 *   get<Name extends keyof Shared>(name: Name): Shared[Name],
 *   set<Name extends keyof Shared>(name: Name, value: Shared[Name]): void,
 *   save_changes(): void,
 *   on(event: string, listener: () => void): void,
 *   off(event: string, listener: () => void): void,
 * }} Model
 * @typedef {{ model: Model, instance: Instance }} Shown
 */

/** The microscope in a notebook, as anywidget shows it: in a shadow root, so that no style gets out. */
export default {
  /** @param {{ model: Model, el: HTMLElement }} given */
  render({ model, el }) {
    const host = el.appendChild(make("div")),
      root = host.attachShadow({ mode: "open" });
    root.append(make("style", "", model.get("_style")));
    const instance = mount(root, { keys: host, hints: false }),
      /** @type {Shown} */
      view = { model, instance };
    const stops = [listen(view), hear(view)];
    keepKeys(host);
    instance.show(traceOf(model), model.get("place"));
    stops.push(followHostTheme(host));
    return () => {
      stops.forEach((stop) => stop());
      instance.destroy();
      host.remove();
    };
  },
};

/**
 * Sends the place to Python after a pause, and requests missing numbers at once.
 * @param {Shown} view
 */
function listen(view) {
  const { store, on } = view.instance,
    said = resting(() => say(view)),
    rest = () => said.rest(store.isHere ? undefined : 0);
  const stops = [said.stop, on("trace", rest), on("place", rest), on("play", rest)];
  return () => stops.forEach((stop) => stop());
}

/** @param {Shown} view */
function say({ model, instance }) {
  const { store } = instance;
  if (store.playing && store.isHere) return;
  const place = placeOf(instance);
  if (!isSame(place, model.get("place"))) model.set("place", place);
  if (!store.isHere) model.set("_asked", { stage: store.stage, head: store.head });
  model.save_changes();
}

/** @param {Shown} view */
function hear({ model, instance }) {
  const go = () => isSame(placeOf(instance), model.get("place")) || instance.go(model.get("place"));
  const show = () => instance.show(traceOf(model));
  model.on("change:place", go);
  model.on("change:_scene", show);
  return () => {
    model.off("change:place", go);
    model.off("change:_scene", show);
  };
}

/**
 * Whoever clicked has the keys of the microscope, and a key that it has used is nothing to the notebook;
 * JupyterLab, which looks before, is told so by an attribute.
 * @param {HTMLElement} host
 */
function keepKeys(host) {
  /** @param {KeyboardEvent} event */
  const keep = (event) => event.defaultPrevented && event.stopPropagation();
  /** @param {MouseEvent} event */
  const take = (event) => {
    const [target] = event.composedPath();
    if (event.detail && target instanceof Element && target.closest("button")) host.focus({ preventScroll: true });
  };
  host.dataset.lmSuppressShortcuts = "true";
  host.tabIndex = -1;
  host.addEventListener("keydown", keep);
  host.addEventListener("click", take);
}

/** @param {Model} model */
function traceOf(model) {
  const { buffer, byteOffset, byteLength } = model.get("_scene");
  return new Trace(sceneOf(new Uint8Array(buffer, byteOffset, byteLength)));
}

/**
 * The place without presentation mode, which notebooks do not have.
 * @param {Instance} instance
 */
function placeOf({ place: { presenting, ...place } }) {
  return place;
}

/** @param {Place} one @param {Place} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
