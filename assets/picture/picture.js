import { chosenQuery, looking, weightsOf } from "../microscope/attended.js";
import { connect } from "../microscope/connect.js";
import { filled } from "../microscope/names.js";
import { plain } from "../microscope/numbers.js";
import { nameOf as tokenOf } from "../vision/looked.js";
import { along, draw, lit } from "./photo.js";

const CLS = -1; // in place of a patch
const MANY = 400,
  PAUSE = 60; // patches; ms
const BAR_STOPS = 13;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? build(parentElement);
  const [weights, rows] = [data.weights, data.rows].map((text) => text && floats(text));
  root.sent = { ...data, weights, rows };
  root.stop?.();
  root.stop = connect("main", (store) => {
    root.store = store;
    soon(root);
    return store.listen(() => soon(root));
  });
  show(root);
  listen(root, (patch) => data.choosable && choose(root, patch, setTriggerValue));
  return () => root.stop();
}

// Many patches are lit once the pointer pauses, so that pointing itself stays within a frame.
function soon(root) {
  const [rows, columns] = root.sent.grid;
  clearTimeout(root.waiting);
  if (rows * columns <= MANY) show(root);
  else root.waiting = setTimeout(() => show(root), PAUSE);
}

// What the microscope looks at, and without one what the server sent.
function show(root) {
  const before = root.data;
  const { chosen } = root.sent,
    from = chosen ?? CLS;
  root.data = { ...root.sent, chosen: from, from, seen: null, ...(isFollowing(root) && lookedAt(root)) };
  root.data.label = titleOf(root.data);
  if (!before || before.chosen !== root.data.chosen || String(before.grid) !== String(root.data.grid)) root.at = null;
  words(root);
  load(root, before);
  lend(root);
}

// The microscope writes patches beside their numbers.
function lend(root) {
  const { photo, source, sent, store } = root;
  if (!photo || source !== photo.src || !isSeen(root) || store.trace.photo) return;
  store.trace.photo = { image: photo, grid: sent.grid };
  store.tell("photo");
}

// Whether nothing but the outlines differs.
function isAlike(before, { grid, size, weights, largest, root }) {
  if (!before || String(before.grid) !== String(grid) || String(before.size) !== String(size)) return false;
  if (before.largest !== largest || before.root !== root || before.weights?.length !== weights?.length) return false;
  return !weights || weights.every((weight, i) => weight === before.weights[i]);
}

// Whether the microscope shows the patches of this very photo, by whatever name.
function isSeen({
  store,
  sent: {
    checksum,
    grid: [rows, columns],
  },
}) {
  const { trace } = store ?? {};
  return (
    store?.isReady &&
    isOfPatches(store) &&
    trace.photo_checksum === checksum &&
    trace.size("X", "token") - trace.before === rows * columns
  );
}

const isOfPatches = ({ trace }) => trace.before !== null && trace.stage("X");

// Rows that were sent along are of this photo, whatever the microscope is just about to show.
const isFollowing = (root) => (root.sent.rows ? root.store?.isReady && isOfPatches(root.store) : isSeen(root));

// A patch is the token that it became; a token without a patch, [CLS], looks from the whole photo.
// A light that is not of the row looked at stays with the patch that it was sent for.
function lookedAt({ store, sent }) {
  const { before } = store.trace,
    { query, key } = looking(store);
  const patch = (token) => (token < before ? CLS : token - before);
  if (sent.near) return { chosen: store.places.patch ?? sent.chosen };
  const row = sent.weights && rowOf(store, sent, query),
    seen = key === null ? null : patch(key);
  if (sent.weights && !row) return { seen };
  const from = { chosen: patch(query), from: patch(chosenQuery(store)), head: store.head };
  return { ...from, seen, weights: row && Float32Array.from(row.subarray(before)), ofCls: row?.[0] };
}

// Of every row of the look, one after another, or of the head that is open in the microscope.
function rowOf(store, { rows, tokens, live }, query) {
  if (!rows) return live && store.trace.stage("weights") ? weightsOf(store, query) : null;
  const head = rows.length > tokens ** 2 ? store.head : 0;
  return rows.subarray((head * tokens + query) * tokens, (head * tokens + query + 1) * tokens);
}

// Who looks, and by which head.
function titleOf({ label, names, from, head }) {
  return names ? filled(label, { query: tokenOf(names, from + 1), head: String(head + 1) }) : label;
}

// Where the microscope has no step that a patch could be a row of, the server opens one.
function choose(root, patch, setTriggerValue) {
  if (isSeen(root) && !root.sent.asks) root.store.move({ places: { patch } });
  else setTriggerValue("choose", patch);
}

function build(parentElement) {
  const root = parentElement.appendChild(document.createElement("section"));
  root.innerHTML = `<h2></h2><div class="photo" tabindex="0" role="slider"><canvas></canvas><i class="chosen"></i><i class="seen"></i><i class="cursor"></i></div>
    <div class="below"><p class="spot" aria-live="polite"><b></b><b class="key"></b><span></span><em></em></p>
    <div class="bar"><small>0</small><div><i></i></div><small></small></div></div><p class="caption"></p><button class="from-cls"></button>`;
  root.frame = root.querySelector(".photo");
  root.canvas = root.querySelector("canvas");
  new ResizeObserver(() => draw(root)).observe(root.frame);
  document.fonts.ready.then(() => draw(root));
  root.querySelector("button").onclick = () => root.store?.isReady && root.store.move({ places: { query: 0 } });
  return root;
}

function load(root, before) {
  if (root.source === root.data.photo) return isAlike(before, root.data) ? undefined : draw(root);
  root.source = root.data.photo;
  const photo = new Image();
  photo.onload = () => {
    if (root.source !== photo.src) return;
    root.photo = photo;
    draw(root);
    lend(root);
  };
  photo.src = root.source;
}

function listen(root, choose) {
  const { frame, data } = root,
    [rows, columns] = data.grid;
  const under = (event) => {
    const box = frame.getBoundingClientRect();
    const place = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    return (
      place((event.clientY - box.top) / box.height, rows) * columns +
      place((event.clientX - box.left) / box.width, columns)
    );
  };
  frame.onpointermove = (event) => point(root, under(event));
  frame.onpointerleave = frame.onblur = () => point(root, null);
  frame.onclick = (event) => choose(under(event));
  frame.onkeydown = (event) => {
    const at = root.at ?? Math.max(0, root.data.chosen);
    if (event.key === "Enter" || event.key === " ") choose(at);
    else if (event.key in STEPS) point(root, moved(at, STEPS[event.key], rows, columns));
    else return;
    event.preventDefault();
  };
}

function moved(at, [down, right], rows, columns) {
  const row = Math.floor(at / columns) + down,
    column = (at % columns) + right;
  return row < 0 || column < 0 || row >= rows || column >= columns ? at : row * columns + column;
}

function words(root) {
  const { data, frame } = root;
  frame.classList.toggle("choosable", data.choosable);
  const title = root.querySelector("h2"),
    back = root.querySelector("button");
  title.textContent = data.titled ? data.label : "";
  title.hidden = !data.titled;
  back.textContent = data.from_cls;
  back.hidden = !data.from_cls;
  back.disabled = data.from === CLS;
  frame.ariaValueMin = 1;
  frame.ariaValueMax = data.grid[0] * data.grid[1];
  root.querySelector(".caption").textContent = data.caption;
  root.querySelector(".caption").hidden = !data.caption;
  const bar = root.querySelector(".bar");
  bar.hidden = !data.weights;
  bar.lastElementChild.textContent = data.printed;
  const greys = Array.from(
    { length: BAR_STOPS },
    (_, i) => `rgb(255 255 255 / ${lit(along(data, (data.largest * i) / (BAR_STOPS - 1)))})`,
  );
  bar.children[1].style.background = `linear-gradient(to right, ${greys}), #000000`;
  outline(root, ".chosen", data.chosen);
  outline(root, ".seen", data.seen);
  frame.classList.toggle("whole", data.chosen === CLS);
  point(root, root.at);
}

function point(root, patch) {
  const { data, frame } = root,
    [from, to, told, weight] = pairOf(data, patch);
  root.at = patch;
  outline(root, ".cursor", patch === data.chosen ? null : patch);
  const said = [from, to, told === CLS ? "" : placed(data, told), weight === undefined ? "" : printed(data, weight)];
  [...root.querySelector(".spot").children].forEach((element, i) => (element.textContent = said[i]));
  frame.ariaValueNow = Math.max(0, patch ?? data.chosen) + 1;
  frame.ariaLabel = [data.label, said.filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  const mark = root.querySelector(".bar i");
  mark.hidden = weight === undefined;
  if (weight !== undefined) mark.style.left = `${100 * Math.min(1, weight / data.largest)}%`;
}

// Of a lit photo, who looks at whom, the patch that is looked at, and the weight that it gets.
function pairOf({ chosen, seen, weights, ofCls }, patch) {
  const to = weights ? (patch ?? seen) : null;
  if (to === null) return [nameOf(patch ?? chosen), "", patch ?? chosen];
  return [nameOf(chosen), `→ ${nameOf(to)}`, to, to === CLS ? ofCls : weights[to]];
}

const nameOf = (patch) => (patch === CLS ? "[CLS]" : String(patch + 1));

const placed = ({ grid: [, columns] }, patch) => `(${Math.floor(patch / columns) + 1}, ${(patch % columns) + 1})`;

// An even share, 1 / n, shows two digits.
const printed = ({ grid: [rows, columns] }, weight) => plain(weight, 1 + Math.ceil(Math.log10(rows * columns)));

function outline(root, name, patch) {
  const element = root.querySelector(name),
    [rows, columns] = root.data.grid;
  element.hidden = patch === null || patch === CLS;
  if (element.hidden) return;
  const share = (part, whole) => `${(100 * part) / whole}%`;
  Object.assign(element.style, {
    left: share(patch % columns, columns),
    top: share(Math.floor(patch / columns), rows),
    width: share(1, columns),
    height: share(1, rows),
  });
}

function floats(text) {
  return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}
