import { label, make, penOf, setText } from "../../shared/dom.js";
import { drawStep } from "./draw.js";
import { drawAnimation } from "./step_animation.js";
import { lightFormula, showFormula } from "../words/formula.js";
import { followHint, hint, isFirstVisit } from "../words/hints.js";
import { isWaiting } from "../engine/trace.js";
import { figureKeys } from "../stepper/keys.js";
import { finderOf } from "./find.js";
import { isZoomed, layoutOf, zoomed } from "./layout.js";
import { drawLens } from "./lens.js";
import { litBy } from "./lit.js";
import { drawPair, drawPreview } from "./pair.js";
import { shapeSignature } from "../words/shape_signature.js";
import { headPicture } from "./pictures.js";
import { playerOf } from "../stepper/play.js";
import { playerButtons } from "../stepper/player.js";
import { isLarge, listenToPointer } from "./pointer.js";
import { roving } from "../stepper/roving.js";
import { bringSum, showCellSum, showWaiting } from "../words/cell_sum.js";

const AROUND = 450, // pixels that stand above and below the figure of a page
  LOWEST = { page: 320, presenting: 200 },
  HALL = { smallest: 0.15, largest: 2.5, digits: 20 }, // rather small than cut off
  READ_FROM_AFAR = 1152; // width of a screen on which text has the size of its design: 20 pixels of 1920 and more

/**
 * The step: its title, player and shapes, the planes that answer the pointer, and, apart, the sum of a cell.
 * request: asks for another frame, and says why.
 * @param {Store} store
 * @param {PartContext} given
 */
export function figure(store, { request, hints }) {
  const root = make("section", "step"),
    canvas = make("canvas", "", "", { role: "application", tabIndex: 0 }),
    frame = make("div", "figure", [canvas]),
    player = playerOf(store, frame, () => request("size"));
  /** @type {View} */
  const view = {
    store,
    hints,
    root,
    frame,
    canvas,
    player,
    title: make("h2"),
    shapes: make("p", "signature"),
    trail: make("nav", "trail"),
    pair: make("div", "pair"),
    sum: make("div", "sum"),
    live: make("p", "live", "", { ariaLive: "polite" }),
    channels: make("div", "channels"),
    loading: make("p", "loading"),
    buttons: playerButtons(store, player),
    tools: toolsOf(store, (times) => view.zoom(times)),
    windows: {},
    changed: request,
    redraw: () => request("animation"),
    zoom: (times) => zoom(view, times),
  };
  frame.append(view.tools.element, view.loading);
  const header = make("header", "", [view.title, view.buttons.element]);
  view.find = finderOf(view);
  root.append(header, view.shapes, view.trail, frame, view.find.element, view.channels, view.pair, view.live);
  const resized = new ResizeObserver(() => view.changed("size"));
  resized.observe(frame);
  document.fonts.ready.then(() => view.changed("size"));
  listenToPointer(view);
  return {
    view,
    element: root,
    keys: figureKeys(view),
    sum: view.sum,
    player,
    /** @param {Set<What>} what @param {Frame} frame */
    changed: (what, frame) => show(view, what, frame),
    /** @param {Set<What>} what */
    settle: (what) => what.has("selection") && bringSum(view),
    destroy() {
      resized.disconnect();
      player.pause();
      clearTimeout(view.sumTimer);
    },
  };
}

/**
 * Draws before anything is written: a canvas that is given a font has the whole page laid out first.
 * @param {View} view @param {Set<What>} what @param {Frame} frame
 */
function show(view, what, frame) {
  const { store } = view,
    moved = what.has("trace") || what.has("selection");
  if (view.stage !== store.stage || what.has("trace")) {
    view.windows = {};
    if (view.stage && view.stage !== store.stage) view.player.begin(view.layout?.boxes ?? null);
  }
  view.stage = store.stage;
  const isMissing = !store.isHere || isWaiting(() => draw(view, frame));
  if (moved || what.has("part")) words(view);
  if (moved || what.has("play")) view.buttons.changed();
  view.root.classList.toggle("waits", isMissing);
  view.root.classList.toggle("plays", store.playing);
  if (!store.isHere) return;
  if (moved || what.has("size") || what.has("play")) view.tools.changed(view.layout);
  if (moved || what.has("size")) isWaiting(() => view.find?.changed());
  if (view.hints && !view.greeted && isFirstVisit() && !store.presenting) hint(view);
  view.greeted = true;
  followHint(view);
  if ((moved || what.has("hover") || what.has("play")) && isWaiting(() => showCellSum(view, store.spot)))
    showWaiting(view);
  if (what.has("hover")) {
    lightFormula(view.title, store.meant);
    lightFormula(view.shapes, store.meant);
  }
}

/** @param {View} view */
function words(view) {
  const { store } = view,
    { trace, stage, trail } = store,
    { microscope } = trace.words;
  view.title.replaceChildren(...trace.stage(stage).title.map((part) => titled(store, part)));
  roving(view.title, "[data-means]", null, { tabbed: true });
  view.canvas.ariaRoleDescription = microscope.figure;
  setText(view.loading, trace.isLost ? microscope.lost : microscope.loading);
  view.shapes.replaceChildren(...shapeSignature(store));
  view.channels.replaceChildren(...channelsOf(store));
  roving(view.channels, "button", view.channels.querySelector("[aria-pressed='true']"), { tabbed: true });
  view.trail.hidden = !trail.length;
  view.trail.replaceChildren(
    make("span", "", microscope.back_to),
    ...trail.map(({ stage: from }, i) =>
      make("button", "", trace.stage(from)?.called ?? from, { onclick: () => store.goBackTo(i) }),
    ),
  );
}

/** @param {Store} store @param {string | Formula} part */
function titled(store, part) {
  const piece = make("span", "", typeof part === "string" ? part : "");
  if (typeof part !== "string") showFormula(piece, part, { onHover: (means) => store.light(means) });
  return piece;
}

/**
 * What stands over the figure: reveals the result, lets go of a cell, and zooms.
 * @param {Store} store @param {(times: number) => void} zoom
 */
function toolsOf(store, zoom) {
  const element = make("div", "tools");
  /** @param {() => void} onclick */
  const button = (onclick) => element.appendChild(make("button", "", "", { onclick }));
  const reveal = button(() => store.toggleResult()),
    unlock = button(() => store.move({ locked: false })),
    closer = button(() => zoom(0.6)),
    farther = button(() => zoom(1 / 0.6)),
    all = button(() => zoom(Infinity));

  /** @param {Layout | undefined} layout */
  function changed(layout) {
    const words = store.trace.words.microscope;
    if (store.isLed) label(reveal, words.hidden, words.hidden);
    else label(reveal, `${words.hidden} ×`, words.reveal);
    reveal.disabled = store.isLed;
    label(unlock, `${words.locked} ×`, words.unlock);
    label(closer, "+", words.zoom_in);
    label(farther, "−", words.zoom_out);
    label(all, words.whole, words.whole);
    reveal.hidden = !store.resultHidden;
    unlock.hidden = !store.locked;
    closer.hidden = !isLarge(store);
    farther.hidden = all.hidden = !layout || !isZoomed(layout);
    element.classList.toggle("many", !all.hidden);
  }

  return { element, changed };
}

/**
 * While it plays, words and sum are of the cell that is filled, as if it were pointed at.
 * @param {View} view @param {{ row: number, column: number | null } | null} filled
 */
function follow(view, filled) {
  const { store } = view;
  if (filled) store.point({ plane: store.trace.drawing(store.stage).planes.length - 1, ...filled });
  else if (view.follows) store.point(null);
  view.follows = Boolean(filled);
}

/** @param {View} view @param {number} times */
function zoom(view, times) {
  const { hover, rest } = view.store;
  if (!view.layout) return;
  const result = view.layout.boxes.length - 1,
    spot = hover?.plane === result && hover.column !== null ? { row: hover.row, column: hover.column } : rest;
  view.windows = times === Infinity ? {} : zoomed(view.windows, view.layout.boxes[result], spot, times);
  view.changed("size");
}

/** @param {View} view @param {Frame} frame */
function draw(view, { now, face, palette }) {
  const { store, canvas } = view,
    { trace, stage, locked, hover, lit: means } = store,
    width = view.frame.clientWidth;
  if (!width) return;
  const drawing = trace.drawing(stage),
    tallest = store.presenting
      ? Math.max(LOWEST.presenting, view.frame.clientHeight - 1) // which may have been rounded up
      : Math.max(LOWEST.page, innerHeight - AROUND);
  const scales = store.presenting ? { ...HALL, textScale: innerWidth / READ_FROM_AFAR } : undefined,
    layout = layoutOf(drawing, Object.values(trace.drawings), width, tallest, view.windows, scales),
    ratio = devicePixelRatio || 1;
  view.layout = store.layout = layout;
  layout.boxes.at(-1).hides = store.resultHidden;
  const size = { width: Math.round(width * ratio), height: Math.round(layout.height * ratio) };
  if (size.width !== canvas.width || size.height !== canvas.height) {
    Object.assign(canvas, size);
    canvas.style.height = `${layout.height}px`;
  }
  const pen = penOf(canvas, face),
    at = store.pointed();
  pen.reset();
  pen.scale(ratio, ratio);
  const rest = litBy(trace, drawing, store.pointed({ hover: null }), {
    plane: drawing.planes.length - 1,
    ...store.rest,
  });
  const lit = hover ? litBy(trace, drawing, at, hover) : locked ? rest : null;
  /** @type {Step} */
  const step = { trace, drawing, layout, at, lit, rest, chosen: store.rest, palette, means, redraw: view.redraw };
  const time = view.player.time(now);
  let filled = null;
  if (time !== null && !store.resultHidden) {
    filled = drawAnimation(pen, step, view.player.animation?.before ?? null, time);
    view.changed("animation");
  } else {
    drawStep(pen, step);
    if (store.previewed !== null && trace.head !== null && !store.resultHidden)
      drawPreview(pen, step, headPicture(store, store.previewed, palette));
  }
  drawPair(view, step, face);
  follow(view, store.playing ? filled : null);
  if (hover && time === null && !(store.resultHidden && hover.plane === drawing.planes.length - 1))
    isWaiting(() => drawLens(pen, step, hover, store.presenting));
}

/**
 * Buttons to choose the drawn channel of a stage with several.
 * @param {Store} store
 */
function channelsOf(store) {
  const { trace, stage } = store,
    axis = trace.stage(stage).roles.indexOf("channel"),
    count = trace.size(stage, "channel");
  if (axis < 0 || count < 2 || store.drawnRoles(stage).includes("channel")) return [];
  const chosen = store.positionOf(stage, "channel");
  return [
    make("span", "", trace.words.channel),
    ...Array.from({ length: count }, (_, channel) => {
      const given = { ariaPressed: String(channel === chosen), onclick: () => store.move({ positions: { channel } }) };
      return make("button", "", trace.label(stage, axis, channel), given);
    }),
  ];
}
