import { unpacked } from "../microscope/blob.js";
import { make } from "../microscope/dom.js";
import { roving } from "../microscope/roving.js";
import { css, paletteOf, rampOf } from "../microscope/theme.js";
import { veilSmall } from "../microscope/veil.js";

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 38,
  MASKED = 0;
const BAR = 70,
  STOPS = 9;

// Every part of a model as a box with the way to it; the one that the viewer shows is marked.
export default function ({ data, parentElement, setTriggerValue }) {
  const section = (parentElement.section ??= parentElement.appendChild(make("section")));
  const held = section.getRootNode().activeElement?.dataset.path,
    map = unpacked(data),
    palette = paletteOf(section, map);
  const sheet = make("article"),
    scroll = make("div", "scroll"),
    [width, height] = map.size,
    known = section.firstElementChild?.scrollLeft;
  section.style.setProperty("--width", `${width}px`);
  sheet.style.height = `${height}px`;
  sheet.append(...map.frames.map((frame) => framed(frame, map)), lines(map), ...memoryLabel(map));
  const doors = map.boxes.map((box) => ({ place: box.place, element: button(box, map, palette) }));
  const notes = map.others.map((others) => ({ place: others.place, element: passed(others, map, section) }));
  sheet.append(...[...doors, ...notes].sort(inOrder).map(({ element }) => element));
  scroll.append(sheet);
  section.setAttribute("role", "group");
  section.setAttribute("aria-label", map.label);
  if (map.room !== null) section.style.setProperty("--room", map.room / width);
  section.replaceChildren(scroll, told(map, palette));
  const buttons = [...section.querySelectorAll("button")];
  for (const element of buttons) {
    element.onclick = () => {
      mark(section, map, element.dataset.path);
      setTriggerValue("choose", element.dataset.path);
    };
  }
  scroll.scrollLeft = known ?? 0;
  mark(section, map, map.chosen);
  if (held) buttons.find((element) => element.dataset.path === held)?.focus({ preventScroll: true });
  return fitted(section, map);
}

// Row by row and from left to right, as they are read: the middles of a row's boxes are at one height.
function inOrder({ place: [x, y, , height] }, { place: [x2, y2, , height2] }) {
  return y + height / 2 - (y2 + height2 / 2) || x - x2;
}

function mark(section, map, path) {
  for (const box of section.querySelectorAll("button")) {
    if (box.dataset.path === path) box.setAttribute("aria-current", "true");
    else box.removeAttribute("aria-current");
  }
  for (const line of section.querySelectorAll("path"))
    line.classList.toggle("now", [line.dataset.source, line.dataset.target].includes(path));
  roving(section, "button, .others", section.querySelector("[aria-current]"));
  tell(section, chosen(section, map));
  centre(section);
}

function chosen(section, map) {
  const { path } = section.querySelector("[aria-current]").dataset;
  return map.boxes.find((box) => box.path === path);
}

function tell(section, { name, where, about }) {
  const said = section.querySelector(".about");
  said.replaceChildren(make("b", "", name), ...(where ? [` · ${where}`] : []), "\u2003", make("span", "", about));
}

function centre(section) {
  const scroll = section.firstElementChild,
    now = section.querySelector("[aria-current]");
  if (now) scroll.scrollLeft = now.offsetLeft - (scroll.clientWidth - now.offsetWidth) / 2;
}

// With its width, or another one, the map may have room for its words, and brings the chosen box into view.
function fitted(section, { room, size: [width] }) {
  const observer = new ResizeObserver(() => {
    section.classList.toggle("roomy", room !== null && section.clientWidth >= width);
    centre(section);
  });
  observer.observe(section);
  return () => observer.disconnect();
}

function put(element, [x, y, width, height], [whole]) {
  Object.assign(element.style, {
    left: `${(100 * x) / whole}%`,
    top: `${y}px`,
    width: `${(100 * width) / whole}%`,
    height: `${height}px`,
  });
  return element;
}

function framed({ name, place }, { size }) {
  return put(make("div", name ? "side" : "layer", name), place, size);
}

// Layers that have no parts to open here: why not is told below while one of them is held, by key or by touch.
function passed({ place, name, does, about }, map, section) {
  const element = put(make("div", "others"), place, map.size);
  element.title = about;
  element.setAttribute("role", "button");
  element.onfocus = () => tell(section, { name, where: does, about });
  element.onblur = () => section.contains(element) && tell(section, chosen(section, map));
  element.append(make("span", "name", name), make("span", "does", does));
  return element;
}

function lines({ size: [width, height], lines }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  for (const { path, source, target, memory } of lines) {
    const line = svg.appendChild(document.createElementNS(SVG, "path"));
    line.setAttribute("d", path);
    line.classList.toggle("memory", memory);
    Object.assign(line.dataset, { source, target });
  }
  return svg;
}

// What the encoder hands over to every cross-attention.
function memoryLabel({ boxes, lines, size }) {
  const line = lines.findLast(({ memory }) => memory);
  if (!line) return [];
  const [from, to] = [line.source, line.target].map((path) => boxes.find((box) => box.path === path).place);
  const label = make("span", "handed symbol", "K, V"),
    middle = (from[0] + from[2] / 2 + to[0] + to[2] / 2) / 2;
  Object.assign(label.style, { left: `${(100 * middle) / size[0]}%`, top: `${(from[1] + from[3] + to[1]) / 2}px` });
  return [label];
}

function button({ path, place, name, layer, where, does, about }, map, palette) {
  const element = put(make("button"), place, map.size),
    head = make("span", "name", name),
    body = make("span", "body");
  element.type = "button";
  element.dataset.path = path;
  element.title = [where, does, about].filter(Boolean).join("\n");
  if (layer) head.append(make("i", "", layer));
  else if (where) head.append(make("i", "unseen", where));
  const small = map.arrays[path];
  if (small) {
    element.classList.add("attention");
    body.append(picture(small, palette, map.hidden));
  }
  body.append(make("span", "does", does));
  element.append(head, body);
  return element;
}

function picture({ shape: [rows, columns], values }, palette, hidden) {
  const canvas = make("canvas"),
    ramp = rampOf({ kind: "share" }, palette),
    side = SIDE / Math.max(rows, columns);
  Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext("2d");
  values.forEach((place, i) => {
    pen.fillStyle = place === MASKED ? palette.masked : css(ramp[place]);
    pen.fillRect(i % columns, Math.floor(i / columns), 1, 1);
  });
  veilSmall(pen, hidden, [rows, columns], canvas, palette);
  Object.assign(canvas.style, { width: `${Math.max(6, columns * side)}px`, height: `${Math.max(6, rows * side)}px` });
  canvas.classList.toggle("fine", side < 1);
  return canvas;
}

// The chosen part in a sentence, and the scale of the small pictures.
function told({ mean, ticks }, palette) {
  const element = make("div", "told"),
    scale = make("p", "scale", mean),
    about = make("p", "about");
  const ramp = rampOf({ kind: "share" }, palette),
    pieces = ticks.length - 1;
  ticks.forEach((tick, i) =>
    scale.append(
      make("span", "", tick),
      ...(i < pieces ? [bar(ramp, i / pieces, (i + 1) / pieces, BAR / pieces)] : []),
    ),
  );
  element.append(about, scale);
  return element;
}

// From one tick of the scale to the next.
function bar(ramp, from, to, width) {
  const element = make("i", "bar"),
    stops = Array.from({ length: STOPS }, (_, i) =>
      css(ramp[Math.round(255 * (from + ((to - from) * i) / (STOPS - 1)))]),
    );
  element.style.width = `${width}px`;
  element.style.background = `linear-gradient(to right, ${stops})`;
  return element;
}
