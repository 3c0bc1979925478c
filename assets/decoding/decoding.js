import { around, isModified, make, onRemoval, viewOf } from "../shared/dom.js";
import { perCent } from "../microscope/engine/numbers.js";
import { fillCandidates } from "./candidates.js";
import { fillHeads } from "./heads.js";
import { drawnHead, signed, weightsOf } from "./shown_weights.js";
import { fillHeadline, fillPlayer } from "./player.js";
import { drawLines, fillWords } from "./words.js";

/** @import { Decoding, View } from "./types.d.ts" */

const SHOWN = "attention-microscope-translated",
  REMEMBERED = 100; // sentences
const REST = 300,
  BEAT = 1100,
  SLOW = 1700; // ms: without a move before a report to the server; for one word; for one word unasked

/**
 * A translation word by word: what each word looks at, what else it might have been, and every head.
 * @param {ComponentArgs<Decoding>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, () => build(parentElement, data));
  view.say = () => {
    const { position, layer, head, by, moves } = view;
    setTriggerValue("rest", { position, layer, head, by, moves });
  };
  adopt(view, data);
  if (isToPerform(view)) perform(view);
  show(view);
  return onRemoval(parentElement, () => {
    clearTimeout(view.resting);
    stop(view);
  });
}

/** @param {Ground} parentElement @param {Decoding} data @returns {View} */
function build(parentElement, data) {
  const parts = {
    headline: make("h2", "headline"),
    player: make("div", "player"),
    scene: make("div", "scene"),
    message: make("div", "message"),
    marks: make("div", "marks"),
    more: make("summary"),
    candidates: make("div", "candidates"),
    heads: make("div", "heads"),
  };
  const header = make("header", "", [parts.headline, parts.player]),
    below = make("details", "", [parts.more, make("div", "below", [parts.candidates, parts.heads])]),
    root = make("section", "", [header, parts.scene, parts.message, parts.marks, below], {
      role: "group",
      tabIndex: 0,
    });
  parentElement.append(root);
  root.onkeydown = (event) => pressed(view, event);
  const { position, layer, head, by } = data;
  /** @type {View} */
  const view = {
    ...{ root, parts, data, position, layer, head, by, moves: -1, hover: null, preview: null, playing: 0, resting: 0 },
    ...{ begins: null, steps: [], sentence: "", words: "", source: [], target: [], lines: [] },
    ...{ performing: false, elsewhere: (event) => finish(view, event) },
    say: () => {},
    go: (position) => {
      stop(view);
      move(view, { position });
    },
    choose: (look) => {
      if (view.performing) stop(view);
      move(view, { ...look, preview: null });
    },
    point: (hover) => look(view, { hover: hover ?? view.begins }),
    try: (preview) => look(view, { preview }),
    toggle: () => {
      if (!view.playing) return play(view);
      stop(view);
      move(view, {});
    },
  };
  new ResizeObserver(() => show(view, true)).observe(parts.scene);
  document.fonts.ready.then(() => show(view, true));
  return view;
}

/**
 * Adopts the step of the server, unless the reader has moved since or the translation plays by itself.
 * @param {View} view @param {Decoding} data
 */
function adopt(view, data) {
  const sentence = JSON.stringify([data.source, data.target, data.forced]),
    other = sentence !== view.sentence;
  if (other) stop(view);
  if (other || (data.moves >= view.moves && !view.performing)) {
    const { position, layer, head, by, moves } = data;
    const begins = other ? data.begins : null;
    Object.assign(view, { position, layer, head, by, moves, begins, hover: begins, preview: null });
  }
  Object.assign(view, { sentence, data, steps: [...data.target, ...(data.ended ? [data.end] : [])] });
}

/** @param {View} view @param {Partial<View>} changes */
function move(view, changes) {
  Object.assign(view, changes, { begins: null, hover: null, moves: view.moves + 1 });
  view.position = Math.max(0, Math.min(view.steps.length - 1, view.position));
  show(view);
  if (!view.playing) rest(view);
}

/** @param {View} view @param {Partial<View>} changes */
function look(view, changes) {
  Object.assign(view, changes);
  drawLines(view);
  describe(view);
}

/** @param {View} view */
function rest(view) {
  clearTimeout(view.resting);
  view.resting = setTimeout(view.say, REST);
}

/** @param {View} view */
function play(view) {
  const last = view.steps.length - 1,
    beat = () => {
      if (view.position < last) move(view, { position: view.position + 1 });
      if (view.position === last) view.toggle();
    };
  clearTimeout(view.resting);
  view.playing = setInterval(beat, BEAT);
  move(view, { position: view.position < last ? view.position + 1 : 0 });
}

/**
 * A translation that is new in this tab plays by itself once, unless the link asks for a step of it.
 * @param {View} view
 */
function isToPerform({ data }) {
  const first = comesFirst(data.source.join(" ")),
    calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return first && !data.named && !data.forced && data.position > 0 && !calm;
}

/**
 * Whether a sentence is shown in this tab for the first time, which it then is no more.
 * @param {string} sentence
 */
function comesFirst(sentence) {
  /** @type {string[]} */
  const shown = JSON.parse(sessionStorage.getItem(SHOWN) ?? "[]");
  if (shown.includes(sentence)) return false;
  sessionStorage.setItem(SHOWN, JSON.stringify([...shown, sentence].slice(-REMEMBERED)));
  return true;
}

/**
 * Plays from the first word to the step of the server, which needs no report therefore.
 * @param {View} view
 */
function perform(view) {
  const beat = () => {
    if (document.hidden) return;
    view.position += 1;
    if (view.position === view.data.position) end(view);
    else show(view);
  };
  Object.assign(view, { performing: true, position: 0, begins: null, hover: null, playing: setInterval(beat, SLOW) });
  addEventListener("keydown", view.elsewhere, true);
}

/**
 * A key that is pressed elsewhere on the page ends the playback with the whole sentence.
 * @param {View} view @param {KeyboardEvent} event
 */
function finish(view, event) {
  if (event.composedPath().includes(view.root)) return;
  end(view);
}

/** @param {View} view */
function end(view) {
  const { position, begins } = view.data;
  stop(view);
  Object.assign(view, { position, begins, hover: begins });
  show(view);
}

/** @param {View} view */
function stop(view) {
  clearInterval(view.playing);
  removeEventListener("keydown", view.elsewhere, true);
  Object.assign(view, { playing: 0, performing: false });
}

/** @param {View} view @param {KeyboardEvent} event */
function pressed(view, event) {
  if (isModified(event)) return;
  const { key } = event,
    inButton = Boolean(around(event, "button, summary"));
  /** @type {Record<string, number>} */
  const positions = {
    ArrowLeft: view.position - 1,
    ArrowRight: view.position + 1,
    Home: 0,
    End: view.steps.length - 1,
  };
  if (key in positions) view.go(positions[key]);
  else if ((key === " " || view.performing) && !inButton) view.toggle();
  else return;
  if (key === "Tab") return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {View} view @param {boolean} [resized] */
function show(view, resized = false) {
  if (!view.root.isConnected) return; // removed from the page, before the cleanup has run
  view.root.ariaLabel = view.data.words.figure;
  view.parts.marks.textContent = view.data.words.marks;
  view.parts.more.textContent = view.data.words.more;
  view.parts.message.ariaLive = view.performing ? "off" : "polite"; // playback that was not asked for is silent
  const words = view.sentence + view.data.words.instead,
    anew = words !== view.words;
  if (anew) fillWords(view);
  view.words = words;
  fillHeadline(view);
  fillPlayer(view);
  drawLines(view, anew || resized);
  fillCandidates(view);
  fillHeads(view);
  describe(view);
}

/**
 * Describes the largest weight of the current word.
 * @param {View} view
 */
function describe(view) {
  const { data, steps, hover, position } = view,
    { words } = data,
    at = hover ?? position,
    row = weightsOf(view)[at],
    best = row.indexOf(Math.max(...row));
  /** @type {Record<string, [text: string, role: string]>} */
  const values = {
    word: [signed(data, steps[at]), "query"],
    key: [data.source[best], "key"],
    weight: [perCent(row[best]), "number"],
  };
  const parts = (row[best] > 0.5 ? words.looks : words.spreads).split(/\{(\w+)\}/);
  view.parts.message.replaceChildren(
    make("small", "", drawnHead(view)),
    ...parts.map((part, i) => (i % 2 ? make("b", values[part][1], values[part][0]) : make("span", "", part))),
  );
}
