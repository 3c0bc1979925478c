import { looking, weightsOf } from "../engine/attended.js";
import { make } from "../../shared/dom.js";
import { over, thickness } from "../../shared/links.js";
import { shape } from "../../shared/svg.js";
import { nameOf } from "../figure/labels.js";
import { isMoved } from "../figure/pointer.js";
import { isolated, shortened } from "../engine/names.js";
import { roving } from "../stepper/roving.js";

/**
 * pointed: whether the pointer or focus is in the chips; query: the token whose lines are drawn, as thick as shares.
 * marks: of each chip, as it is shown; of thousands only those are written that change. moved: whether chips have
 * another place since the lines were drawn.
 * @typedef {{
 *   store: Store, root: HTMLElement, sight: HTMLElement, lines: SVGElement, row: HTMLElement, legend: HTMLElement,
 *   pointed: boolean, query?: number, shares: number[], marks: string[], moved: boolean,
 * }} Chips
 */

/** What changes the marks. @type {What[]} */
const MARKS = ["trace", "selection", "hover", "play", "part", "photo"];

const HIGH = 32,
  LOOP = /** @type {[number, number, number]} */ ([7, 16, 30]),
  THICKEST = 9;

/**
 * The sentence as chips; from the one that looks, once there are weights, lines as thick as these to
 * all it looks at but those that are taken out of the picture. Not there where no token looks at its own sentence.
 * @param {Store} store @param {{ request(what: What): void }} given
 */
export function chips(store, { request }) {
  const root = make("section", "chips"),
    lines = shape("svg", { "aria-hidden": "true", height: HIGH }),
    row = make("div", "row"),
    sight = make("div", "sight", [make("div", "line", [lines, row])]),
    legend = make("small");
  root.append(sight, legend);
  /** @type {Chips} */
  const view = { store, root, sight, lines, row, legend, pointed: false, shares: [], marks: [], moved: true };
  root.onpointerenter = () => (view.pointed = true);
  root.onpointerleave = () => (view.pointed = false);
  const resized = new ResizeObserver(() => {
    view.moved = true;
    request("size");
  });
  resized.observe(row);
  /** @param {Set<What>} what */
  const isMarked = (what) => MARKS.some((one) => what.has(one));
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) fill(view);
    if (isMarked(what)) mark(view);
  };
  /** @param {Set<What>} what */
  const settle = (what) => {
    if (isMarked(what) || view.moved) draw(view);
  };
  return { element: root, changed, settle, destroy: () => resized.disconnect() };
}

/** @param {Chips} view */
function fill(view) {
  const { store, root, row } = view,
    { trace } = store;
  view.marks = [];
  root.hidden = !trace.stage("weights") || Boolean(trace.stage("memory"));
  if (root.hidden) return;
  const { roles, names } = trace.stage("weights"),
    side = { names: names[roles.indexOf("key")] },
    { tokens } = trace.words.microscope;
  Object.assign(root, { role: "group", ariaLabel: tokens });
  row.replaceChildren(
    ...Array.from({ length: trace.size("weights", "query") }, (_, index) =>
      chip(store, nameOf(trace, side, index), index),
    ),
  );
}

/** @param {Store} store @param {string} name @param {number} index */
function chip(store, name, index) {
  const [enter, leave] = [() => lookFrom(store, index), () => store.point(null)];
  return make("button", "", shortened(name), {
    title: isolated(name),
    ...{ onfocus: enter, onpointerleave: leave, onblur: leave },
    onpointermove: (event) => isMoved(event) && enter(),
    onclick: () => store.move({ positions: { query: index } }),
  });
}

/**
 * Highlights the token's row in the figure, if it has one.
 * @param {Store} store @param {number} row
 */
function lookFrom(store, row) {
  const planes = store.trace.drawing(store.stage)?.planes ?? [],
    plane = planes.length - 1;
  if (["query", "token"].includes(planes[plane]?.rows.role)) store.point({ plane, row, column: null });
}

/**
 * Brings the chip that looks in sight, with the one that it looks at most where both find room, unless the
 * reader is among the chips herself.
 * @param {Chips} chips @param {HTMLElement} looks @param {HTMLElement} [attended]
 */
function follow({ sight, pointed }, looks, attended = looks) {
  const { scrollLeft, clientWidth } = sight;
  /** @param {HTMLElement[]} chips */
  const span = (...chips) => [
    Math.min(...chips.map(({ offsetLeft }) => offsetLeft)),
    Math.max(...chips.map(({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth)),
  ];
  const both = span(looks, attended),
    [left, right] = both[1] - both[0] <= clientWidth ? both : span(looks);
  if (!pointed && (left < scrollLeft || right > scrollLeft + clientWidth))
    sight.scrollLeft = (left + right - clientWidth) / 2;
}

/**
 * The shares of the token that looks, by token: 1 is as dark as it gets, tokens out of the picture have 0. None where
 * there are no weights yet, or none that are used.
 * @param {Store} store @param {number} query
 */
function sharesOf(store, query) {
  const { high } = store.trace.stage("weights").scale,
    { hidden } = store.trace;
  if (!store.hasWeights || store.isUnused) return [];
  return [...(weightsOf(store, query) ?? [])].map((weight, to) =>
    hidden.includes(to) ? 0 : Math.min(1, weight / high),
  );
}

/** @param {Chips} view */
function mark(view) {
  const { store, row } = view,
    buttons = buttonsOf(row);
  if (view.root.hidden) return;
  const { query, key } = looking(store),
    { hidden } = store.trace;
  if (view.query !== query || !row.querySelector("[tabindex='0']"))
    roving(row, "button", buttons[query], { tabbed: true });
  view.query = query;
  view.shares = sharesOf(store, query);
  const { tokens_legend, tokens_unused } = store.trace.words.microscope;
  view.legend.hidden = !store.hasWeights;
  view.legend.textContent = store.isUnused ? tokens_unused : tokens_legend;
  view.root.classList.toggle("unused", store.isUnused);
  buttons.forEach((button, index) => {
    const isQuery = index === query,
      classes = [isQuery && "looks", index === key && "attended", hidden.includes(index) && "hidden-token"],
      shown = { className: classes.filter(Boolean).join(" "), ariaPressed: String(isQuery) },
      weight = `${Math.round(100 * (view.shares[index] ?? 0))}%`,
      marks = `${shown.className} ${weight}`;
    if (marks === view.marks[index]) return;
    view.marks[index] = marks;
    Object.assign(button, shown);
    button.style.setProperty("--weight", weight);
  });
}

/** @param {Chips} view */
function draw(view) {
  const { row, lines, query, shares } = view;
  if (!row.clientWidth || query === undefined) return;
  view.moved = false;
  const buttons = buttonsOf(row),
    middle = (/** @type {HTMLElement} */ { offsetLeft, offsetWidth }) => offsetLeft + offsetWidth / 2;
  if (!buttons[query]) return lines.replaceChildren();
  follow(view, buttons[query], buttons[shares.indexOf(Math.max(...shares))]);
  const from = middle(buttons[query]);
  lines.replaceChildren(
    ...shares.flatMap((share, to) => (share < 0.004 || !buttons[to] ? [] : line(from, middle(buttons[to]), share))),
  );
}

/** @param {HTMLElement} row */
const buttonsOf = (row) => /** @type {HTMLElement[]} */ ([...row.children]);

/** @param {number} from @param {number} to @param {number} share */
function line(from, to, share) {
  const rise = Math.min(HIGH - 6, 14 + Math.abs(to - from) * 0.22);
  const d = over(from, to, HIGH, rise, LOOP);
  return shape("path", { d, "stroke-width": thickness(share, THICKEST, 0.6) });
}
