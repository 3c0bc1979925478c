import { chosenQuery, looking, weightsOf } from "../microscope/attended.js";
import { connect } from "../microscope/connect.js";
import { make, viewOf, within } from "../shared/dom.js";
import { filled } from "../microscope/names.js";
import { plain } from "../microscope/numbers.js";
import { nameOf as tokenOf } from "../vision/query.js";
import { floats } from "../shared/base64.js";
import { along } from "../shared/scale.js";
import { draw, lightOf } from "./photo.js";

/** @import { TokenNames } from "../vision/query.js" */

/**
 * @typedef {[rows: number, columns: number]} Grid
 * @typedef {{
 *   photo: string, checksum: number, size: [width: number, height: number], grid: Grid, label: string,
 *   caption: string, chosen: number | null, weights: string | null, largest: number | null, root: boolean,
 *   printed: string, lends: boolean, live: boolean, choosable: boolean, near: boolean, asks: boolean, from_cls: string,
 *   titled?: boolean, head?: number, names?: TokenNames, specials: string[],
 *   rows?: string | null, tokens?: number | null,
 * }} Picture
 * @typedef {Omit<Picture, "weights" | "rows"> & { weights: Float32Array | null, rows: Float32Array | null }} Sent
 * @typedef {Omit<Sent, "chosen" | "largest"> & {
 *   chosen: number, largest: number, from: number, seen: number | null, ofSpecials?: Float32Array,
 * }} Shown
 * @typedef {{
 *   root: HTMLElement, frame: HTMLElement, canvas: HTMLCanvasElement, title: HTMLElement, back: HTMLButtonElement,
 *   sent: Sent, data: Shown, store: Store | null, at: number | null, photo: HTMLImageElement | null, source: string,
 *   waiting: number, stop(): void,
 * }} View
 */

const CLS = -1; // in place of a patch: the last token in front of the patches; the one before it −2, and so on
const MANY = 400,
  PAUSE = 60; // patches; ms
const BAR_STOPS = 13;
/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @param {ComponentArgs<Picture>} args */
export default function ({ data, parentElement, setTriggerValue }) {
  const weights = data.weights === null ? null : floats(data.weights),
    rows = data.rows ? floats(data.rows) : null,
    sent = { ...data, weights, rows };
  const view = viewOf(parentElement, () => build(parentElement, sent));
  view.sent = sent;
  view.stop();
  view.stop = connect("main", (store) => {
    view.store = store;
    soon(view);
    return store.listen(() => soon(view));
  });
  show(view);
  listen(view, (patch) => data.choosable && choose(view, patch, setTriggerValue));
  return () => view.stop();
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
 * The first token in front of the patches.
 * @param {{ specials: string[] }} sent
 */
const firstOf = ({ specials }) => Math.min(CLS, -specials.length);

/** @param {Sent} sent @param {Partial<Shown>} looked @returns {Shown} */
function shownOf(sent, looked) {
  const from = sent.chosen ?? firstOf(sent),
    shown = { ...sent, largest: sent.largest ?? 0, chosen: from, from, seen: null, ...looked };
  return { ...shown, ...scaleOf(sent, shown), label: titleOf(shown) };
}

/**
 * Where no scale was sent, the light runs to the largest weight of the row itself.
 * @param {Sent} sent @param {Shown} shown @returns {Partial<Shown>}
 */
function scaleOf({ largest }, shown) {
  if (!shown.weights || largest !== null) return {};
  const own = Math.max(...shown.weights);
  return { largest: own, printed: printed(shown, own) };
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
 * Whether the microscope shows the patches of this very photo, by whatever name.
 * @param {Store} store @param {Sent} sent
 */
function isSeen(store, { checksum, grid: [rows, columns] }) {
  if (!store.isReady || !isOfPatches(store)) return false;
  const { trace } = store;
  return trace.photo_checksum === checksum && trace.size("X", "token") - (trace.before ?? 0) === rows * columns;
}

/** @param {Store} store */
const isOfPatches = ({ trace }) => trace.before !== null && Boolean(trace.stage("X"));

/**
 * The microscope that is to be followed: rows that were sent along are of this photo, whatever it is just about to show.
 * @param {View} view
 */
function followed({ store, sent }) {
  if (!store) return null;
  return (sent.rows ? store.isReady && isOfPatches(store) : isSeen(store, sent)) ? store : null;
}

/**
 * A patch is the token that it became; a token without one, such as [CLS], looks from the whole photo.
 * A light that is not of the row looked at stays with the patch that it was sent for.
 * @param {Store} store @param {Sent} sent @returns {Partial<Shown>}
 */
function lookedAt(store, sent) {
  const before = store.trace.before ?? 0,
    { query, key } = looking(store);
  /** @param {number} token */
  const patch = (token) => token - before;
  if (sent.near) return { chosen: store.places.patch ?? sent.chosen ?? CLS };
  const row = rowOf(store, sent, query),
    seen = key === null ? null : patch(key);
  if (sent.weights && !row) return { seen };
  const from = { chosen: patch(query), from: patch(chosenQuery(store)), head: store.head };
  const [ofSpecials, weights] = row
    ? [row.subarray(0, before), row.subarray(before)].map((part) => Float32Array.from(part))
    : [];
  return { ...from, seen, weights: weights ?? null, ofSpecials };
}

/**
 * Of every row of the look, one after another, or of the head that is open in the microscope.
 * @param {Store} store @param {Sent} sent @param {number} query
 */
function rowOf(store, { rows, tokens, live, weights }, query) {
  if (!weights) return null;
  if (!rows || !tokens) return live && store.trace.stage("weights") ? weightsOf(store, query) : null;
  const head = rows.length > tokens ** 2 ? store.head : 0;
  return rows.subarray((head * tokens + query) * tokens, (head * tokens + query + 1) * tokens);
}

/**
 * Who looks, and by which head.
 * @param {Shown} shown
 */
function titleOf({ label, names, from, head = 0 }) {
  return names ? filled(label, { query: tokenOf(names, from + names.specials.length), head: String(head + 1) }) : label;
}

/**
 * Where the microscope has no step that a patch could be a row of, the server opens one.
 * @param {View} view @param {number} patch @param {ComponentArgs<Picture>["setTriggerValue"]} setTriggerValue
 */
function choose({ store, sent }, patch, setTriggerValue) {
  if (store && isSeen(store, sent) && !sent.asks) store.move({ places: { patch } });
  else setTriggerValue("choose", patch);
}

/** @param {Ground} parentElement @param {Sent} sent @returns {View} */
function build(parentElement, sent) {
  const root = parentElement.appendChild(make("section")),
    canvas = make("canvas"),
    title = make("h2"),
    back = make("button", "from-cls");
  root.innerHTML = `<div class="photo" tabindex="0" role="slider"><i class="chosen"></i><i class="seen"></i><i class="cursor"></i></div>
    <div class="below"><p class="spot" aria-live="polite"><b></b><b class="key"></b><span></span><em></em></p>
    <div class="bar"><small>0</small><div><i></i></div><small></small></div></div><p class="caption"></p>`;
  const frame = within(root, ".photo");
  root.prepend(title);
  root.append(back);
  frame.prepend(canvas);
  const data = shownOf(sent, {}),
    none = { store: null, at: null, photo: null, source: "", waiting: 0, stop: () => {} };
  /** @type {View} */
  const view = { root, frame, canvas, title, back, sent, data, ...none };
  new ResizeObserver(() => redraw(view)).observe(frame);
  document.fonts.ready.then(() => redraw(view));
  back.onclick = () => view.store?.isReady && view.store.move({ places: { query: 0 } });
  return view;
}

/** @param {View} view */
function redraw({ canvas, photo, frame, data: { grid, size, weights, largest, root } }) {
  draw({ canvas, photo, frame, grid, size, lit: weights && { weights, largest, root } });
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

/** @param {View} view @param {(patch: number) => void} choose */
function listen(view, choose) {
  const { frame, data } = view,
    [rows, columns] = data.grid;
  /** @param {PointerEvent} event */
  const under = (event) => {
    const box = frame.getBoundingClientRect();
    /** @param {number} part @param {number} count */
    const place = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    return (
      place((event.clientY - box.top) / box.height, rows) * columns +
      place((event.clientX - box.left) / box.width, columns)
    );
  };
  frame.onpointermove = (event) => point(view, under(event));
  frame.onpointerleave = frame.onblur = () => point(view, null);
  frame.onclick = (event) => choose(under(event));
  frame.onkeydown = (event) => {
    const at = view.at ?? Math.max(0, view.data.chosen);
    if (event.key === "Enter" || event.key === " ") choose(at);
    else if (event.key in STEPS) point(view, moved(at, STEPS[event.key], rows, columns));
    else return;
    event.preventDefault();
  };
}

/** @param {number} at @param {[down: number, right: number]} step @param {number} rows @param {number} columns */
function moved(at, [down, right], rows, columns) {
  const row = Math.floor(at / columns) + down,
    column = (at % columns) + right;
  return row < 0 || column < 0 || row >= rows || column >= columns ? at : row * columns + column;
}

/** @param {View} view */
function words(view) {
  const { data, root, frame, title, back } = view;
  frame.classList.toggle("choosable", data.choosable);
  title.textContent = data.titled ? data.label : "";
  title.hidden = !data.titled;
  back.textContent = data.from_cls;
  back.hidden = !data.from_cls;
  back.disabled = data.from === firstOf(data);
  frame.ariaValueMin = "1";
  frame.ariaValueMax = String(data.grid[0] * data.grid[1]);
  const caption = within(root, ".caption");
  caption.textContent = data.caption;
  caption.hidden = !data.caption;
  within(root, ".bar").hidden = !data.weights;
  within(root, ".bar small:last-child").textContent = data.printed;
  const greys = Array.from(
    { length: BAR_STOPS },
    (_, i) => `rgb(255 255 255 / ${lightOf(along(data, (data.largest * i) / (BAR_STOPS - 1)))})`,
  );
  within(root, ".bar div").style.background = `linear-gradient(to right, ${greys}), #000000`;
  outline(view, ".chosen", data.chosen);
  outline(view, ".seen", data.seen);
  frame.classList.toggle("whole", data.chosen < 0);
  point(view, view.at);
}

/** @param {View} view @param {number | null} patch */
function point(view, patch) {
  const { data, root, frame } = view,
    { from, to, told, weight } = pairOf(data, patch);
  view.at = patch;
  outline(view, ".cursor", patch === data.chosen ? null : patch);
  const said = [from, to, told < 0 ? "" : placed(data, told), weight === undefined ? "" : printed(data, weight)];
  [...within(root, ".spot").children].forEach((element, i) => (element.textContent = said[i]));
  frame.ariaValueNow = String(Math.max(0, patch ?? data.chosen) + 1);
  frame.ariaLabel = [data.label, said.filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  const mark = within(root, ".bar i");
  mark.hidden = weight === undefined;
  if (weight !== undefined) mark.style.left = `${100 * Math.min(1, weight / data.largest)}%`;
}

/**
 * Of a lit photo, who looks at whom, the patch that is looked at, and the weight that it gets.
 * @param {Shown} shown @param {number | null} patch
 * @returns {{ from: string, to: string, told: number, weight?: number }}
 */
function pairOf({ chosen, seen, weights, specials, ofSpecials }, patch) {
  /** @param {number} place */
  const nameOf = (place) => (place < 0 ? (specials.at(place) ?? "") : String(place + 1));
  const told = patch ?? seen;
  if (!weights || told === null) return { from: nameOf(patch ?? chosen), to: "", told: patch ?? chosen };
  const weight = told < 0 ? ofSpecials?.at(told) : weights[told];
  return { from: nameOf(chosen), to: `→ ${nameOf(told)}`, told, weight };
}

/** @param {Shown} shown @param {number} patch */
const placed = ({ grid: [, columns] }, patch) => `(${Math.floor(patch / columns) + 1}, ${(patch % columns) + 1})`;

/**
 * An even share, 1 / n, shows two digits.
 * @param {Shown} shown @param {number} weight
 */
const printed = ({ grid: [rows, columns] }, weight) => plain(weight, 1 + Math.ceil(Math.log10(rows * columns)));

/** @param {View} view @param {string} name @param {number | null} patch */
function outline({ root, data }, name, patch) {
  const element = within(root, name),
    [rows, columns] = data.grid;
  element.hidden = patch === null || patch < 0;
  if (patch === null || patch < 0) return;
  /** @param {number} part @param {number} whole */
  const share = (part, whole) => `${(100 * part) / whole}%`;
  Object.assign(element.style, {
    left: share(patch % columns, columns),
    top: share(Math.floor(patch / columns), rows),
    width: share(1, columns),
    height: share(1, rows),
  });
}
