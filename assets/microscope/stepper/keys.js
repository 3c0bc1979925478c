import { scrolledTo } from "../figure/layout.js";
import { all, isModified } from "../../shared/dom.js";
import { isForControl, isTyped } from "./key_guard.js";

/** @type {Record<string, number[]>} */
const WALKS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FAR = 10,
  AT_FIRST_VIEW = ["PageDown", "ArrowRight", "p", "h", "Escape"], // what is done there in presentation mode
  CLICKER = ["PageUp", "PageDown", "Home", "End"], // its keys step whatever has the focus
  HEADS = /^[1-9]$/;

/**
 * The keys of the figure; those of another part stand in that part's `keys`.
 * @param {View} view
 * @returns {Keys}
 */
export const figureKeys = ({ store, player, zoom, sum }) => ({
  " ": () => player.toggle(),
  p: () => store.present(!store.presenting),
  h: () => store.toggleResult(),
  "+": () => zoom(0.6),
  "=": () => zoom(0.6),
  "-": () => zoom(1 / 0.6),
  0: () => zoom(Infinity),
  ArrowLeft: () => store.step(0),
  ArrowRight: () => store.step(1),
  PageUp: () => (store.locked || store.presenting) && store.step(0),
  PageDown: () => (store.locked || store.presenting) && store.step(1),
  Home: () => store.presenting && store.move({ stage: store.steps[0] }),
  End: () => store.presenting && store.move({ stage: store.steps.at(-1) }),
  Backspace: () => store.trail.length > 0 && store.goBackTo(store.trail.length - 1),
  Escape: () =>
    store.locked && store.showsMachine ? store.move({ locked: false }) : store.presenting && store.present(false),
  // With a locked cell the focus moves to the first link of its sum.
  Enter: () => (store.locked ? all(sum, ".link")[0]?.focus() : store.move({ locked: true })),
});

/**
 * Listens to keyboard shortcuts; fields and buttons keep their keys. Returns a function that stops it.
 * @param {GlobalEventHandlers} target @param {View} view @param {Keys} keys @param {() => boolean} isActive
 */
export function listenToKeys(target, view, keys, isActive) {
  /** @param {KeyboardEvent} event */
  const listener = (event) => {
    const isClicked = view.store.presenting && CLICKER.includes(event.key) && !isTyped(event);
    if (isModified(event) || !isActive() || !view.store.isReady || (isForControl(event) && !isClicked)) return;
    if (pressed(view, keys, event)) event.preventDefault();
  };
  target.addEventListener("keydown", listener);
  return () => target.removeEventListener("keydown", listener);
}

/**
 * Whether the microscope has handled a key.
 * @param {View} view @param {Keys} keys @param {KeyboardEvent} event
 */
function pressed(view, keys, { key, shiftKey }) {
  const { store } = view,
    name = key.length === 1 ? key.toLowerCase() : key;
  if (!store.showsMachine && !AT_FIRST_VIEW.includes(name)) return false;
  if (store.locked && name in WALKS) walk(view, WALKS[name], shiftKey ? FAR : 1);
  else if (HEADS.test(name)) chooseHead(store, Number(name) - 1);
  else return name in keys && keys[name]() !== false;
  return true;
}

/** @param {Store} store @param {number} head */
function chooseHead(store, head) {
  if (head < store.trace.headsOf(store.stage)) store.move({ head });
}

/** @param {View} view @param {number[]} given @param {number} times */
function walk(view, [down, right], times) {
  const { store } = view,
    [rowRole, columnRole] = store.drawnRoles(store.stage),
    { row, column } = store.rest,
    { planes } = store.trace.drawing(store.stage);
  /** @param {number} at @param {number} size */
  const within = (at, size) => Math.max(0, Math.min(size - 1, at));
  const spot = {
    row: within(row + down * times, planes.at(-1).rows.size),
    column: within(column + right * times, planes.at(-1).columns.size),
  };
  if (view.layout) view.windows = scrolledTo(view.windows, view.layout.boxes.at(-1), spot);
  store.move({
    positions: { ...(rowRole && { [rowRole]: spot.row }), ...(columnRole && { [columnRole]: spot.column }) },
  });
}
