import { make } from "../microscope/dom.js";
import { roving } from "../microscope/roving.js";

const SVG = "http://www.w3.org/2000/svg";
// What a kind of head does, as a small drawing: told without colour too.
const MARKS = {
  previous: "M13 8H3M7 4L3 8l4 4",
  following: "M3 8h10M9 4l4 4-4 4",
  itself: "M8 5.2a2.8 2.8 0 1 0 .01 0z",
  first: "M2.5 3v10M14 8H6M9.5 4.5L6 8l3.5 3.5",
  one: "M8 2.5v11M5.5 13.5h5M5.5 2.5h5",
  special: "M5 3H2.5v10H5M11 3h2.5v10H11",
  broadly: "M3 4.5h10M3 8h10M3 11.5h10",
  mixed: "M8 8h.01",
  none: "M5 8h6",
};
const TALL = 26,
  LOW = 18,
  MANY = 24;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// Every head of a model as a cell: layers from top to bottom, heads from left to right.
export default function ({ data, parentElement, setTriggerValue }) {
  const section = (parentElement.section ??= parentElement.appendChild(make("section")));
  const held = section.getRootNode().activeElement?.dataset ?? {},
    scrolled = section.querySelector(".scroll");
  const known = scrolled && [scrolled.scrollLeft, scrolled.scrollTop],
    now = make("p", "now"),
    scroll = make("div", "scroll");
  section.lang = data.language;
  section.style.setProperty("--heads", data.cells[0].length);
  section.style.setProperty("--fine", `${data.cells.length > MANY ? LOW : TALL}px`);
  scroll.append(table(data));
  section.replaceChildren(counts(data, section), scroll, now);
  light(section, section.lit);
  const at = (place) => section.querySelector(`td [data-at="${place}"]`);
  const tell = (place) => told(now, data, place);
  const mark = (place) => {
    for (const element of section.querySelectorAll("[aria-current]")) element.removeAttribute("aria-current");
    for (const element of section.querySelectorAll("th.chosen")) element.classList.remove("chosen");
    at(place).setAttribute("aria-current", "true");
    for (const element of section.querySelectorAll("td button")) element.tabIndex = element === at(place) ? 0 : -1;
    const [layer, head] = place.split("/");
    section.querySelector(`thead th:nth-child(${Number(head) + 1})`).classList.add("chosen");
    section.querySelector(`tbody tr:nth-child(${layer}) th`).classList.add("chosen");
  };
  let chosen = data.chosen;
  mark(chosen);
  tell(chosen);
  const point = ({ target }) => tell(target.closest("td button")?.dataset.at ?? chosen);
  for (const kind of ["pointerover", "focusin"]) scroll.addEventListener(kind, point);
  for (const kind of ["pointerleave", "focusout"]) scroll.addEventListener(kind, () => tell(chosen));
  scroll.onclick = ({ target }) => {
    const place = target.closest("td button")?.dataset.at;
    if (!place) return;
    mark((chosen = place));
    setTriggerValue("choose", place);
  };
  scroll.onkeydown = (event) => walk(event, at);
  if (known) [scroll.scrollLeft, scroll.scrollTop] = known;
  else intoView(scroll, at(chosen));
  const again = held.at ? at(held.at) : held.kind && section.querySelector(`.counts [data-kind="${held.kind}"]`);
  again?.focus?.({ preventScroll: true });
}

// How many heads there are of each kind, which is also the key; one of them can be lit alone.
function counts({ counts: { before, kinds } }, section) {
  const line = make("p", "counts");
  line.append(make("span", "", before));
  for (const { kind, text } of kinds) {
    const button = make("button"),
      sample = make("i", `kind ${kind}`);
    sample.style.setProperty("--strength", 1);
    sample.append(drawing(kind));
    button.type = "button";
    button.dataset.kind = kind;
    button.setAttribute("aria-pressed", String(kind === section.lit));
    button.append(sample, text);
    line.append(button);
  }
  roving(line, "button");
  line.onclick = ({ target }) => {
    const button = target.closest("button"),
      kind = button?.dataset.kind;
    if (!kind) return;
    section.lit = section.lit === kind ? undefined : kind;
    for (const other of line.querySelectorAll("button"))
      other.setAttribute("aria-pressed", String(other.dataset.kind === section.lit));
    light(section, section.lit);
  };
  line.onpointerover = ({ target, pointerType }) =>
    pointerType === "mouse" && light(section, target.closest("button")?.dataset.kind ?? section.lit);
  line.onpointerleave = () => light(section, section.lit);
  return line;
}

function light(section, kind) {
  for (const cell of section.querySelectorAll("td button"))
    cell.classList.toggle("faint", Boolean(kind) && cell.dataset.kind !== kind);
}

function table({ label, layer, head, place, cells, kinds }) {
  const made = make("table"),
    top = made.createTHead().insertRow(),
    body = made.createTBody();
  made.createCaption().textContent = label;
  top.append(titled("col", `${layer} \\ ${head}`), ...cells[0].map((_, i) => titled("col", String(i + 1))));
  cells.forEach((heads, i) => {
    const row = body.insertRow();
    row.append(titled("row", String(i + 1)));
    heads.forEach((cell, j) => row.insertCell().append(button(cell, `${i + 1}/${j + 1}`, place, kinds)));
  });
  return made;
}

function titled(scope, text) {
  const element = make("th", "", text);
  element.scope = scope;
  return element;
}

function button(cell, at, place, kinds) {
  const [kind, value, strength] = cell,
    element = make("button", `kind ${kind}`);
  element.type = "button";
  element.dataset.at = at;
  element.dataset.kind = kind;
  element.style.setProperty("--strength", strength);
  element.setAttribute("aria-label", `${placed(place, at)}: ${says(cell, kinds)}`);
  element.append(drawing(kind), make("span", "", value));
  return element;
}

function told(line, { place, cells, kinds }, at) {
  const [layer, head] = at.split("/");
  line.replaceChildren(make("b", "", placed(place, at)), `\u2003${says(cells[layer - 1][head - 1], kinds)}`);
}

function placed(place, at) {
  const [layer, head] = at.split("/");
  return place.replace("{layer}", layer).replace("{head}", head);
}

function says([kind, value, , key], kinds) {
  return kinds[kind].replace("{value}", value).replace("{key}", () => key);
}

// The board's own arrows, not those of the microscope.
function walk(event, at) {
  const step = STEPS[event.key],
    place = event.target.closest("td button")?.dataset.at;
  if (!step || !place || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const [layer, head] = place.split("/").map(Number);
  at(`${layer + step[0]}/${head + step[1]}`)?.focus();
}

function intoView(scroll, cell) {
  scroll.scrollTop = cell.offsetTop - scroll.clientHeight / 2;
  scroll.scrollLeft = cell.offsetLeft - scroll.clientWidth / 2;
}

function drawing(kind) {
  const svg = document.createElementNS(SVG, "svg"),
    path = svg.appendChild(document.createElementNS(SVG, "path"));
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", MARKS[kind]);
  return svg;
}
