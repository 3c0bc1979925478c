import { all, around, focusedBeside, isModified, make, viewOf, within } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { shape } from "../shared/svg.js";
import { header, row, table } from "../shared/table_rows.js";

/**
 * @typedef {[kind: string, value: string, strength: number, key: string]} Head
 * @typedef {{
 *   language: string, label: string, layer: string, head: string, title: string, chosen: string, cells: Head[][],
 *   kinds: Record<string, string>, counts: { before: string, kinds: { kind: string, text: string }[] },
 * }} Overview
 * @typedef {{ section: HTMLElement, lit: string | undefined }} View
 * @typedef {(cell: string) => HTMLElement | null} CellAt
 */

/**
 * What a kind of head does, as a small drawing: also recognisable without colour.
 * @type {Record<string, string>}
 */
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
/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * Every head of a model as a cell: layers from top to bottom, heads from left to right.
 * @param {ComponentArgs<Overview>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  /** @type {View} */
  const view = viewOf(parentElement, () => ({ section: parentElement.appendChild(make("section")), lit: undefined })),
    { section } = view;
  const focused = focusedBeside(section)?.dataset ?? {},
    scrolled = section.querySelector(".scroll");
  const scrollPosition = scrolled && [scrolled.scrollLeft, scrolled.scrollTop],
    now = make("p", "now"),
    scroll = make("div", "scroll", [tableOf(data)]);
  section.lang = data.language;
  section.style.setProperty("--heads", String(data.cells[0].length));
  section.style.setProperty("--fine", `${data.cells.length > MANY ? LOW : TALL}px`);
  section.replaceChildren(counts(data, view), scroll, now);
  light(section, view.lit);
  /** @type {CellAt} */
  const at = (cell) => section.querySelector(`td [data-at="${cell}"]`);
  /** @param {string} cell */
  const show = (cell) => describe(now, data, cell);
  /** @param {string} cell */
  const mark = (cell) => {
    for (const element of section.querySelectorAll("[aria-current]")) element.removeAttribute("aria-current");
    for (const element of section.querySelectorAll("th.chosen")) element.classList.remove("chosen");
    at(cell)?.setAttribute("aria-current", "true");
    for (const element of all(section, "td button")) element.tabIndex = element === at(cell) ? 0 : -1;
    const [layer, head] = cell.split("/");
    within(section, `thead th:nth-child(${Number(head) + 1})`).classList.add("chosen");
    within(section, `tbody tr:nth-child(${layer}) th`).classList.add("chosen");
  };
  let chosen = data.chosen;
  mark(chosen);
  show(chosen);
  /** @param {Event} event */
  const point = (event) => show(around(event, "td button")?.dataset.at ?? chosen);
  for (const kind of ["pointerover", "focusin"]) scroll.addEventListener(kind, point);
  for (const kind of ["pointerleave", "focusout"]) scroll.addEventListener(kind, () => show(chosen));
  scroll.onclick = (event) => {
    const cell = around(event, "td button")?.dataset.at;
    if (!cell) return;
    mark((chosen = cell));
    setTriggerValue("choose", cell);
  };
  scroll.onkeydown = (event) => walk(event, at);
  if (scrollPosition) [scroll.scrollLeft, scroll.scrollTop] = scrollPosition;
  else intoView(scroll, within(section, "[aria-current]"));
  /** @type {HTMLElement | null} */
  const again = focused.at ? at(focused.at) : section.querySelector(`.counts [data-kind="${focused.kind}"]`);
  again?.focus({ preventScroll: true });
}

/**
 * How many heads there are of each kind, which is also the key; one of them can be lit alone.
 * @param {Overview} overview @param {View} view
 */
function counts({ counts: { before, kinds } }, view) {
  const { section } = view,
    line = make("p", "counts", [make("span", "", before)]);
  for (const { kind, text } of kinds) {
    const sample = make("i", `kind ${kind}`, [drawing(kind)]),
      button = line.appendChild(make("button", "", [sample, text], { ariaPressed: String(kind === view.lit) }));
    sample.style.setProperty("--strength", "1");
    button.dataset.kind = kind;
  }
  roving(line, "button");
  line.onclick = (event) => {
    const kind = around(event, "button")?.dataset.kind;
    if (!kind) return;
    view.lit = view.lit === kind ? undefined : kind;
    for (const other of all(line, "button")) other.ariaPressed = String(other.dataset.kind === view.lit);
    light(section, view.lit);
  };
  line.onpointerover = (event) =>
    event.pointerType === "mouse" && light(section, around(event, "button")?.dataset.kind ?? view.lit);
  line.onpointerleave = () => light(section, view.lit);
  return line;
}

/** @param {HTMLElement} section @param {string | undefined} kind */
function light(section, kind) {
  for (const cell of all(section, "td button"))
    cell.classList.toggle("faint", Boolean(kind) && cell.dataset.kind !== kind);
}

/** @param {Overview} overview */
function tableOf({ label, layer, head, title, cells, kinds }) {
  const top = row(header("col", `${layer} \\ ${head}`), ...cells[0].map((_, i) => header("col", String(i + 1))));
  const rows = cells.map((heads, i) => {
    const line = row(header("row", String(i + 1)));
    heads.forEach((cell, j) => line.appendChild(make("td")).append(button(cell, `${i + 1}/${j + 1}`, title, kinds)));
    return line;
  });
  const made = table(top, rows);
  made.createCaption().textContent = label;
  return made;
}

/** @param {Head} cell @param {string} at @param {string} title @param {Overview["kinds"]} kinds */
function button(cell, at, title, kinds) {
  const [kind, value, strength] = cell,
    ariaLabel = `${titleOf(title, at)}: ${says(cell, kinds)}`,
    element = make("button", `kind ${kind}`, [drawing(kind), make("span", "", value)], { ariaLabel });
  Object.assign(element.dataset, { at, kind });
  element.style.setProperty("--strength", String(strength));
  return element;
}

/** @param {HTMLElement} line @param {Overview} overview @param {string} at */
function describe(line, { title, cells, kinds }, at) {
  const [layer, head] = at.split("/").map(Number);
  line.replaceChildren(make("b", "", titleOf(title, at)), `\u2003${says(cells[layer - 1][head - 1], kinds)}`);
}

/** @param {string} title @param {string} at */
function titleOf(title, at) {
  const [layer, head] = at.split("/");
  return title.replace("{layer}", layer).replace("{head}", head);
}

/** @param {Head} head @param {Overview["kinds"]} kinds */
function says([kind, value, , key], kinds) {
  return kinds[kind].replace("{value}", value).replace("{key}", () => key);
}

/**
 * The overview's own arrows, not those of the microscope.
 * @param {KeyboardEvent} event @param {CellAt} at
 */
function walk(event, at) {
  const step = STEPS[event.key],
    cell = around(event, "td button")?.dataset.at;
  if (!step || !cell || isModified(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const [layer, head] = cell.split("/").map(Number);
  at(`${layer + step[0]}/${head + step[1]}`)?.focus();
}

/** @param {HTMLElement} scroll @param {HTMLElement} cell */
function intoView(scroll, cell) {
  scroll.scrollTop = cell.offsetTop - scroll.clientHeight / 2;
  scroll.scrollLeft = cell.offsetLeft - scroll.clientWidth / 2;
}

/** @param {string} kind */
function drawing(kind) {
  return shape("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, [shape("path", { d: MARKS[kind] })]);
}
