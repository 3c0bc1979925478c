import { make } from "./dom.js";
import { drawStep } from "./draw.js";
import { drawFlight } from "./flight.js";
import { pointed, restOf, spotOf } from "./focus.js";
import { lightFormula, showFormula } from "./formula.js";
import { hint, isFirstVisit } from "./hints.js";
import { hide, listenToKeys } from "./keys.js";
import { isZoomed, layoutOf, zoomed } from "./layout.js";
import { drawLens } from "./lens.js";
import { litBy } from "./lit.js";
import { drawPair, drawPreview } from "./pair.js";
import { passport } from "./passport.js";
import { headPicture } from "./pictures.js";
import { playerOf } from "./play.js";
import { fillPlayer } from "./player.js";
import { isLarge, listenToPointer } from "./pointer.js";
import { presenterOf } from "./present.js";
import { roving } from "./roving.js";
import { isHere } from "./steps.js";
import { goBackTo, isReady, light, listen, meant, move, store } from "./store.js";
import { paletteOf } from "./theme.js";
import { tellSum } from "./told.js";

const AROUND = { page: 505, presenting: 350 }; // pixels that the rail, the words and, on a page, the sum take

export default function ({ parentElement }) {
  const view = (parentElement.view ??= build(parentElement));
  view.stop?.();
  const stops = [listen((what) => view.changed(what)), listenToKeys(view)];
  view.stop = () => stops.forEach((stop) => stop());
  view.changed("trace");
  return () => view.stop();
}

function build(parentElement) {
  const root = parentElement.appendChild(make("section"));
  const [header, title, player, shapes, trail, frame, pair, tools, sum, live] = [make("header"), make("h2"), make("div", "player"), make("p", "passport"), make("nav", "trail"), make("div", "figure"), make("div", "pair"), make("div", "tools"), make("div", "sum"), make("p", "live")];
  const canvas = frame.appendChild(make("canvas"));
  frame.append(tools, make("p", "loading"));
  header.append(title, player);
  root.append(header, shapes, trail, frame, pair, sum, live);
  canvas.tabIndex = 0;
  live.setAttribute("aria-live", "polite");
  const view = { root, title, buttons: player, shapes, trail, frame, canvas, pair, tools, sum, live, windows: {}, pending: new Set() };
  view.changed = (what) => changed(view, what);
  view.zoom = (times) => zoom(view, times);
  new ResizeObserver(() => view.changed("size")).observe(frame);
  document.fonts.ready.then(() => view.changed("size"));
  view.player = playerOf(view);
  view.present = presenterOf(view);
  listenToPointer(view);
  return view;
}

function changed(view, what) {
  view.pending.add(what);
  view.waiting ??= requestAnimationFrame((now) => {
    const all = view.pending;
    view.pending = new Set();
    view.waiting = null;
    show(view, all, now);
  });
}

function show(view, what, now) {
  const { trace } = store;
  if (!isReady()) return;
  const moved = what.has("trace") || what.has("place");
  if (view.stage !== store.stage || what.has("trace")) {
    view.windows = {};
    if (view.stage && view.stage !== store.stage) view.player.begin(view.layout?.boxes ?? null);
  }
  view.stage = store.stage;
  view.present();
  if (moved) words(view);
  if (moved || what.has("play")) fillPlayer(view.buttons);
  view.root.classList.toggle("waits", !isHere());
  view.root.classList.toggle("plays", store.playing);
  if (!isHere()) return;
  draw(view, now);
  if (moved || what.has("size") || what.has("play")) tools(view, trace.words.microscope);
  if (!view.greeted && isFirstVisit() && !store.presenting) hint(view);
  view.greeted = true;
  const spot = spotOf(store);
  if (moved || what.has("hover") || what.has("play")) tellSum(view, spot);
  if (what.has("hover")) {
    lightFormula(view.title, meant());
    lightFormula(view.shapes, meant());
  }
}

function words(view) {
  const { trace, stage, trail } = store, { microscope } = trace.words;
  view.title.replaceChildren(...trace.stage(stage).title.map(titled));
  roving(view.title, "[data-means]", null, { tabbed: true });
  view.canvas.setAttribute("role", "application");
  view.canvas.setAttribute("aria-roledescription", microscope.figure);
  view.frame.querySelector(".loading").textContent = microscope.loading;
  view.shapes.replaceChildren(...passport(trace, stage));
  view.trail.hidden = !trail.length;
  view.trail.replaceChildren(make("span", "", microscope.back_to), ...trail.map(({ stage: from }, i) => {
    const door = make("button", "", trace.stage(from)?.called ?? from);
    door.onclick = () => goBackTo(i);
    return door;
  }));
}

function titled(part) {
  const piece = make("span", "", typeof part === "string" ? part : "");
  if (typeof part !== "string") showFormula(piece, part, { onHover: light });
  return piece;
}

function tools(view, { zoom_in, zoom_out, whole, locked, unlock, hidden, reveal }) {
  const button = (text, label, onclick, hidden) => {
    const element = make("button", "", text);
    element.title = label;
    element.setAttribute("aria-label", label);
    element.hidden = hidden;
    element.onclick = onclick;
    return element;
  };
  view.tools.replaceChildren(
    button(`${hidden} ×`, reveal, hide, !store.hiding),
    button(`${locked} ×`, unlock, () => move({ locked: false }), !store.locked),
    button("+", zoom_in, () => zoom(view, 0.6), !isLarge()),
    button("−", zoom_out, () => zoom(view, 1 / 0.6), !view.layout || !isZoomed(view.layout)),
    button(whole, whole, () => zoom(view, Infinity), !view.layout || !isZoomed(view.layout)),
  );
}

function zoom(view, times) {
  if (!view.layout) return;
  const result = view.layout.boxes.length - 1, spot = store.hover?.plane === result && store.hover.column !== null ? store.hover : restOf();
  view.windows = times === Infinity ? {} : zoomed(view.windows, view.layout.boxes[result], spot, times);
  view.changed("size");
}

function draw(view, now) {
  const { trace, stage, locked, hover, lit: means } = store, { canvas, frame } = view, width = frame.clientWidth;
  if (!width) return;
  const drawing = trace.drawing(stage), tallest = Math.max(320, innerHeight - (store.presenting ? AROUND.presenting : AROUND.page));
  const layout = (view.layout = store.layout = layoutOf(drawing, Object.values(trace.drawings), width, tallest, view.windows, store.presenting ? 2.5 : undefined)), ratio = devicePixelRatio || 1;
  layout.boxes.at(-1).hides = store.hiding;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  canvas.style.height = `${layout.height}px`;
  const pen = canvas.getContext("2d"), palette = paletteOf(canvas, trace), at = pointed(store);
  pen.face = getComputedStyle(canvas).fontFamily;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const rest = litBy(trace, drawing, pointed({ ...store, hover: null }), { plane: drawing.planes.length - 1, ...restOf() });
  const lit = hover ? litBy(trace, drawing, at, hover) : locked ? rest : null;
  const step = { trace, drawing, layout, at, lit, rest, palette, means }, time = view.player.time(now);
  if (time !== null) {
    drawFlight(pen, step, view.player.flight.before, time);
    view.changed("flight");
  } else {
    drawStep(pen, step);
    if (store.previewed !== null && trace.head !== null) drawPreview(pen, step, headPicture(trace, stage, store.previewed, palette));
  }
  drawPair(view, step);
  if (hover && time === null && !(store.hiding && hover.plane === drawing.planes.length - 1)) drawLens(pen, trace, layout, hover, at, palette, store.presenting);
}
