import { scrolledTo } from "./layout.js";
import { isForControl } from "./key_guard.js";

/** @type {Record<string, number[]>} */
const WALKS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FAR = 10;

/**
 * Keyboard shortcuts, on the whole page where it is ours; fields and buttons keep their keys.
 * @param {View} view
 */
export function listenToKeys(view) {
  /** @param {KeyboardEvent} event */
  const listener = (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !view.isActive() ||
      !view.store.isReady ||
      isForControl(event)
    )
      return;
    if (pressed(view, event)) event.preventDefault();
  };
  view.keys.addEventListener("keydown", listener);
  return () => view.keys.removeEventListener("keydown", listener);
}

/** @param {View} view @param {KeyboardEvent} event */
function pressed(view, event) {
  const { store } = view,
    {
      locked,
      trail,
      neighbours: [before, after],
    } = store;
  /** @param {string | null} key */
  const step = (key) => key && store.move({ stage: key });
  switch (event.key) {
    case "Escape":
      return locked || store.presenting ? (locked ? store.move({ locked: false }) : store.present(false), true) : false;
    case "PageUp":
      return locked && (step(before), true);
    case "PageDown":
      return locked && (step(after), true);
    case "ArrowLeft":
      if (!locked) return (step(before), true);
      break;
    case "ArrowRight":
      if (!locked) return (step(after), true);
      break;
    case "Backspace":
      return trail.length > 0 && (store.goBackTo(trail.length - 1), true);
    case " ":
      return (view.player.toggle(), true);
    case "p":
    case "P":
      return (store.present(!store.presenting), true);
    case "h":
    case "H":
      return (store.toggleResult(), true);
    case "+":
    case "=":
      return (view.zoom(0.6), true);
    case "-":
      return (view.zoom(1 / 0.6), true);
    case "0":
      return (view.zoom(Infinity), true);
    case "Enter":
      return enter(view);
    case "1":
    case "2":
    case "3":
    case "4":
    case "5":
    case "6":
    case "7":
    case "8":
    case "9":
      return chooseHead(store, Number(event.key) - 1);
  }
  return locked && event.key in WALKS ? (walk(view, WALKS[event.key], event.shiftKey ? FAR : 1), true) : false;
}

/** @param {Store} store @param {number} head */
function chooseHead(store, head) {
  if (head < store.trace.headsOf(store.stage)) store.move({ head });
  return true;
}

/**
 * A locked cell's sum can be entered: each of its numbers is a door. An open one is locked.
 * @param {View} view
 */
function enter(view) {
  /** @type {HTMLElement | null} */
  const door = view.sum.querySelector(".door");
  if (!view.store.locked) view.store.move({ locked: true });
  else door?.focus();
  return true;
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
  store.move({ places: { ...(rowRole && { [rowRole]: spot.row }), ...(columnRole && { [columnRole]: spot.column }) } });
}
