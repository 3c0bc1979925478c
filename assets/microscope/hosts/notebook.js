import { make } from "../../shared/dom.js";
import { mount } from "../mount.js";
import { debounced } from "./debounce.js";
import { sceneOf } from "../engine/blob.js";
import { followHostTheme } from "./host_theme.js";
import { Trace } from "../engine/trace.js";

/**
 * The traits that the anywidget shares with Python. selection: that of the widget.
 * @typedef {{ stage?: string, head?: number, positions?: At, locked?: boolean, sheet?: string | null, part?: string }} Trait
 * @typedef {{
 *   _style: string, _scene: DataView<ArrayBuffer>, selection: Trait, _asked: { stage: string, head: number },
 *   _parts: { label: string, paths: [string, string][] },
 * }} Shared
 * @typedef {{
 *   get<Name extends keyof Shared>(name: Name): Shared[Name],
 *   set<Name extends keyof Shared>(name: Name, value: Shared[Name]): void,
 *   save_changes(): void,
 *   on(event: string, listener: () => void): void,
 *   off(event: string, listener: () => void): void,
 * }} Model
 * @typedef {{ model: Model, instance: Instance, part?: string }} Shown part: that of the scene that is shown
 */

/** The microscope in a notebook, as anywidget shows it: in a shadow root, so that no style gets out. */
export default {
  /** @param {{ model: Model, el: HTMLElement }} given */
  render({ model, el }) {
    const host = el.appendChild(make("div")),
      root = host.attachShadow({ mode: "open" });
    root.append(make("style", "", model.get("_style")));
    const choice = root.appendChild(partChoice(model));
    const instance = mount(root, { keys: host, hints: false }),
      /** @type {Shown} */
      view = { model, instance, part: model.get("selection").part };
    const stops = [sendMoves(view), followModel(view, choice)];
    keepKeys(host);
    instance.show(traceOf(model), model.get("selection"));
    stops.push(followHostTheme(host));
    return () => {
      stops.forEach((stop) => stop());
      instance.destroy();
      host.remove();
    };
  },
};

/**
 * Sends the selection to Python after a pause, and requests missing numbers at once.
 * @param {Shown} view
 */
function sendMoves(view) {
  const { store, on } = view.instance,
    { rest, stop } = debounced(() => send(view)),
    changed = () => rest(store.isHere ? undefined : 0);
  const stops = [stop, on("trace", changed), on("selection", changed), on("play", changed)];
  return () => stops.forEach((stop) => stop());
}

/** @param {Shown} view */
function send(view) {
  const { model, instance } = view,
    { store } = instance;
  if ((store.playing && store.isHere) || model.get("selection").part !== view.part) return;
  const selection = traitOf(view);
  if (!isSame(selection, model.get("selection"))) model.set("selection", selection);
  if (!store.isHere) model.set("_asked", { stage: store.stage, head: store.head });
  model.save_changes();
}

/**
 * The choice of a part of a model, such as one of its layers; empty where there is one part.
 * @param {Model} model
 */
function partChoice(model) {
  const { label, paths } = model.get("_parts");
  if (!paths.length) return make("div");
  const options = paths.map(([value, name]) => make("option", "", name, { value }));
  const choice = make("select", "part", options, { ariaLabel: label });
  choice.value = model.get("selection").part ?? "";
  choice.onchange = () => {
    model.set("selection", { ...model.get("selection"), part: choice.value });
    model.save_changes();
  };
  return choice;
}

/**
 * Shows what Python sets: a selection, or another scene, which may be that of another part.
 * @param {Shown} view @param {HTMLElement} choice
 */
function followModel(view, choice) {
  const { model, instance } = view;
  const isOther = () => model.get("selection").part !== view.part;
  const go = () => isOther() || isSame(traitOf(view), model.get("selection")) || instance.go(model.get("selection"));
  const show = () => {
    instance.show(traceOf(model), isOther() ? model.get("selection") : undefined);
    view.part = model.get("selection").part;
    Object.assign(choice, { value: view.part });
  };
  model.on("change:selection", go);
  model.on("change:_scene", show);
  return () => {
    model.off("change:selection", go);
    model.off("change:_scene", show);
  };
}

/**
 * Whoever clicked has the keys of the microscope, and a key that it has used is nothing to the notebook;
 * an attribute does so for JupyterLab, which handles keys before.
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
 * The selection without presentation mode, which notebooks do not have.
 * @param {Shown} view
 * @returns {Trait}
 */
function traitOf({ instance: { selection }, part }) {
  const { stage, head, positions, locked, sheet } = selection;
  return { ...(part === undefined ? {} : { part }), stage, head, positions, locked, sheet };
}

/** @param {Trait} one @param {Trait} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
