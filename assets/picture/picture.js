import { looking, weightsOf } from "../microscope/attended.js";
import { isReady, listen as listenTo, move, store } from "../microscope/store.js";

const CLS = -1; // in place of a patch
// The light that stays where the weight is 0, so that one knows where one is.
const GHOST = 0.035;
const MANY = 400, PAUSE = 60; // patches; ms
const FAINT = 0.06; // of the scale, below which a lit frame would not be seen
const BAR_STOPS = 13;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? build(parentElement);
  root.sent = { ...data, weights: data.weights && floats(data.weights) };
  root.stop?.();
  root.stop = listenTo(() => soon(root));
  show(root);
  listen(root, (patch) => data.choosable && choose(patch, setTriggerValue));
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
  root.data = { ...root.sent, chosen: root.sent.chosen ?? CLS, seen: null, ...(isSeen(root.sent) && lookedAt(root.sent)) };
  if (!before || before.chosen !== root.data.chosen || String(before.grid) !== String(root.data.grid)) root.at = null;
  words(root);
  load(root, before);
}

// Whether nothing but the outlines differs.
function isAlike(before, { grid, size, weights, largest, root }) {
  if (!before || String(before.grid) !== String(grid) || String(before.size) !== String(size)) return false;
  if (before.largest !== largest || before.root !== root || before.weights?.length !== weights?.length) return false;
  return !weights || weights.every((weight, i) => weight === before.weights[i]);
}

function isSeen({ grid: [rows, columns] }) {
  const { trace } = store;
  return isReady() && trace.before !== null && trace.size("weights", "query") - trace.before === rows * columns;
}

// A patch is the token that it became; a token without a patch, [CLS], looks from the whole photo.
// A light that is not of the row looked at stays with the patch that it was sent for.
function lookedAt({ weights, live }) {
  const { before } = store.trace, { query, key } = looking(), patch = (token) => (token < before ? CLS : token - before);
  const row = weights && live ? weightsOf(query) : null, seen = key === null ? null : patch(key);
  if (weights && !row) return { seen };
  return { chosen: patch(query), seen, weights: row && Float32Array.from(row.subarray(before)), ofCls: row?.[0] };
}

function choose(patch, setTriggerValue) {
  if (store.trace) move({ places: { patch } });
  else setTriggerValue("choose", patch);
}

function build(parentElement) {
  const root = parentElement.appendChild(document.createElement("section"));
  root.innerHTML = `<div class="photo" tabindex="0" role="slider"><canvas></canvas><i class="chosen"></i><i class="seen"></i><i class="cursor"></i></div>
    <div class="below"><p class="spot" aria-live="polite"><b></b><b class="key"></b><span></span><em></em></p>
    <div class="bar"><small>0</small><div><i></i></div><small></small></div></div><p class="caption"></p>`;
  root.frame = root.querySelector(".photo");
  root.canvas = root.querySelector("canvas");
  new ResizeObserver(() => draw(root)).observe(root.frame);
  document.fonts.ready.then(() => draw(root));
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
  };
  photo.src = root.source;
}

function listen(root, choose) {
  const { frame, data } = root, [rows, columns] = data.grid;
  const under = (event) => {
    const box = frame.getBoundingClientRect();
    const place = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    return place((event.clientY - box.top) / box.height, rows) * columns + place((event.clientX - box.left) / box.width, columns);
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
  const row = Math.floor(at / columns) + down, column = (at % columns) + right;
  return row < 0 || column < 0 || row >= rows || column >= columns ? at : row * columns + column;
}

function words(root) {
  const { data, frame } = root;
  frame.classList.toggle("choosable", data.choosable);
  frame.ariaValueMin = 1;
  frame.ariaValueMax = data.grid[0] * data.grid[1];
  root.querySelector(".caption").textContent = data.caption;
  root.querySelector(".caption").hidden = !data.caption;
  const bar = root.querySelector(".bar");
  bar.hidden = !data.weights;
  bar.lastElementChild.textContent = data.printed;
  const greys = Array.from({ length: BAR_STOPS }, (_, i) => `rgb(255 255 255 / ${lit(along(data, (data.largest * i) / (BAR_STOPS - 1)))})`);
  bar.children[1].style.background = `linear-gradient(to right, ${greys}), #000000`;
  outline(root, ".chosen", data.chosen);
  outline(root, ".seen", data.seen);
  frame.classList.toggle("whole", data.chosen === CLS);
  point(root, root.at);
}

function point(root, patch) {
  const { data, frame } = root, [from, to, told, weight] = pairOf(data, patch);
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
const printed = ({ grid: [rows, columns] }, weight) => weight.toFixed(1 + Math.ceil(Math.log10(rows * columns)));

function outline(root, name, patch) {
  const element = root.querySelector(name), [rows, columns] = root.data.grid;
  element.hidden = patch === null || patch === CLS;
  if (element.hidden) return;
  const share = (part, whole) => `${(100 * part) / whole}%`;
  Object.assign(element.style, {
    left: share(patch % columns, columns), top: share(Math.floor(patch / columns), rows),
    width: share(1, columns), height: share(1, rows),
  });
}

function draw(root) {
  const { canvas, photo, frame, data: { grid: [rows, columns], size, weights } } = root;
  const wide = frame.clientWidth;
  if (!photo || !wide) return;
  const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round((canvas.width * size[1]) / size[0]);
  frame.classList.toggle("fine", wide / columns < 18);
  pen.imageSmoothingEnabled = wide / size[0] < 2.5;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, canvas.width, canvas.height);
  const edge = (i, count, length) => Math.round((i * length) / count);
  const cells = Array.from({ length: rows * columns }, (_, i) => {
    const x = edge(i % columns, columns, canvas.width), y = edge(Math.floor(i / columns), rows, canvas.height);
    return { x, y, wide: edge((i % columns) + 1, columns, canvas.width) - x, high: edge(Math.floor(i / columns) + 1, rows, canvas.height) - y };
  });
  if (weights) return light(root, pen, cells, ratio);
  cut(pen, cells, ratio);
  number(root, pen, cells, ratio);
}

// How far along its scale a weight is, 0 … 1.
function along({ largest, root }, weight) {
  const part = Math.min(1, weight / largest);
  return root ? Math.sqrt(part) : part;
}

// Twice as far is twice the light; a screen's values are about the 2.2th root of its light.
function lit(part) {
  return (GHOST + (1 - GHOST) * part) ** (1 / 2.2);
}

// A black patch stays black in any light, so the weight also lights its frame.
function light({ data, canvas }, pen, cells, ratio) {
  const [rows, columns] = data.grid, parts = Array.from(data.weights, (weight) => along(data, weight)), thin = Math.max(1, Math.round(ratio));
  const shade = Object.assign(document.createElement("canvas"), { width: columns, height: rows }), dark = new ImageData(columns, rows);
  parts.forEach((part, i) => (dark.data[4 * i + 3] = Math.round(255 * (1 - lit(part)))));
  shade.getContext("2d").putImageData(dark, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(shade, 0, 0, canvas.width, canvas.height);
  pen.lineWidth = thin;
  parts.forEach((part, i) => {
    if (part < FAINT) return;
    const { x, y, wide, high } = cells[i];
    pen.strokeStyle = `rgb(255 255 255 / ${0.45 * part})`;
    pen.strokeRect(x + thin / 2, y + thin / 2, wide - thin, high - thin);
  });
}

// Light beside dark is seen on any picture.
function cut(pen, cells, ratio) {
  const thin = Math.max(1, Math.round(ratio));
  const white = cells[0].wide / ratio < 18 ? 0.42 : 0.62;
  for (const { x, y, wide, high } of cells) {
    pen.fillStyle = `rgb(255 255 255 / ${white})`;
    if (x) pen.fillRect(x, y, thin, high);
    if (y) pen.fillRect(x, y, wide, thin);
    pen.fillStyle = "rgb(0 0 0 / .22)";
    if (x) pen.fillRect(x - thin, y, thin, high);
    if (y) pen.fillRect(x, y - thin, wide, thin);
  }
}

// Where patches are small, only the first row and the first column are numbered, as far as there is room.
function number({ data, canvas, photo }, pen, cells, ratio) {
  const columns = data.grid[1], side = cells[0].wide / ratio;
  const all = side >= 30, size = all ? Math.min(14, Math.max(10, side * 0.28)) : 10;
  const wider = Math.ceil((String(cells.length).length * size * 0.7) / side), lower = Math.ceil((size * 1.35) / side);
  const bright = brightness(photo, data.grid);
  pen.font = `600 ${size * ratio}px ${getComputedStyle(canvas).fontFamily}`;
  pen.textBaseline = "top";
  pen.lineJoin = "round";
  pen.lineWidth = 2.5 * ratio;
  cells.forEach((cell, i) => {
    const row = Math.floor(i / columns), column = i % columns;
    const shown = all || (row === 0 && column % wider === 0) || (column === 0 && row % lower === 0);
    if (!shown) return;
    const [ink, around] = bright[i] > 128 ? ["#14171f", "rgb(255 255 255 / .6)"] : ["#ffffff", "rgb(0 0 0 / .6)"];
    const at = [cell.x + 3 * ratio, cell.y + 3 * ratio];
    pen.strokeStyle = around;
    pen.strokeText(i + 1, ...at);
    pen.fillStyle = ink;
    pen.fillText(i + 1, ...at);
  });
}

// How bright each patch is on the whole, 0 … 255: the photo shrunk to one pixel a patch.
function brightness(photo, [rows, columns]) {
  const pen = Object.assign(document.createElement("canvas"), { width: columns, height: rows }).getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, columns, rows);
  const { data } = pen.getImageData(0, 0, columns, rows);
  return Array.from({ length: rows * columns }, (_, i) => 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2]);
}

function floats(text) {
  return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}
