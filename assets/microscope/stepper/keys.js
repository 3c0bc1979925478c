import { scrolledTo } from "../figure/layout.js";
import { all, isModified } from "../../shared/dom.js";
import { isForControl } from "./key_guard.js";

/** @type {Record<string, number[]>} */
const WALKS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FAR = 10,
  HEADS = /^[1-9]$/;

/** @type {Record<string, (view: View) => unknown>} What a key does; false where it has nothing to do. */
const KEYS = {
  " ": ({ player }) => player.toggle(),
  p: ({ store }) => store.present(!store.presenting),
  h: ({ store }) => store.toggleResult(),
  "+": ({ zoom }) => zoom(0.6),
  "=": ({ zoom }) => zoom(0.6),
  "-": ({ zoom }) => zoom(1 / 0.6),
  0: ({ zoom }) => zoom(Infinity),
  ArrowLeft: ({ store }) => store.step(0),
  ArrowRight: ({ store }) => store.step(1),
  PageUp: ({ store }) => store.locked && store.step(0),
  PageDown: ({ store }) => store.locked && store.step(1),
  Backspace: ({ store }) => store.trail.length > 0 && store.goBackTo(store.trail.length - 1),
  Escape: ({ store }) => (store.locked ? store.move({ locked: false }) : store.presenting && store.present(false)),
  Enter: enter,
};

/**
 * Keyboard shortcuts, wherever `view.keys` listens; fields and buttons keep their keys.
 * @param {View} view
 */
export function listenToKeys(view) {
  /** @param {KeyboardEvent} event */
  const listener = (event) => {
    if (isModified(event) || !view.isActive() || !view.store.isReady || isForControl(event)) return;
    if (pressed(view, event)) event.preventDefault();
  };
  view.keys.addEventListener("keydown", listener);
  return () => view.keys.removeEventListener("keydown", listener);
}

/**
 * Whether the microscope has handled a key.
 * @param {View} view @param {KeyboardEvent} event
 */
function pressed(view, { key, shiftKey }) {
  const { store } = view,
    name = key.length === 1 ? key.toLowerCase() : key;
  if (store.locked && name in WALKS) walk(view, WALKS[name], shiftKey ? FAR : 1);
  else if (HEADS.test(name)) chooseHead(store, Number(name) - 1);
  else return name in KEYS && KEYS[name](view) !== false;
  return true;
}

/** @param {Store} store @param {number} head */
function chooseHead(store, head) {
  if (head < store.trace.headsOf(store.stage)) store.move({ head });
}

/**
 * Locks the cell; with a locked cell moves the focus to the first link of its sum.
 * @param {View} view
 */
function enter({ store, sum }) {
  if (store.locked) all(sum, ".link")[0]?.focus();
  else store.move({ locked: true });
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
