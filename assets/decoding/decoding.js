import { make } from "../microscope/dom.js";
import { short } from "../microscope/numbers.js";
import { fillCandidates } from "./candidates.js";
import { fillHeads } from "./heads.js";
import { drawnHead, signed, weightsOf } from "./drawn.js";
import { fillHeadline, fillPlayer } from "./player.js";
import { drawLines, fillWords } from "./words.js";

const REST = 300,
  BEAT = 1100; // ms: without a move, then the server is told; and for one word

// A translation word by word: what each word looks at, what else it might have been, and every head.
export default function ({ data, parentElement, setTriggerValue }) {
  const view = (parentElement.view ??= build(parentElement));
  view.say = () => {
    const { place, layer, head, by, moves } = view;
    setTriggerValue("rest", { place, layer, head, by, moves });
  };
  adopt(view, data);
  show(view);
  return () => {
    clearTimeout(view.resting);
    stop(view);
  };
}

function build(parentElement) {
  const root = parentElement.appendChild(make("section")),
    view = { root, moves: -1, hover: null, preview: null, playing: 0 };
  view.parts = Object.fromEntries(
    ["headline", "player", "scene", "told", "candidates", "heads"].map((name) => [
      name,
      make(name === "headline" ? "h2" : "div", name),
    ]),
  );
  const { headline, player, scene, told, candidates, heads } = view.parts,
    header = make("header"),
    below = make("div", "below");
  header.append(headline, player);
  below.append(candidates, heads);
  root.append(header, scene, told, below);
  told.setAttribute("aria-live", "polite");
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.onkeydown = (event) => pressed(view, event);
  Object.assign(view, {
    go: (place) => (stop(view), move(view, { place })),
    choose: (layer, head, by) => move(view, { layer, head, by, preview: null }),
    point: (hover) => look(view, { hover }),
    try: (preview) => look(view, { preview }),
    toggle: () => (view.playing ? (stop(view), show(view), rest(view)) : play(view)),
  });
  new ResizeObserver(() => view.data && show(view, true)).observe(scene);
  document.fonts.ready.then(() => view.data && show(view, true));
  return view;
}

// What the server chose, unless the reader has moved on since: her move is the latest word.
function adopt(view, data) {
  const sentence = JSON.stringify([data.source, data.target, data.forced]),
    other = sentence !== view.sentence;
  if (other || data.moves >= view.moves) {
    if (other) stop(view);
    const { place, layer, head, by, moves } = data;
    Object.assign(view, { place, layer, head, by, moves, hover: null, preview: null });
  }
  Object.assign(view, { sentence, data, steps: [...data.target, ...(data.ended ? [data.end] : [])] });
}

function move(view, changes) {
  Object.assign(view, changes, { hover: null, moves: view.moves + 1 });
  view.place = Math.max(0, Math.min(view.steps.length - 1, view.place));
  show(view);
  if (!view.playing) rest(view);
}

function look(view, changes) {
  Object.assign(view, changes);
  drawLines(view);
  tell(view);
}

function rest(view) {
  clearTimeout(view.resting);
  view.resting = setTimeout(view.say, REST);
}

function play(view) {
  const last = view.steps.length - 1,
    beat = () => {
      if (view.place < last) move(view, { place: view.place + 1 });
      if (view.place === last) view.toggle();
    };
  clearTimeout(view.resting);
  view.playing = setInterval(beat, BEAT);
  move(view, { place: view.place < last ? view.place + 1 : 0 });
}

function stop(view) {
  clearInterval(view.playing);
  view.playing = 0;
}

function pressed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key } = event,
    inButton = event.composedPath()[0].tagName === "BUTTON";
  const places = { ArrowLeft: view.place - 1, ArrowRight: view.place + 1, Home: 0, End: view.steps.length - 1 };
  if (key in places) view.go(places[key]);
  else if (key === " " && !inButton) view.toggle();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function show(view, resized = false) {
  if (!view.root.isConnected) return; // taken from the page, and not yet told so
  view.root.setAttribute("aria-label", view.data.words.figure);
  const words = view.sentence + view.data.words.instead,
    anew = words !== view.words;
  if (anew) fillWords(view);
  view.words = words;
  fillHeadline(view);
  fillPlayer(view);
  drawLines(view, anew || resized);
  fillCandidates(view);
  fillHeads(view);
  tell(view);
}

// Where the word that is looked at looks most, in words.
function tell(view) {
  const { data, steps, hover, place } = view,
    { words } = data,
    at = hover ?? place,
    row = weightsOf(view)[at],
    best = row.indexOf(Math.max(...row));
  const values = {
    word: [signed(data, steps[at]), "query"],
    key: [data.source[best], "key"],
    weight: [short(row[best]), "number"],
  };
  const parts = (row[best] > 0.5 ? words.looks : words.spreads).split(/\{(\w+)\}/);
  view.parts.told.replaceChildren(
    make("small", "", drawnHead(view)),
    ...parts.map((part, i) => (i % 2 ? make("b", values[part][1], values[part][0]) : make("span", "", part))),
  );
}
