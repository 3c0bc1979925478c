import { followStore } from "../microscope/hosts/connect.js";
import { css } from "../microscope/theme.js";
import { effect, make, toMicroscope, viewOf, within } from "../shared/dom.js";
import { floats } from "../shared/base64.js";
import { along, gradient } from "../shared/scale.js";
import { followed, isSeen, lookedAt, shownOf } from "./attended_patch.js";
import { colourOf } from "./overlay.js";
import { draw } from "./photo.js";
import { listen, outline, point } from "./pointing.js";

/** @import { Picture, Sent, Shown } from "./attended_patch.js" */

/**
 * @typedef {{
 *   root: HTMLElement, frame: HTMLElement, canvas: HTMLCanvasElement, title: HTMLElement, ways: HTMLElement,
 *   sent: Sent, data: Shown, store: Store | null, at: number | null, photo: HTMLImageElement | null, source: string,
 *   waiting: number,
 * }} View
 */

const MANY = 400,
  PAUSE = 60; // patches; ms
const BAR_STOPS = 13;

/** @param {ComponentArgs<Picture>} args */
export default function ({ data, parentElement, setTriggerValue }) {
  const weights = data.weights === null ? null : floats(data.weights),
    rows = data.rows ? floats(data.rows) : null,
    sent = { ...data, weights, rows };
  const view = viewOf(parentElement, () => build(parentElement, sent));
  view.sent = sent;
  const cleanup = effect(parentElement, () => followStore(view, () => soon(view)));
  show(view);
  listen(view, (patch) => data.choosable && choose(view, patch, setTriggerValue));
  return cleanup;
}

/**
 * Many patches are lit once the pointer pauses, so that pointing itself stays within a frame.
 * @param {View} view
 */
function soon(view) {
  const [rows, columns] = view.sent.grid;
  clearTimeout(view.waiting);
  if (rows * columns <= MANY) show(view);
  else view.waiting = setTimeout(() => show(view), PAUSE);
}

/**
 * What the microscope looks at, and without one what the server sent.
 * @param {View} view
 */
function show(view) {
  const before = view.data,
    store = followed(view);
  view.data = shownOf(view.sent, store ? lookedAt(store, view.sent) : {});
  if (before.chosen !== view.data.chosen || String(before.grid) !== String(view.data.grid)) view.at = null;
  words(view);
  load(view, before);
  lend(view);
}

/**
 * The microscope writes patches beside their numbers.
 * @param {View} view
 */
function lend({ photo, source, sent, store }) {
  if (!sent.lends || !store || !photo || source !== photo.src || !isSeen(store, sent) || store.trace.photo) return;
  store.trace.photo = { image: photo, grid: sent.grid };
  store.notify("photo");
}

/**
 * Whether nothing but the outlines differs.
 * @param {Shown} before @param {Shown} now
 */
function isAlike(before, { grid, size, weights, largest, root }) {
  if (String(before.grid) !== String(grid) || String(before.size) !== String(size)) return false;
  if (before.largest !== largest || before.root !== root || before.weights?.length !== weights?.length) return false;
  return !weights || weights.every((weight, i) => weight === before.weights?.[i]);
}

/**
 * Where the microscope has no step that a patch could be a row of, the server opens one.
 * @param {View} view @param {number} patch @param {ComponentArgs<Picture>["setTriggerValue"]} setTriggerValue
 */
function choose({ store, sent }, patch, setTriggerValue) {
  if (store && isSeen(store, sent) && !sent.asks) store.move({ positions: { patch } });
  else {
    setTriggerValue("choose", patch);
    if (sent.opens) toMicroscope();
  }
}

/** @param {Ground} parentElement @param {Sent} sent @returns {View} */
function build(parentElement, sent) {
  const root = parentElement.appendChild(make("section")),
    canvas = make("canvas"),
    title = make("h2"),
    ways = make("div", "ways");
  root.innerHTML = `<div class="photo" tabindex="0" role="slider"><i class="chosen"></i><i class="attended"></i><i class="cursor"></i></div>
    <div class="below"><p class="spot" aria-live="polite"><b></b><b class="key"></b><span></span><em></em></p>
    <div class="bar"><small>0</small><div><i></i></div><small></small></div></div><p class="caption"></p>`;
  const frame = within(root, ".photo");
  root.prepend(title);
  root.append(ways);
  frame.prepend(canvas);
  const data = shownOf(sent, {}),
    none = { store: null, at: null, photo: null, source: "", waiting: 0 };
  /** @type {View} */
  const view = { root, frame, canvas, title, ways, sent, data, ...none };
  new ResizeObserver(() => redraw(view)).observe(frame);
  document.fonts.ready.then(() => redraw(view));
  return view;
}

/** @param {View} view */
function redraw({ canvas, photo, frame, data: { grid, size, weights, largest, root, stops } }) {
  draw({ canvas, photo, frame, grid, size, lit: weights && { weights, largest, root, stops } });
}

/** @param {View} view @param {Shown} before */
function load(view, before) {
  if (view.source === view.data.photo) return isAlike(before, view.data) ? undefined : redraw(view);
  view.source = view.data.photo;
  const photo = new Image();
  photo.onload = () => {
    if (view.source !== photo.src) return;
    view.photo = photo;
    redraw(view);
    lend(view);
  };
  photo.src = view.source;
}

/** @param {View} view */
function words(view) {
  const { data, root, frame, title } = view;
  frame.classList.toggle("choosable", data.choosable);
  title.textContent = data.titled ? data.label : "";
  title.hidden = !data.titled;
  waysFrom(view);
  frame.ariaValueMin = "1";
  frame.ariaValueMax = String(data.grid[0] * data.grid[1]);
  const caption = within(root, ".caption");
  caption.textContent = data.caption;
  caption.hidden = !data.caption;
  within(root, ".bar").hidden = !data.weights;
  within(root, ".bar small:last-child").textContent = data.printed;
  within(root, ".bar div").style.background = gradient(BAR_STOPS, (part) =>
    css(colourOf(data.stops, along(data, data.largest * part))),
  );
  outline(view, ".chosen", data.chosen);
  outline(view, ".attended", data.attended);
  frame.classList.toggle("whole", data.chosen < 0);
  point(view, view.at);
}

/**
 * A button for each token in front of the patches, to look from it.
 * @param {View} view
 */
function waysFrom(view) {
  const { data, ways } = view,
    names = data.from_cls ? data.specials : [];
  if (ways.children.length !== names.length)
    ways.replaceChildren(
      ...names.map((_, query) => {
        const onclick = () => view.store?.isReady && view.store.move({ positions: { query } });
        return make("button", "", "", { onclick });
      }),
    );
  ways.hidden = !names.length;
  ways.querySelectorAll("button").forEach((button, i) => {
    button.ariaLabel = data.from_cls.replace(names[0], names[i]);
    button.textContent = i ? names[i] : data.from_cls;
    button.disabled = data.from === i - names.length;
  });
}
