import { looking, weightsOf } from "../microscope/attended.js";
import { connect } from "../microscope/connect.js";
import { make } from "../microscope/dom.js";
import { plain } from "../microscope/numbers.js";
import { paletteOf } from "../microscope/theme.js";
import { Hearing } from "./hearing.js";
import { LANES, GAP, along, draw } from "./lanes.js";

const FAR = 10,
  STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -FAR, PageUp: FAR };
const BAR_STOPS = 13;

// A sound on one time axis: waveform, spectrogram and the weights of one frame, its place in time a
// line through all of them.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? build(parentElement);
  root.sent = { ...data, row: floats(data.row), allowed: data.allowed && bytes(data.allowed) };
  root.stop?.();
  label(root);
  root.stop = connect("main", (store) => {
    root.store = store;
    show(root);
    return store.listen(() => soon(root));
  });
  return () => {
    root.stop();
    root.hearing.stop();
  };
}

// What is pointed at may change more often than the screen.
function soon(root) {
  cancelAnimationFrame(root.waiting);
  root.waiting = requestAnimationFrame(() => show(root));
}

function build(parentElement) {
  const root = parentElement.appendChild(make("section")),
    tools = make("div", "tools");
  root.buttons = { whole: make("button", "whole"), part: make("button", "part") };
  root.spot = make("p", "spot");
  root.bar = make("div", "bar");
  root.bar.append(make("small", "", "0"), make("div"), make("small"));
  tools.append(root.buttons.whole, root.buttons.part, root.spot, root.bar);
  root.lanes = make("div", "lanes");
  root.lanes.tabIndex = 0;
  root.lanes.setAttribute("role", "slider");
  root.canvas = root.lanes.appendChild(make("canvas"));
  root.lines = Object.fromEntries(
    ["chosen", "seen", "under", "head"].map((name) => [name, root.lanes.appendChild(make("i", name))]),
  );
  root.hertz = root.lanes.appendChild(make("div", "hertz"));
  root.append(tools, root.lanes);
  root.hearing = new Hearing(() => playing(root));
  new ResizeObserver(() => show(root, true)).observe(root.lanes);
  listenTo(root);
  return root;
}

function label(root) {
  const { words } = root.sent;
  root.lanes.setAttribute("aria-label", words.axis);
  root.bar.lastElementChild.textContent = root.sent.scale.printed;
  root.bar.title = words.weight;
}

// The frame that the microscope looks from, and its row of weights where it is in the browser.
function seen({ sent, store }) {
  const { sound } = store,
    live = store.isReady && store.trace.stage("weights") && store.trace.size("weights", "query") === sound.tokens;
  const { query, key } = live ? looking(store) : { query: sent.query, key: null },
    row = live ? weightsOf(store, query) : null;
  const chosen = live ? store.placeOf("weights", "query") : sent.query;
  if (row) return { ...sent, chosen, query, key, row, allowed: allowedBy(store, query, sound.tokens) };
  return { ...sent, chosen, key };
}

function allowedBy(store, query, count) {
  const { trace } = store,
    rule = trace.stage("masked")?.rule;
  if (!rule) return null;
  const at = { batch: trace.sample, head: 0, query },
    masks = rule.allowed;
  return Uint8Array.from({ length: count }, (_, key) => masks.every((mask) => trace.cell(mask, { ...at, key })));
}

function show(root, anew = false) {
  const { store } = root,
    sound = store?.sound;
  if (!root.isConnected || !sound || sound.id !== root.sent.sound || !store.trace) return;
  if (root.of !== sound.id) root.hearing.stop();
  root.of = sound.id;
  root.now = seen(root);
  const palette = paletteOf(root, store.trace),
    shown = [sound.id, palette.ground, String(root.now.row), String(root.now.allowed), root.canvas.clientWidth].join(
      "|",
    );
  if (anew || root.shown !== shown) draw(root.canvas, sound, root.now, palette);
  root.shown = shown;
  root.bar.children[1].style.background = `linear-gradient(to right, ${Array.from({ length: BAR_STOPS }, (_, i) => palette.share[Math.min(4, Math.round(4 * along(root.now.scale, (root.now.scale.largest * i) / (BAR_STOPS - 1))))]).join()})`;
  const { hertz } = root;
  hertz.replaceChildren(...[sound.names.at(-1), sound.names[0]].map((name) => make("small", "", name)));
  hertz.style.top = `${LANES.wave + GAP}px`;
  hertz.style.height = `${LANES.bands}px`;
  line(root, "chosen", root.now.query);
  line(root, "seen", root.now.key);
  tell(root);
  playing(root);
}

function line(root, name, token) {
  const { tokens } = root.store.sound,
    element = root.lines[name];
  element.hidden = token === null || token === undefined;
  if (element.hidden) return;
  element.style.left = `${(100 * token) / tokens}%`;
  element.style.width = `max(2px, ${100 / tokens}%)`;
}

const moment = ({ hop, pool, rate }, token) => `${plain((token * pool * hop) / rate, 2)} s`;

// Which frame looks, at which one, and what weight it gives.
function tell(root) {
  const { sound } = root.store,
    { query, key, row, allowed, words } = root.now,
    to = root.under ?? key;
  const said = to === null ? moment(sound, query) : `${moment(sound, query)} → ${moment(sound, to)}`;
  const given =
    to === null
      ? ""
      : allowed && !allowed[to]
        ? words.forbidden
        : plain(row[to], 1 + Math.ceil(Math.log10(sound.tokens + 1)));
  const parts =
    to === null
      ? [make("b", "query", said)]
      : [
          make("b", "query", moment(sound, query)),
          make("b", "key", ` → ${moment(sound, to)} `),
          make("span", "", given),
        ];
  root.spot.replaceChildren(...parts);
  Object.assign(root.lanes, {
    ariaValueMin: 0,
    ariaValueMax: sound.tokens - 1,
    ariaValueNow: query,
    ariaValueText: `${said} ${given}`.trim(),
  });
  line(root, "under", root.under ?? null);
}

function playing(root) {
  const { hearing, lines, now, store } = root,
    sound = store?.sound;
  if (!now || !sound) return;
  const names = {
    whole: now.words.play,
    part: now.words.hear.replace("{time}", moment(sound, hearing.playing === "part" ? root.heard : now.chosen)),
  };
  for (const what of ["whole", "part"]) {
    const on = hearing.playing === what;
    root.buttons[what].textContent = `${on ? "■" : "▶"} ${names[what]}`;
    root.buttons[what].setAttribute("aria-pressed", String(on));
  }
  lines.head.hidden = hearing.at === null;
  if (hearing.at !== null)
    lines.head.style.left = `${Math.min(100, (100 * hearing.at * sound.rate) / (sound.tokens * sound.pool * sound.hop))}%`;
}

function hear(root, what) {
  const { now, hearing, store } = root;
  root.heard = now.chosen;
  hearing.press(what, store.sound, what === "part" ? ownRow(root) : null);
}

function ownRow({ now, store }) {
  const found = store.isReady ? weightsOf(store, now.chosen) : null;
  return Array.from(found ?? now.row);
}

function listenTo(root) {
  const { lanes } = root;
  const under = (event) => {
    const box = lanes.getBoundingClientRect(),
      { tokens } = root.store.sound;
    return Math.max(0, Math.min(tokens - 1, Math.floor(((event.clientX - box.left) / box.width) * tokens)));
  };
  const point = (token) => {
    root.under = token;
    if (root.now) tell(root);
  };
  root.buttons.whole.onclick = () => hear(root, "whole");
  root.buttons.part.onclick = () => hear(root, "part");
  lanes.onpointermove = (event) => event.pointerType === "mouse" && root.now && point(under(event));
  lanes.onpointerleave = () => point(null);
  lanes.onclick = (event) => root.now && choose(root, under(event));
  lanes.onkeydown = (event) => {
    if (!root.now) return;
    const { tokens } = root.store.sound,
      at = root.now.chosen;
    if (event.key === " ") hear(root, "whole");
    else if (event.key === "Enter") hear(root, "part");
    else if (event.key === "Home") choose(root, 0);
    else if (event.key === "End") choose(root, tokens - 1);
    else if (event.key in STEPS)
      choose(root, Math.max(0, Math.min(tokens - 1, at + STEPS[event.key] * (event.shiftKey ? FAR : 1))));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const choose = ({ store }, query) => store.move({ places: { query } });

function floats(text) {
  return new Float32Array(bytes(text).buffer);
}

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
