import { looking, weightsOf } from "../microscope/engine/attended.js";
import { followStore } from "../microscope/hosts/connect.js";
import { effect, make, onRemoval, viewOf } from "../shared/dom.js";
import { plain } from "../microscope/engine/numbers.js";
import { operand, range } from "../microscope/engine/rules.js";
import { paletteOf } from "../microscope/theme.js";
import { bytes, floats } from "../shared/base64.js";
import { cellUnder } from "../shared/grid.js";
import { Playback } from "./playback.js";
import { draw, layOver, legend, moveHead } from "./lanes.js";

/**
 * @import { WeightScale } from "./lanes.js"
 * @import { Played } from "./playback.js"
 */
/**
 * @typedef {{
 *   sound: number, query: number, row: string, allowed: string | null, scale: WeightScale,
 *   words: Record<"axis" | "play" | "hear" | "weight" | "forbidden", string>,
 * }} Timeline
 * @typedef {Omit<Timeline, "row" | "allowed"> & { row: ArrayLike<number>, allowed: Uint8Array | null }} Sent
 * @typedef {Sent & { chosen: number, key: number | null }} Current
 * @typedef {Record<"chosen" | "attended" | "under" | "head", HTMLElement>} Lines
 * @typedef {{
 *   root: HTMLElement, lanes: HTMLElement, canvas: HTMLCanvasElement, spot: HTMLElement,
 *   scales: ReturnType<typeof legend>, lines: Lines, playback: Playback,
 *   buttons: Record<Played, HTMLButtonElement>, sent: Sent, store: Store | null,
 *   now: Current | null, of: number | null, shown: string, under: number | null, playedQuery: number, waiting: number,
 * }} View
 */

const FAR = 10;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -FAR, PageUp: FAR };

/**
 * A sound on one time axis: waveform, spectrogram and the weights of one frame, its moment a
 * line through all of them.
 * @param {ComponentArgs<Timeline>} args
 */
export default function ({ data, parentElement }) {
  const sent = { ...data, row: floats(data.row), allowed: data.allowed === null ? null : bytes(data.allowed) };
  const view = viewOf(parentElement, () => build(parentElement, sent));
  view.sent = sent;
  label(view);
  const disconnect = effect(parentElement, () => followStore(view, () => soon(view)));
  const silence = onRemoval(parentElement, () => view.playback.stop());
  return () => {
    disconnect();
    silence();
  };
}

/**
 * What is pointed at may change more often than the screen.
 * @param {View} view
 */
function soon(view) {
  cancelAnimationFrame(view.waiting);
  view.waiting = requestAnimationFrame(() => show(view));
}

/** @param {Ground} parentElement @param {Sent} sent @returns {View} */
function build(parentElement, sent) {
  const root = parentElement.appendChild(make("section")),
    buttons = { whole: make("button", "whole"), part: make("button", "part") },
    spot = make("p", "spot"),
    scales = legend(),
    canvas = make("canvas"),
    lanes = make("div", "lanes", [canvas], { role: "slider", tabIndex: 0 });
  /** @param {string} name */
  const line = (name) => lanes.appendChild(make("i", name));
  const lines = { chosen: line("chosen"), attended: line("attended"), under: line("under"), head: line("head") };
  lanes.append(scales.hertz);
  root.append(make("div", "tools", [buttons.whole, buttons.part, spot, scales.bar]), lanes);
  const playback = new Playback(() => playing(view)),
    none = { store: null, now: null, of: null, shown: "", under: null, playedQuery: 0, waiting: 0 };
  /** @type {View} */
  const view = { root, lanes, canvas, spot, scales, lines, playback, buttons, sent, ...none };
  new ResizeObserver(() => show(view, true)).observe(lanes);
  listenTo(view);
  return view;
}

/** @param {View} view */
function label({ lanes, scales, sent: { words, scale } }) {
  lanes.ariaLabel = words.axis;
  scales.name(scale, words.weight);
}

/**
 * The frame that the microscope looks from, and its row of weights where it is in the browser.
 * @param {Sent} sent @param {Store} store @param {Sound} sound @returns {Current}
 */
function currentOf(sent, store, sound) {
  const live = store.isReady && store.trace.stage("weights") && store.trace.size("weights", "query") === sound.of;
  if (!live) return { ...sent, chosen: sent.query, key: null };
  const { query, key } = looking(store),
    row = weightsOf(store, query),
    chosen = store.positionOf("weights", "query");
  if (row) return { ...sent, chosen, query, key, row, allowed: allowedBy(store, query, sound.of) };
  return { ...sent, chosen, key };
}

/** @param {Store} store @param {number} query @param {number} count */
function allowedBy({ trace }, query, count) {
  const rule = trace.stage("masked")?.rule;
  if (rule?.rule !== "mask") return null;
  const at = { batch: trace.sample, head: 0, query, key: range(count) },
    masks = rule.allowed.map((mask) => operand(trace, mask, at, count));
  return Uint8Array.from({ length: count }, (_, key) => Number(masks.every((mask) => mask[key])));
}

/** @param {View} view */
function show(view, anew = false) {
  const { root, store, sent, canvas, lines, scales, playback } = view,
    sound = store?.sound;
  if (!root.isConnected || !sound || sound.id !== sent.sound || !store.trace) return;
  if (view.of !== sound.id) playback.stop();
  view.of = sound.id;
  const now = (view.now = currentOf(sent, store, sound)),
    palette = paletteOf(root, store.trace),
    shown = [sound.id, palette.ground, String(now.row), String(now.allowed), canvas.clientWidth].join("|");
  if (anew || view.shown !== shown) draw(canvas, sound, now, palette);
  view.shown = shown;
  scales.draw(sound, now.scale, palette);
  layOver(lines.chosen, sound, now.query);
  layOver(lines.attended, sound, now.key);
  describe(view, sound, now);
  playing(view);
}

/** @param {Sound} sound @param {number} token */
const moment = ({ hop, pool, rate }, token) => `${plain((token * pool * hop) / rate, 2)} s`;

/**
 * Which frame looks, at which one, and what weight it gives.
 * @param {View} view @param {Sound} sound @param {Current} now
 */
function describe(view, sound, { query, key, row, allowed, words }) {
  const to = view.under ?? key,
    from = moment(sound, query),
    way = to === null ? "" : ` → ${moment(sound, to)}`;
  const digits = 1 + Math.ceil(Math.log10(sound.tokens + 1)),
    given = to === null ? "" : allowed && !allowed[to] ? words.forbidden : plain(row[to], digits);
  const other = to === null ? [] : [make("b", "key", `${way} `), make("span", "", given)];
  view.spot.replaceChildren(make("b", "query", from), ...other);
  Object.assign(view.lanes, {
    ariaValueMin: "0",
    ariaValueMax: String(sound.tokens - 1),
    ariaValueNow: String(query),
    ariaValueText: `${from}${way} ${given}`.trim(),
  });
  layOver(view.lines.under, sound, view.under);
}

/** @param {View} view */
function playing({ playback, lines, now, store, playedQuery, buttons }) {
  const sound = store?.sound;
  if (!now || !sound) return;
  const time = moment(sound, playback.playing === "part" ? playedQuery : now.chosen),
    names = { whole: now.words.play, part: now.words.hear.replace("{time}", time) };
  for (const what of /** @type {const} */ (["whole", "part"])) {
    const on = playback.playing === what;
    buttons[what].textContent = `${on ? "■" : "▶"} ${names[what]}`;
    buttons[what].ariaPressed = String(on);
  }
  moveHead(lines.head, sound, playback.at);
}

/** @param {View} view @param {Played} what */
function press(view, what) {
  const { now, playback, store } = view;
  if (!now || !store?.sound) return;
  view.playedQuery = now.chosen;
  const row = (store.isReady && weightsOf(store, now.chosen)) || now.row;
  playback.press(what, store.sound, what === "part" ? Array.from(row).slice(0, store.sound.tokens) : null);
}

/** @param {View} view */
function listenTo(view) {
  const { lanes, buttons } = view;
  const tokens = () => view.store?.sound?.tokens ?? 1;
  /** @param {MouseEvent} event */
  const under = (event) => cellUnder(lanes, event, 1, tokens());
  /** @param {number | null} token */
  const point = (token) => {
    view.under = token;
    if (view.now && view.store?.sound) describe(view, view.store.sound, view.now);
  };
  /** @param {number} query */
  const choose = (query) => view.store?.move({ positions: { query } });
  buttons.whole.onclick = () => press(view, "whole");
  buttons.part.onclick = () => press(view, "part");
  lanes.onpointermove = (event) => event.pointerType === "mouse" && view.now && point(under(event));
  lanes.onpointerleave = () => point(null);
  lanes.onclick = (event) => view.now && choose(under(event));
  lanes.onkeydown = (event) => {
    if (!view.now) return;
    const last = tokens() - 1,
      at = view.now.chosen;
    if (event.key === " ") press(view, "whole");
    else if (event.key === "Enter") press(view, "part");
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(last);
    else if (event.key in STEPS)
      choose(Math.max(0, Math.min(last, at + STEPS[event.key] * (event.shiftKey ? FAR : 1))));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
