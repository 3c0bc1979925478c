import { unpacked } from "../microscope/engine/blob.js";
import { connect } from "../microscope/hosts/connect.js";
import { effect, focusedBeside, make, penOf, sectionOf, within } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { css, paletteOf, rampOf } from "../microscope/theme.js";
import { coverHidden } from "../microscope/figure/hidden_tokens.js";
import { gradient } from "../shared/scale.js";
import { shape } from "../shared/svg.js";

/**
 * What views/widgets/model_map.py sends: where everything stands, and a small picture of each attention.
 * @typedef {{ path: string, box: Box4, name: string, layer: string, where: string, does: string, about: string }} MapBox
 * @typedef {{ box: Box4, name: string, does: string, about: string }} Others
 * @typedef {{ path: string, source: string, target: string, memory: boolean }} Line
 * @typedef {{ shape: [rows: number, columns: number], values: Uint8Array }} Small
 * @typedef {{
 *   label: string, chosen: string, beside: { name: string, where: string, about: string } | null, hidden: number[], size: [width: number, height: number], room: number | null,
 *   mean: string, ticks: string[], palettes: { light: Palette, dark: Palette }, boxes: MapBox[], others: Others[],
 *   lines: Line[], frames: { name: string, box: Box4 }[], arrays: Record<string, Small>,
 * }} ModelMap
 */

const SIDE = 27,
  MASKED = 0;
const LONG = 9; // letters of the name of a side
const CLOSE = 0.85; // of its width: a map that has a little less room is drawn smaller and not cut
const BAR = 70,
  STOPS = 9;

/**
 * Every part of a model as a box with the way to it; the one that the viewer shows is marked.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const section = sectionOf(parentElement),
    focused = focusedBeside(section)?.dataset.path;
  /** @type {ModelMap} */
  const map = unpacked(data);
  const palette = paletteOf(section, map);
  const sheet = make("article"),
    scroll = make("div", "scroll", [sheet]),
    [width, height] = map.size,
    known = section.firstElementChild?.scrollLeft;
  section.style.setProperty("--width", `${width}px`);
  sheet.style.height = `${height}px`;
  sheet.append(...map.frames.map((frame) => framed(frame, map)), lines(map), ...memoryLabel(map));
  const parts = map.boxes.map((box) => ({ ...box, element: button(box, map, palette) }));
  const notes = map.others.map((others) => ({ ...others, element: passed(others, map, section) }));
  sheet.append(...[...parts, ...notes].sort(inOrder).map(({ element }) => element));
  Object.assign(section, { role: "group", ariaLabel: map.label });
  if (map.room !== null) section.style.setProperty("--room", String(map.room / width));
  section.replaceChildren(scroll, summary(map, palette));
  for (const { path, element } of parts) {
    element.onclick = () => {
      mark(section, map, path);
      setTriggerValue("choose", path);
    };
  }
  scroll.scrollLeft = known ?? 0;
  mark(section, map, map.chosen);
  if (focused) parts.find(({ path }) => path === focused)?.element.focus({ preventScroll: true });
  return effect(parentElement, () => {
    const stopNaming = connect("main", (store) => nameIn(store, chosen(section, map))),
      stopFitting = fitted(section, map);
    return () => {
      stopFitting();
      stopNaming();
    };
  });
}

/**
 * The microscope says which part of the model it shows, and leaves that when the map goes.
 * @param {Store} store @param {{ name: string, where: string } | undefined} part
 */
function nameIn(store, part) {
  /** @param {string} text */
  const say = (text) => {
    if (store.part === text) return;
    store.part = text;
    store.notify("part");
  };
  say(part ? [part.where, part.name].filter(Boolean).join(" · ") : "");
  return () => say("");
}

/**
 * Row by row and from left to right, as they are read: the middles of a row's boxes are at one height.
 * @param {{ box: Box4 }} one @param {{ box: Box4 }} other
 */
function inOrder({ box: [x, y, , height] }, { box: [x2, y2, , height2] }) {
  return y + height / 2 - (y2 + height2 / 2) || x - x2;
}

/** @param {HTMLElement} section @param {ModelMap} map @param {string} path */
function mark(section, map, path) {
  for (const box of section.querySelectorAll("button")) box.ariaCurrent = box.dataset.path === path ? "true" : null;
  for (const line of section.querySelectorAll("path"))
    line.classList.toggle("now", path === line.dataset.source || path === line.dataset.target);
  roving(section, "button, .others", section.querySelector("[aria-current]"));
  readOut(section, chosen(section, map));
  centre(section);
}

/**
 * The chosen box, or what is shown in place of one.
 * @param {HTMLElement} section @param {ModelMap} map
 */
function chosen(section, map) {
  /** @type {HTMLElement | null} */
  const now = section.querySelector("[aria-current]");
  return map.boxes.find((box) => box.path === now?.dataset.path) ?? map.beside ?? undefined;
}

/** @param {HTMLElement} section @param {{ name: string, where: string, about: string } | undefined} part */
function readOut(section, part) {
  if (!part) return;
  const { name, where, about } = part;
  within(section, ".about").replaceChildren(
    make("b", "", name),
    ...(where ? [` · ${where}`] : []),
    "\u2003",
    make("span", "", about),
  );
}

/** @param {HTMLElement} section */
function centre(section) {
  const scroll = within(section, ".scroll");
  /** @type {HTMLElement | null} */
  const now = section.querySelector("[aria-current]");
  if (now) scroll.scrollLeft = now.offsetLeft - (scroll.clientWidth - now.offsetWidth) / 2;
}

/**
 * With its width, or another one, the map may fit if it is a little smaller, or have room for its words, and brings the chosen box into view.
 * @param {HTMLElement} section @param {ModelMap} map
 */
function fitted(section, { room, size: [width] }) {
  const observer = new ResizeObserver(() => {
    const part = Math.floor((1000 * section.clientWidth) / width) / 1000;
    within(section, "article").style.zoom = part >= CLOSE && part < 1 ? String(part) : "";
    section.classList.toggle("roomy", room !== null && section.clientWidth >= width);
    centre(section);
  });
  observer.observe(section);
  return () => observer.disconnect();
}

/**
 * @template {HTMLElement} Put
 * @param {Put} element @param {Box4} box @param {[width: number, height: number]} size
 */
function put(element, [x, y, width, height], [whole]) {
  Object.assign(element.style, {
    left: `${(100 * x) / whole}%`,
    top: `${y}px`,
    width: `${(100 * width) / whole}%`,
    height: `${height}px`,
  });
  return element;
}

/** @param {{ name: string, box: Box4 }} frame @param {ModelMap} map */
function framed({ name, box }, { size }) {
  const element = put(make("div", name ? "side" : "layer", name), box, size);
  if (/^\p{ASCII}+$/u.test(name)) element.lang = "en"; // a model's name stands as in English, in any language
  element.classList.toggle("long", name.length > LONG);
  return element;
}

/**
 * Layers that have no parts to open here: a focused one shows below why.
 * @param {Others} others @param {ModelMap} map @param {HTMLElement} section
 */
function passed({ box, name, does, about }, map, section) {
  const parts = [make("span", "name", name), make("span", "does", does)],
    element = put(make("div", "others", parts, { title: about, role: "button" }), box, map.size);
  element.onfocus = () => readOut(section, { name, where: does, about });
  element.onblur = () => section.contains(element) && readOut(section, chosen(section, map));
  return element;
}

/** @param {ModelMap} map */
function lines({ size: [width, height], lines }) {
  const viewBox = `0 0 ${width} ${height}`,
    svg = shape("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { path, source, target, memory } of lines) {
    const line = svg.appendChild(shape("path", { d: path }));
    line.classList.toggle("memory", memory);
    Object.assign(line.dataset, { source, target });
  }
  return svg;
}

/**
 * What the encoder hands over to every cross-attention.
 * @param {ModelMap} map
 */
function memoryLabel({ boxes, lines, size }) {
  const line = lines.findLast(({ memory }) => memory);
  if (!line) return [];
  const [from, to] = [line.source, line.target].map((path) => boxes.find((box) => box.path === path)?.box);
  if (!from || !to) return [];
  const label = make("span", "handed symbol", "K, V"),
    middle = (from[0] + from[2] / 2 + to[0] + to[2] / 2) / 2;
  Object.assign(label.style, { left: `${(100 * middle) / size[0]}%`, top: `${(from[1] + from[3] + to[1]) / 2}px` });
  return [label];
}

/** @param {MapBox} part @param {ModelMap} map @param {Palette} palette */
function button({ path, box, name, layer, where, does, about }, map, palette) {
  const head = make("span", "name", name),
    body = make("span", "body"),
    title = [where, does, about].filter(Boolean).join("\n"),
    element = put(make("button", "", [head, body], { title }), box, map.size);
  element.dataset.path = path;
  if (layer) head.append(make("i", "", layer));
  else if (where) head.append(make("i", "unseen", where));
  const small = map.arrays[path];
  if (small) {
    element.classList.add("attention");
    body.append(picture(small, palette, map.hidden));
  }
  body.append(make("span", "does", does));
  return element;
}

/** @param {Small} small @param {Palette} palette @param {number[]} hidden */
function picture({ shape: [rows, columns], values }, palette, hidden) {
  const canvas = make("canvas"),
    ramp = rampOf({ kind: "share" }, palette),
    side = SIDE / Math.max(rows, columns);
  Object.assign(canvas, { width: columns, height: rows });
  const pen = penOf(canvas);
  values.forEach((level, i) => {
    pen.fillStyle = level === MASKED ? palette.masked : css(ramp[level]);
    pen.fillRect(i % columns, Math.floor(i / columns), 1, 1);
  });
  coverHidden(pen, hidden, [rows, columns], canvas, palette);
  Object.assign(canvas.style, { width: `${Math.max(6, columns * side)}px`, height: `${Math.max(6, rows * side)}px` });
  canvas.classList.toggle("fine", side < 1);
  return canvas;
}

/**
 * The chosen part in a sentence, and the scale of the small pictures.
 * @param {ModelMap} map @param {Palette} palette
 */
function summary({ mean, ticks }, palette) {
  const scale = make("p", "scale", mean);
  const ramp = rampOf({ kind: "share" }, palette),
    pieces = ticks.length - 1;
  ticks.forEach((tick, i) =>
    scale.append(
      make("span", "", tick),
      ...(i < pieces ? [bar(ramp, i / pieces, (i + 1) / pieces, BAR / pieces)] : []),
    ),
  );
  return make("div", "summary", [make("p", "about"), scale]);
}

/**
 * From one tick of the scale to the next.
 * @param {Ramp} ramp @param {number} from @param {number} to @param {number} width
 */
function bar(ramp, from, to, width) {
  const element = make("i", "bar");
  element.style.width = `${width}px`;
  element.style.background = gradient(STOPS, (part) => css(ramp[Math.round(255 * (from + (to - from) * part))]));
  return element;
}
