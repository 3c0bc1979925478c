import { followStore } from "../microscope/hosts/connect.js";
import { plain, short } from "../microscope/engine/numbers.js";
import { paletteOf } from "../microscope/theme.js";
import { floats } from "../shared/base64.js";
import { effect, make, onRemoval, viewOf } from "../shared/dom.js";
import { cellUnder } from "../shared/grid.js";
import { draw, layOver, legend, moveHead } from "./lanes.js";
import { Playback } from "./playback.js";

/** @import { WeightScale } from "./lanes.js" */
/**
 * A word as it was written, the same in simplified characters if they differ, and the seconds at which it is spoken.
 * @typedef {{ text: string, simplified: string, pieces: string[], at: number, probability: number }} Word
 * @typedef {{ name: string, label: string, title: string, aligns: boolean }} Head
 * @typedef {{ label: string, heads: Head[] }} Layer
 * @typedef {{
 *   sound: number, rows: string, words: Word[], word: number, look: string, mean: string, layers: Layer[],
 *   scale: WeightScale,
 *   texts: Record<"axis" | "words" | "play" | "weight" | "spoken" | "pieces" | "looked" | "heads" | "join" | "none", string>,
 * }} Speech
 * @typedef {{
 *   root: HTMLElement, lanes: HTMLElement, canvas: HTMLCanvasElement, spot: HTMLElement,
 *   scales: ReturnType<typeof legend>, words: HTMLElement, heads: HTMLElement, play: HTMLButtonElement,
 *   lines: Record<"chosen" | "under" | "head", HTMLElement>, playback: Playback, data: Speech, rows: Float32Array,
 *   store: Store | null, word: number, moment: number | null, drawn: string, sent: string,
 *   choose: (choice: Partial<Pick<Speech, "word" | "look">>) => void,
 * }} View
 */

const NEAR = 5; // frames on either side of a moment that count as it, 0.1 s
const HALF = 0.5; // of the largest share: from there on a word is marked
const NAMED = 3; // words that a sentence names
const ROW = 34; // pixels between two rows of words
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -25, PageUp: 25 };

/**
 * What was spoken: waveform and spectrogram, the weights of a word over time, and every word at its moment.
 * @param {ComponentArgs<Speech>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, () => build(parentElement, data));
  const anew = view.sent !== JSON.stringify(data);
  view.choose = (choice) => setTriggerValue("choose", { word: view.word, look: view.data.look, ...choice });
  if (anew) adopt(view, data);
  const disconnect = effect(parentElement, () => followStore(view, () => show(view)));
  const silence = onRemoval(parentElement, () => view.playback.stop());
  return () => {
    disconnect();
    silence();
  };
}

/** @param {Ground} parentElement @param {Speech} data @returns {View} */
function build(parentElement, data) {
  const root = parentElement.appendChild(make("section", "waiting")),
    play = make("button", "whole"),
    spot = make("p", "spot", "", { ariaLive: "polite" }),
    scales = legend(),
    canvas = make("canvas"),
    lanes = make("div", "lanes", [canvas], { role: "slider", tabIndex: 0 }),
    words = make("div", "words", "", { role: "group" }),
    heads = make("div", "heads", "", { role: "group" });
  /** @param {string} name */
  const line = (name) => lanes.appendChild(make("i", name, "", { hidden: true }));
  const lines = { chosen: line("chosen"), under: line("under"), head: line("head") };
  lanes.append(scales.hertz);
  root.append(make("div", "tools", [play, spot, scales.bar]), lanes, words, heads);
  const playback = new Playback(() => playing(view)),
    none = { rows: new Float32Array(), store: null, word: 0, moment: null, drawn: "", sent: "", choose: () => {} };
  /** @type {View} */
  const view = { root, lanes, canvas, spot, scales, words, heads, play, lines, playback, data, ...none };
  new ResizeObserver(() => {
    view.drawn = "";
    show(view);
  }).observe(lanes);
  listenTo(view);
  return view;
}

/** @param {View} view @param {Speech} data */
function adopt(view, data) {
  const { lanes, scales, words, heads } = view,
    { texts, scale } = data;
  Object.assign(view, {
    data,
    rows: floats(data.rows),
    word: data.word,
    moment: null,
    drawn: "",
    sent: JSON.stringify(data),
  });
  lanes.ariaLabel = texts.axis;
  words.ariaLabel = texts.words;
  heads.ariaLabel = texts.heads;
  scales.name(scale, texts.weight);
  scales.bar.hidden = heads.hidden = !data.words.length;
  words.replaceChildren(...data.words.map((word, i) => wordButton(view, word, i)));
  heads.replaceChildren(...headButtons(view));
}

/** @param {View} view @param {Word} word @param {number} i */
function wordButton(view, { text, simplified }, i) {
  const button = make("button", "word", text, { onclick: () => pressWord(view, i) });
  if (simplified) button.append(make("small", "", simplified));
  return button;
}

/** @param {View} view @returns {HTMLElement[]} */
function headButtons(view) {
  const { mean, layers, look } = view.data;
  /** @param {string} name @param {string} label @param {string} title @param {string} kind */
  const button = (name, label, title, kind) =>
    make("button", kind, label, {
      title,
      ariaPressed: String(look === name),
      onclick: () => view.choose({ look: name }),
    });
  const groups = layers.map(({ label, heads }) =>
    make("span", "layer", [
      make("small", "", label),
      ...heads.map((head) => button(head.name, head.label, head.title, head.aligns ? "aligns" : "")),
    ]),
  );
  return [button("mean", mean, "", "mean"), ...groups];
}

/**
 * A word's moment is marked and played; pressed again, the sound stops.
 * @param {View} view @param {number} i
 */
function pressWord(view, i) {
  const { playback, store, word, data } = view,
    again = word === i && playback.playing !== null;
  view.moment = null;
  view.word = i;
  if (again) playback.stop();
  else if (store?.sound) playback.from(store.sound, data.words[i].at);
  show(view);
  if (i !== word) view.choose({ word: i });
}

/** @param {View} view */
function show(view) {
  const { root, store, data, canvas, rows, word, lines, scales } = view,
    sound = store?.sound;
  if (!root.isConnected || !sound || sound.id !== data.sound || !store.trace) return;
  const palette = paletteOf(root, store.trace),
    row = data.words.length ? rows.subarray(word * sound.tokens, (word + 1) * sound.tokens) : null,
    drawn = [sound.id, palette.ground, word, data.look, canvas.clientWidth].join("|");
  root.classList.remove("waiting"); // until now the words had no positions
  if (view.drawn !== drawn) {
    draw(canvas, sound, { row, allowed: null, scale: data.scale }, palette);
    arrange(view, sound);
  }
  view.drawn = drawn;
  scales.draw(sound, data.scale, palette);
  layOver(lines.chosen, sound, data.words.length ? momentOf(view, sound) : null);
  layOver(lines.under, sound, view.moment);
  mark(view, sound);
  playing(view);
}

/** @param {Sound} sound @param {number} seconds */
const frameAt = ({ hop, pool, rate }, seconds) => Math.round((seconds * rate) / (hop * pool));

/**
 * The frame of the chosen word; the first one if nothing was spoken.
 * @param {View} view @param {Sound} sound
 */
const momentOf = ({ data, word }, sound) => frameAt(sound, data.words[word]?.at ?? 0);

/**
 * Every word under its moment, in the first row where it has room.
 * @param {View} view @param {Sound} sound
 */
function arrange({ words, data }, { tokens, pool, hop, rate }) {
  const seconds = (tokens * pool * hop) / rate,
    width = words.clientWidth,
    buttons = /** @type {HTMLElement[]} */ ([...words.children]);
  /** @type {number[]} */
  const ends = [];
  buttons.forEach((button, i) => {
    const wide = button.offsetWidth,
      left = Math.max(0, Math.min(width - wide, (data.words[i].at / seconds) * width)),
      free = ends.findIndex((end) => end <= left),
      row = free < 0 ? ends.length : free;
    ends[row] = left + wide + 2;
    button.style.left = `${left}px`;
    button.style.top = `${row * ROW}px`;
  });
  words.style.height = `${ends.length * ROW}px`;
}

/**
 * The weight that each word gives to a moment and what is near it.
 * @param {View} view @param {Sound} sound @param {number} frame
 */
function sharesAt({ rows, data }, { tokens }, frame) {
  const from = Math.max(0, frame - NEAR),
    to = Math.min(tokens, frame + NEAR + 1);
  return data.words.map((_, i) => rows.subarray(i * tokens + from, i * tokens + to).reduce((a, b) => a + b, 0));
}

/**
 * Marks the chosen word, and those that looked at the chosen moment; says it in words.
 * @param {View} view @param {Sound} sound
 */
function mark(view, sound) {
  const { data, moment, word, words, spot, lanes } = view,
    { texts } = data,
    shares = moment === null ? [] : sharesAt(view, sound, moment),
    largest = Math.max(...shares);
  [...words.children].forEach((button, i) => {
    button.ariaPressed = String(i === word);
    button.classList.toggle("looks", largest > 0 && shares[i] >= HALF * largest);
  });
  const seconds = ((moment ?? 0) * sound.pool * sound.hop) / sound.rate;
  spot.textContent = !data.words.length ? "" : moment === null ? spoken(view) : looked(data, seconds, shares);
  const at = moment ?? momentOf(view, sound);
  Object.assign(lanes, {
    ariaValueMin: "0",
    ariaValueMax: String(sound.tokens - 1),
    ariaValueNow: String(at),
    ariaValueText: spot.textContent || texts.none,
  });
}

/** @param {View} view */
function spoken({ data: { words, texts }, word }) {
  const { text, at, pieces, probability } = words[word],
    filled = texts.spoken
      .replace("{word}", () => text)
      .replace("{time}", plain(at, 2))
      .replace("{probability}", short(probability));
  return pieces.length > 1 ? filled + texts.pieces.replace("{pieces}", () => pieces.join(" · ")) : filled;
}

/** @param {Speech} data @param {number} seconds @param {number[]} shares */
function looked({ words, texts }, seconds, shares) {
  const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, NAMED),
    named = order.map((i) => `${words[i].text} ${short(shares[i])}`).join(texts.join);
  return texts.looked.replace("{time}", plain(seconds, 2)).replace("{words}", () => named);
}

/** @param {View} view */
function playing({ playback, lines, store, play, data }) {
  play.textContent = `${playback.playing ? "■" : "▶"} ${data.texts.play}`;
  play.ariaPressed = String(playback.playing !== null);
  moveHead(lines.head, store?.sound, playback.at);
}

/** @param {View} view */
function listenTo(view) {
  const { lanes, play, playback } = view;
  const tokens = () => view.store?.sound?.tokens ?? 1;
  /** @param {number} frame */
  const look = (frame) => {
    view.moment = Math.max(0, Math.min(tokens() - 1, frame));
    show(view);
  };
  play.onclick = () => view.store?.sound && playback.press("whole", view.store.sound, null);
  lanes.onclick = (event) => look(cellUnder(lanes, event, 1, tokens()));
  lanes.onkeydown = (event) => {
    const sound = view.store?.sound;
    if (!sound) return;
    const at = view.moment ?? momentOf(view, sound);
    if (event.key === " ") playback.press("whole", sound, null);
    else if (event.key === "Home") look(0);
    else if (event.key === "End") look(sound.tokens - 1);
    else if (event.key in STEPS) look(at + STEPS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
