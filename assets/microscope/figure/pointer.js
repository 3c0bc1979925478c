import { hit, isZoomed, panned, zoomed } from "./layout.js";
import { indexAt } from "./look.js";

const DRAGGED = 4; // pixels, from which on a press is no click
const LARGE = 16; // rows or columns, from which on there is something to zoom into

/**
 * The state when the pointer was pressed.
 * @typedef {{
 *   x: number, y: number, spot: Hit | null, windows: Windows, layout: Layout | undefined, dragged: boolean,
 * }} Press
 */

/**
 * The pointer opens cells, locks them, follows them, and moves about in what is zoomed.
 * @param {View} view
 */
export function listenToPointer(view) {
  const { canvas, store } = view;
  /** @type {Press | null} */
  let pressed = null;
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) document.addEventListener(kind, remember);
  /** @param {MouseEvent} event */
  const under = (event) => {
    const box = canvas.getBoundingClientRect();
    return view.layout && store.isHere ? hit(view.layout, event.clientX - box.left, event.clientY - box.top) : null;
  };
  canvas.onpointermove = (event) => {
    if (pressed && drag(view, pressed, event)) return;
    if (event.pointerType === "mouse" && isMoved(event)) store.point(under(event));
  };
  canvas.onpointerdown = (event) => {
    pressed = {
      x: event.clientX,
      y: event.clientY,
      spot: under(event),
      windows: view.windows,
      layout: view.layout,
      dragged: false,
    };
    view.tapped = event.pointerType === "touch";
    view.player.pause();
  };
  canvas.onpointerup = () => setTimeout(() => (pressed = null));
  canvas.onpointerleave = canvas.onpointercancel = () => {
    pressed = null;
    store.point(null);
  };
  // A click is reported at a whole pixel, which may lie in the cell beside the one pressed.
  canvas.onclick = (event) => !pressed?.dragged && press(store, pressed?.spot ?? under(event));
  canvas.addEventListener("wheel", (event) => wheel(view, event, under(event)), { passive: false });
}

/** Where the pointer was last on the screen. */
const last = { x: NaN, y: NaN };

/** @param {PointerEvent} event */
function remember({ screenX, screenY }) {
  Object.assign(last, { x: screenX, y: screenY });
}

/**
 * Whether the pointer itself has moved: a browser also reports what has come under a resting one.
 * @param {PointerEvent} event
 */
export const isMoved = ({ screenX, screenY }) => screenX !== last.x || screenY !== last.y;

/**
 * Pans a zoomed plane.
 * @param {View} view @param {Press} pressed @param {PointerEvent} event
 */
function drag(view, pressed, event) {
  const { spot, layout } = pressed,
    right = event.clientX - pressed.x,
    down = event.clientY - pressed.y;
  if (!spot || !layout || !isZoomed(layout) || (!pressed.dragged && Math.hypot(right, down) < DRAGGED)) return false;
  const box = layout.boxes[spot.plane];
  pressed.dragged = true;
  view.windows = panned(pressed.windows, box, -Math.round(down / box.cellHeight), -Math.round(right / box.cellWidth));
  view.changed("size");
  return true;
}

/**
 * Turning the wheel scrolls the page, as everywhere; with Ctrl, or by pinching, it zooms.
 * @param {View} view @param {WheelEvent} event @param {Hit | null} spot
 */
function wheel(view, event, spot) {
  if (!event.ctrlKey || !spot || !view.layout || !isLarge(view.store)) return;
  event.preventDefault();
  view.windows = zoomed(view.windows, view.layout.boxes[spot.plane], spot, event.deltaY > 0 ? 1.25 : 0.8);
  view.changed("size");
}

/**
 * A click locks a cell of the result, or goes to where an operand's cell was made.
 * @param {Store} store @param {Hit | null} spot
 */
function press(store, spot) {
  if (!spot) return;
  const { trace, stage, locked } = store,
    drawing = trace.drawing(stage),
    plane = drawing.planes[spot.plane];
  if (spot.plane < drawing.planes.length - 1) {
    store.follow({ stage: plane.stage, index: indexAt(trace, plane, store.pointed(), spot.row, spot.column) });
    return;
  }
  const [row, column] = store.drawnRoles(stage),
    { rest } = store;
  const same = locked && rest.row === spot.row && rest.column === spot.column;
  store.move({
    locked: !same,
    positions: { ...(row && { [row]: spot.row }), ...(column && { [column]: spot.column }) },
  });
}

/** @param {Store} store */
export function isLarge(store) {
  return store.trace
    .drawing(store.stage)
    ?.planes.some(({ rows, columns }) => Math.max(rows.size, columns.size) > LARGE);
}
