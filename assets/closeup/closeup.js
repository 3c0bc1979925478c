import { followStore } from "../microscope/hosts/connect.js";
import { effect, make, penOf, phrase, viewOf, within } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { MINUS, plain } from "../microscope/engine/numbers.js";
import { digitsOn } from "../microscope/theme.js";
import { bytes, floats } from "../shared/base64.js";
import { cellUnder, coverCell } from "../shared/grid.js";
import { pixelsOf } from "../shared/pixels.js";

/**
 * What views/widgets/closeup.py sends, of one patch or of several.
 * @typedef {"pixels" | "flattened" | "embedding"} Kind
 * @typedef {{ low: number, high: number, colours: [light: string, dark: string][] }} Colours
 * @typedef {{
 *   side: number, first: number, chosen: number, stages: string[], pixels: string, levels: string, sums: string[],
 *   colours: [mean: number, deviation: number][], embedding: string, bias: boolean,
 *   scales: Record<"flattened" | "embedding", Colours>, title: string, caption: Span[], labels: Record<string, string>,
 * }} Closeup
 * @typedef {Omit<Closeup, "pixels" | "levels" | "embedding"> & {
 *   pixels: Uint8Array, levels: Float32Array, embedding: Float32Array,
 * }} Sent
 * @typedef {{ pixels: Uint8Array, flattened: Float32Array, embedding: Float32Array }} Patch
 */

/**
 * How a sheet is cut into cells, and the room that their numbers need.
 * @typedef {{ columns: number, lines: number, room: [width: number, height: number] }} Plan
 * @typedef {{ element: HTMLElement, canvas: HTMLCanvasElement, one: HTMLElement, plan: Plan }} Sheet
 * @typedef {{
 *   root: HTMLElement, sheets: Record<Kind, Sheet>, sent: Sent, data: Patch, store: Store | null, patch: number | null,
 *   value: number, feature: number,
 * }} View
 */

const CHANNELS = ["red", "green", "blue"];
/** @type {Kind[]} */
const KINDS = ["pixels", "flattened", "embedding"];
// Up to this side the pixels' own numbers have room, where the patch is given more of the width.
const FEW = 8;

/** @param {ComponentArgs<Closeup>} args */
export default function ({ data, parentElement }) {
  const [embedding, levels] = [data.embedding, data.levels].map(floats),
    sent = { ...data, pixels: bytes(data.pixels), levels, embedding };
  const view = viewOf(parentElement, () => build(parentElement, sent));
  view.sent = sent;
  view.patch = null;
  const cleanup = effect(parentElement, () => followStore(view, () => follow(view), ["selection", "trace"]));
  follow(view);
  return cleanup;
}

/**
 * The card stands beside the steps at which a patch becomes a vector, and shows the one looked at there.
 * @param {View} view
 */
function follow(view) {
  const { root, store, sent } = view,
    { first, pixels, side, stages, chosen } = sent,
    here = store?.isReady && store.trace.before !== null ? store : null;
  if (here) cardOf(root)?.toggleAttribute("hidden", !stages.includes(here.stage));
  const patch = here ? here.positions.patch : chosen;
  show(view, patch >= first && patch < first + pixels.length / (3 * side * side) ? patch : chosen);
}

/** @param {HTMLElement} root */
function cardOf(root) {
  const tree = root.getRootNode();
  return (tree instanceof ShadowRoot ? tree.host : root).closest(".st-key-near_card");
}

/** @param {View} view @param {number} patch */
function show(view, patch) {
  if (view.patch === patch) return;
  view.patch = patch;
  const { root, sent, sheets } = view,
    { pixels, embedding } = (view.data = patchOf(sent, patch));
  view.value = Math.min(view.value, pixels.length - 1);
  view.feature = Math.min(view.feature, embedding.length - 1);
  within(root, "h2").textContent = filled(sent.title, { patch: String(patch + 1) });
  within(root, ".caption").replaceChildren(...phrase(sent.caption));
  const sizes = [`${sent.side} × ${sent.side} × 3`, `${pixels.length}`, `${embedding.length}`];
  KINDS.forEach((kind, i) => {
    within(root, `.name.${kind} span`).textContent = sent.labels[kind];
    within(root, `.name.${kind} small`).textContent = sizes[i];
    sheets[kind].element.ariaLabel = sent.labels[kind];
  });
  root.classList.toggle("few", sent.side <= FEW);
  within(root, ".bias").hidden = !sent.bias;
  draw(view);
}

/** @param {Sent} sent @param {number} patch @returns {Patch} */
function patchOf({ pixels: all, embedding, levels, first, side }, patch) {
  const size = 3 * side * side,
    length = (embedding.length * size) / all.length,
    at = patch - first;
  const pixels = all.subarray(at * size, (at + 1) * size),
    flattened = Float32Array.from(pixels, (pixel, i) => levels[3 * pixel + (i % 3)]);
  return { pixels, flattened, embedding: embedding.subarray(at * length, (at + 1) * length) };
}

/** @param {Ground} parentElement @param {Sent} sent @returns {View} */
function build(parentElement, sent) {
  const root = parentElement.appendChild(make("section"));
  /** @param {Kind} kind @param {string} arrow @param {string} more */
  const part = (kind, arrow, more) => `<p class="name ${kind}">${arrow}<span></span><small></small></p>
    <div class="sheet ${kind}" tabindex="0" role="slider" aria-valuemin="1">${more}<i class="one"></i></div>`;
  root.innerHTML = `<h2></h2><p class="caption"></p><div class="flow">${part("pixels", "", "")}<ol class="lines" aria-hidden="true"></ol>
    ${part("flattened", "<b>→</b>", '<div class="channels"></div><i class="three"></i>')}
    ${part("embedding", "<b>→ × <em class='symbol'>W<sup>E</sup></em><em class='bias'> + <em class='symbol'>b<sup>E</sup></em></em> →</b>", "")}</div><div class="made" aria-live="polite"></div>`;
  /** @param {Kind} kind @returns {Sheet} */
  const sheet = (kind) => {
    const element = within(root, `.sheet.${kind}`),
      canvas = make("canvas");
    element.prepend(canvas);
    return { element, canvas, one: within(element, ".one"), plan: { columns: 1, lines: 1, room: [0, 0] } };
  };
  const sheets = { pixels: sheet("pixels"), flattened: sheet("flattened"), embedding: sheet("embedding") },
    none = { store: null, patch: null, value: 0, feature: 0 };
  /** @type {View} */
  const view = { root, sheets, sent, data: patchOf(sent, sent.chosen), ...none };
  const observer = new ResizeObserver(() => draw(view));
  document.fonts.ready.then(() => draw(view));
  for (const kind of KINDS) {
    listen(view, kind);
    observer.observe(sheets[kind].element);
  }
  return view;
}

/** @param {View} view @param {Kind} kind */
function listen(view, kind) {
  const sheet = view.sheets[kind],
    { element } = sheet;
  element.onpointermove = element.onpointerdown = (event) => {
    choose(view, kind, cellUnder(element, event, sheet.plan.lines, sheet.plan.columns));
  };
  element.onkeydown = (event) => {
    const { columns, lines } = sheet.plan;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = chosen(view, kind) + steps[event.key];
    if (to >= 0 && to < columns * lines) choose(view, kind, to);
  };
}

/** @param {View} view @param {Kind} kind */
function chosen({ value, feature }, kind) {
  return { pixels: Math.floor(value / 3), flattened: value, embedding: feature }[kind];
}

/** @param {View} view @param {Kind} kind @param {number} index */
function choose(view, kind, index) {
  if (kind === "embedding") view.feature = index;
  else view.value = kind === "pixels" ? 3 * index + (view.value % 3) : index;
  say(view);
}

/** @param {View} view */
function draw(view) {
  const { root, sheets } = view,
    { side, scales } = view.sent,
    { pixels, flattened, embedding } = view.data,
    box = sheets.embedding.element;
  if (!sheets.pixels.element.clientWidth) return;
  const lines = linesOf(embedding.length, box.clientWidth / box.clientHeight);
  /** @param {Float32Array} values @returns {(i: number) => string[]} */
  const two = (values) => (i) => [plain(values[i])];
  /** @param {number} i */
  const pixel = (i) => [...pixels.slice(3 * i, 3 * i + 3)];
  const [flat, embed] = [ramp(root, scales.flattened, flattened), ramp(root, scales.embedding, embedding)];
  paint(sheets.pixels, { columns: side, lines: side, room: [28, 28] }, pixel, (i) => pixel(i).map(String));
  paint(sheets.flattened, { columns: 3 * side, lines: side, room: [36, 16] }, flat, two(flattened));
  paint(sheets.embedding, { columns: embedding.length / lines, lines, room: [36, 16] }, embed, two(embedding));
  number(view);
  say(view);
}

/**
 * The number of lines, of those that are all full, with which a cell comes nearest to 3 : 5.
 * @param {number} count @param {number} shape
 */
function linesOf(count, shape) {
  const best = Math.sqrt((0.6 * count) / shape);
  const full = Array.from({ length: count }, (_, i) => i + 1).filter((lines) => count % lines === 0);
  /** @param {number} lines */
  const far = (lines) => Math.abs(Math.log(lines / best));
  return full.reduce((one, other) => (far(other) < far(one) ? other : one));
}

/**
 * @param {HTMLElement} root @param {Colours} scale @param {Float32Array} values
 * @returns {(i: number) => Colour}
 */
function ramp(root, { low, high, colours }, values) {
  const stops = colours.map(([light, dark]) => {
    root.style.outlineColor = `light-dark(${light}, ${dark})`;
    return (getComputedStyle(root).outlineColor.match(/\d+/g) ?? []).map(Number);
  });
  return (i) => {
    const at = Math.min(1, Math.max(0, (values[i] - low) / (high - low || 1))) * (stops.length - 1);
    const from = Math.min(stops.length - 2, Math.floor(at));
    return stops[from].map((part, c) => Math.round(part + (stops[from + 1][c] - part) * (at - from)));
  };
}

/**
 * @param {Sheet} sheet @param {Plan} plan @param {(i: number) => Colour} colour @param {(i: number) => string[]} texts
 */
function paint(sheet, plan, colour, texts) {
  const { element, canvas } = sheet,
    { columns, lines, room } = plan,
    pen = penOf(canvas),
    ratio = window.devicePixelRatio || 1;
  sheet.plan = plan;
  element.ariaValueMax = String(columns * lines);
  canvas.width = Math.round(element.clientWidth * ratio);
  canvas.height = Math.round(element.clientHeight * ratio);
  const colours = Array.from({ length: columns * lines }, (_, i) => colour(i));
  const wide = canvas.width / columns,
    high = canvas.height / lines;
  pen.imageSmoothingEnabled = wide < 1;
  pen.drawImage(
    pixelsOf(columns, lines, (i) => colours[i]),
    0,
    0,
    canvas.width,
    canvas.height,
  );
  /** @param {number} size */
  const gap = (size) => Math.round((size >= 16 * ratio ? 2 : size >= 5 * ratio ? 1 : 0) * ratio);
  for (let x = 1; gap(wide) && x < columns; x++)
    pen.clearRect(Math.round(x * wide - gap(wide) / 2), 0, gap(wide), canvas.height);
  for (let y = 1; gap(high) && y < lines; y++)
    pen.clearRect(0, Math.round(y * high - gap(high) / 2), canvas.width, gap(high));
  if (wide < room[0] * ratio || high < room[1] * ratio) return;
  const rows = texts(0).length,
    size = Math.min(13 * ratio, (0.9 * high) / rows, wide * 0.34);
  pen.font = `${size}px ${getComputedStyle(element).fontFamily}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  colours.forEach((ground, i) => {
    pen.fillStyle = digitsOn(ground);
    const x = ((i % columns) + 0.5) * wide,
      y = (Math.floor(i / columns) + 0.5) * high;
    texts(i).forEach((text, row) => pen.fillText(text, x, y + (row - (rows - 1) / 2) * size));
  });
}

/**
 * The index in the flattened row at which each line begins.
 * @param {View} view
 */
function number({ root, sheets, sent: { side } }) {
  const { clientWidth, clientHeight } = sheets.flattened.element;
  const every = Math.ceil(14 / (clientHeight / side));
  const lines = Array.from({ length: Math.ceil(side / every) }, (_, i) => i * every);
  within(root, ".lines").replaceChildren(
    ...lines.map((line) => {
      const item = make("li", "", String(3 * side * line + 1));
      item.style.top = `${(100 * (line + 0.5)) / side}%`;
      return item;
    }),
  );
  const channels = within(root, ".channels");
  channels.style.backgroundSize = `${100 / side}% 100%`;
  channels.hidden = clientWidth / side < 4;
}

/** @param {View} view */
function say(view) {
  const { root, data, sent, sheets, value, feature } = view,
    first = 3 * Math.floor(value / 3);
  for (const kind of KINDS) {
    const { element, one, plan } = sheets[kind];
    coverCell(one, chosen(view, kind), plan.lines, plan.columns);
    element.ariaValueNow = String(chosen(view, kind) + 1);
  }
  const { element, plan } = sheets.flattened;
  coverCell(within(element, ".three"), first, plan.lines, plan.columns, 3);
  const sums = CHANNELS.map((channel, c) => {
    const pixel = data.pixels[first + c],
      result = data.flattened[first + c],
      printed = plain(result, 4);
    const [mean, deviation] = sent.colours[c],
      exact = (pixel / 255 - mean) / deviation;
    const sign = Math.abs(Number(printed.replace(MINUS, "-")) - exact) < 1e-9 ? "=" : "≈";
    const text = `${sent.labels[channel]} ${sent.sums[c].replace("{pixel}", String(pixel))} ${sign} ${printed}`,
      position = `${first + c + 1} / ${data.pixels.length}`;
    const parts = [make("i", channel), make("span", "", text), make("small", "", position)];
    return make("p", first + c === value ? "chosen" : "", parts);
  });
  const made = make("span", "", [
    make("em", "symbol", "embedding"),
    `[${feature + 1}] = Σ `,
    make("em", "symbol", "flattened"),
    "[i] · ",
    make("em", "symbol", "W"),
    make("sup", "", "E"),
    `[i, ${feature + 1}]`,
  ]);
  if (sent.bias) made.append(" + ", make("em", "symbol", "b"), make("sup", "", "E"), `[${feature + 1}]`);
  made.append(` ≈ ${plain(data.embedding[feature], 4)}`);
  within(root, ".made").replaceChildren(...sums, make("p", "sum", [made]));
}
