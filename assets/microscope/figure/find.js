import { label, make, penOf, setText } from "../../shared/dom.js";
import { block } from "../engine/block.js";
import { asWord } from "../engine/names.js";
import { short } from "../engine/numbers.js";
import { range } from "../engine/rules.js";
import { paletteOf } from "../theme.js";
import { bitmapOf } from "./cells.js";
import { hiddenTokensOf } from "./hidden_tokens.js";
import { nameOf } from "./labels.js";
import { isZoomed } from "./layout.js";
import { lookOf } from "./look.js";
import { cellsOf } from "./planes.js";

const LISTED = 5,
  SIDE = 128, // rows and columns of a block that is searched
  SLICE = 8, // milliseconds of a frame in which blocks are searched
  AROUND = 48, // rows and columns in sight around what was found
  MAP = 120; // CSS pixels along the longer side of the map

/**
 * A number, and where it stands.
 * @typedef {{ value: number, query: number, key: number }} Found
 */

/**
 * Finds what stands out in a large (query, key) plane, and shows where the part in sight lies.
 * @param {View} view
 */
export function finderOf(view) {
  const { store } = view,
    field = make("input", "", "", { type: "search", autocomplete: "off", spellcheck: false }),
    name = make("label", "", [make("span"), field]),
    missing = make("p", "missing", "", { role: "status" }),
    [largest, lookers] = [0, 1].map(() => ({ title: make("h3"), list: make("ol") })),
    map = make("canvas", "map", "", { ariaHidden: "true" }),
    panel = make("div", "panel", [name, missing, ...[largest, lookers].flatMap(({ title, list }) => [title, list])]),
    toggle = view.tools.element.appendChild(make("button", "", "", { onclick: () => open(Boolean(panel.hidden)) })),
    element = make("div", "find", [panel, map]);
  let searched = "", // what the list of the largest is of
    timer = 0;
  panel.hidden = true;

  /** @param {boolean} isOpen */
  function open(isOpen) {
    panel.hidden = !isOpen;
    changed();
    (isOpen ? field : toggle).focus();
  }

  function changed() {
    const { trace, stage } = store,
      plane = tiledPlane(store),
      { microscope } = trace.words;
    toggle.hidden = !plane;
    element.hidden = !plane || (panel.hidden && !isInPart(view));
    toggle.ariaExpanded = String(!panel.hidden);
    label(toggle, microscope.find, microscope.find);
    if (!plane) return;
    setText(/** @type {HTMLElement} */ (name.firstChild), microscope.find_token);
    map.hidden = !isInPart(view);
    if (!map.hidden) drawMap(view, map, plane);
    if (panel.hidden) return;
    const at = store.pointed({ hover: null });
    setText(largest.title, microscope.find_largest);
    setText(
      lookers.title,
      microscope.find_lookers.replace("{key}", asWord(nameOf(trace, sideOf(plane, "key"), at.key))),
    );
    show(lookers.list, lookersOf(trace, plane, at));
    const now = [trace.id, stage, at.head].join();
    if (now === searched) return;
    searched = now;
    clearTimeout(timer);
    search(largestIn(trace, plane, at));
  }

  /** @param {Generator<Found[], Found[]>} found */
  function search(found) {
    const until = performance.now() + SLICE;
    let step = found.next();
    while (!step.done && performance.now() < until) step = found.next();
    show(largest.list, step.value);
    if (!step.done) timer = setTimeout(() => search(found));
    largest.list.ariaBusy = String(!step.done);
  }

  /** @param {HTMLElement} list @param {Found[]} found */
  function show(list, found) {
    const { trace } = store,
      plane = tiledPlane(store);
    if (!plane) return;
    const [query, key] = ["query", "key"].map((role) => sideOf(plane, role)),
      isNamed = query.names !== null && !trace.hops;
    /** @param {Side} side @param {number} position */
    const called = (side, position) => [
      asWord(nameOf(trace, side, position)),
      ...(isNamed ? [make("small", "", String(position + 1))] : []),
    ];
    const rows = found.map((one) => {
      const value = lookOf(trace, plane, store.pointed({ hover: null }), ...cellOf(plane, one)).value;
      const parts = [...called(query, one.query), " → ", ...called(key, one.key), make("b", "", short(value))];
      return make("li", "", [make("button", "", parts, { onclick: () => go(view, one) })]);
    });
    const text = rows.map((row) => row.textContent).join();
    if (text !== list.dataset.shown) list.replaceChildren(...rows); // else a focused button keeps the focus
    list.dataset.shown = text;
  }

  field.onkeydown = ({ key }) => {
    if (key === "Escape") open(false);
    if (key !== "Enter") return;
    const plane = tiledPlane(store);
    if (!plane) return;
    const { trace } = store,
      at = store.pointed({ hover: null }),
      query = nextNamed(trace, sideOf(plane, "query"), field.value, at.query);
    setText(missing, query === null ? trace.words.microscope.find_none : "");
    if (query !== null) go(view, { query, key: Math.min(query, sideOf(plane, "key").size - 1) });
  };
  map.onpointerdown = map.onpointermove = ({ buttons, clientX, clientY }) => {
    const plane = tiledPlane(store);
    if (!buttons || !plane) return;
    const { left, top, width, height } = map.getBoundingClientRect();
    const row = Math.floor(((clientY - top) / height) * plane.rows.size),
      column = Math.floor(((clientX - left) / width) * plane.columns.size);
    view.windows = centred(view, row, column);
    view.changed("size");
  };
  return { element, changed };
}

/** @param {View} view */
const isInPart = ({ layout }) => Boolean(layout && isZoomed(layout));

/**
 * The result of the step, if it is computed tile by tile and stands over queries and keys.
 * @param {Store} store
 */
function tiledPlane(store) {
  const { trace, stage, isHere } = store,
    plane = isHere ? trace.drawing(stage).planes.at(-1) : null;
  if (!plane || [plane.rows.role, plane.columns.role].sort().join() !== "key,query") return null;
  return "tiles" in cellsOf(trace, plane, store.pointed({ hover: null })) ? plane : null;
}

/** @param {Plane} plane @param {string} role */
const sideOf = ({ rows, columns }, role) => (rows.role === role ? rows : columns);

/**
 * The row and the column of a query and a key.
 * @param {Plane} plane @param {{ query: number, key: number }} found
 * @returns {[row: number, column: number]}
 */
const cellOf = ({ rows }, { query, key }) => (rows.role === "query" ? [query, key] : [key, query]);

/**
 * The next token of this name or number behind a position, from the beginning again behind the last; null if none is.
 * @param {Trace} trace @param {Side} side @param {string} text @param {number} from
 */
export function nextNamed(trace, side, text, from) {
  const wanted = text.trim().toLowerCase(),
    isTime = trace.hops && wanted.includes("."); // typed without its unit
  for (let i = 1; wanted && i <= side.size; i++) {
    const at = (from + i) % side.size;
    const named = asWord(nameOf(trace, side, at)).toLowerCase();
    if (named === wanted || (isTime && Number.parseFloat(named) === Number(wanted))) return at;
  }
  const number = Number(wanted);
  return wanted && Number.isInteger(number) && number >= 1 && number <= side.size ? number - 1 : null;
}

/**
 * Locks a cell, in the middle of what is in sight.
 * @param {View} view @param {{ query: number, key: number }} found
 */
function go(view, { query, key }) {
  const plane = tiledPlane(view.store);
  if (!plane) return;
  view.windows = centred(view, ...cellOf(plane, { query, key }));
  view.store.move({ locked: true, positions: { query, key } });
  view.canvas.scrollIntoView({ block: "nearest" });
  view.changed("size");
}

/**
 * Windows of the same size around a cell; small ones if all was in sight.
 * @param {View} view @param {number} row @param {number} column
 * @returns {Windows}
 */
function centred({ windows, layout }, row, column) {
  const box = layout?.boxes.at(-1);
  if (!box) return windows;
  /** @param {Side} side @param {number} shown @param {number} at @returns {[number, number]} */
  const around = ({ size }, shown, at) => {
    const length = shown < size ? shown : Math.min(size, AROUND),
      begin = Math.max(0, Math.min(size - length, at - (length >> 1)));
    return [begin, begin + length];
  };
  const { rows, columns } = box.plane;
  return {
    ...windows,
    [rows.role]: around(rows, box.bottom - box.top, row),
    [columns.role]: around(columns, box.last - box.first, column),
  };
}

/** @param {View} view @param {HTMLCanvasElement} map @param {Plane} plane */
function drawMap({ store, layout }, map, plane) {
  const { rows, columns } = plane,
    { trace } = store,
    box = layout?.boxes.at(-1);
  if (!box) return;
  const palette = paletteOf(map, trace),
    ratio = devicePixelRatio || 1,
    scale = MAP / Math.max(rows.size, columns.size),
    [width, height] = [columns.size * scale, rows.size * scale];
  Object.assign(map, { width: width * ratio, height: height * ratio });
  Object.assign(map.style, { width: `${width}px`, height: `${height}px` });
  const pen = penOf(map),
    at = store.pointed({ hover: null });
  pen.scale(ratio, ratio);
  pen.drawImage(bitmapOf(trace, plane, cellsOf(trace, plane, at), palette), 0, 0, width, height);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  const [wide, high] = [box.last - box.first, box.bottom - box.top].map((size) => Math.max(4, size * scale));
  pen.strokeRect(box.first * scale, box.top * scale, wide, high);
}

/**
 * The queries that look most at the chosen key, the strongest first.
 * @param {Trace} trace @param {Plane} plane @param {At} at
 */
export function lookersOf(trace, plane, at) {
  const found = /** @type {Found[]} */ ([]);
  search(found, { trace, plane, at }, range(sideOf(plane, "query").size), Int32Array.of(at.key), () => true);
  return found;
}

/**
 * The largest numbers off the diagonal and off the first column, as far as blocks have been searched.
 * @param {Trace} trace @param {Plane} plane @param {At} at
 * @returns {Generator<Found[], Found[]>}
 */
export function* largestIn(trace, plane, at) {
  const [queries, keys] = ["query", "key"].map((role) => sideOf(plane, role).size),
    own = "memory" in trace.stages ? Infinity : keys - queries, // of query 0
    hidden = hiddenTokensOf(trace, plane),
    found = /** @type {Found[]} */ ([]);
  const [down, right] = [queries, keys].map(range);
  /** @param {Found} one */
  const counts = ({ query, key }) => key > 0 && key !== query + own && !hidden.has(key);
  for (let top = 0; top < queries; top += SIDE)
    for (let left = 0; left < keys; left += SIDE) {
      const [rows, columns] = [down.subarray(top, top + SIDE), right.subarray(left, left + SIDE)];
      search(found, { trace, plane, at }, rows, columns, counts);
      yield found;
    }
  return found;
}

/**
 * Adds the numbers of a block to the largest, in order; nothing that is masked, or of a hidden query.
 * @param {Found[]} found @param {{ trace: Trace, plane: Plane, at: At }} of @param {Int32Array} queries
 * @param {Int32Array} keys @param {(one: Found) => boolean} counts
 */
function search(found, { trace, plane, at }, queries, keys, counts) {
  const hidden = hiddenTokensOf(trace, plane),
    window = { rows: { role: "query", positions: queries }, columns: { role: "key", positions: keys }, at };
  block(trace, plane.stage, window).forEach((value, i) => {
    if (!value || value === -Infinity || value <= (found[LISTED - 1]?.value ?? -Infinity)) return;
    const one = { value, query: queries[Math.floor(i / keys.length)], key: keys[i % keys.length] };
    if (hidden.has(one.query) || !counts(one)) return;
    const behind = found.findIndex((other) => value > other.value);
    found.splice(behind < 0 ? found.length : behind, 0, one);
    found.length = Math.min(found.length, LISTED);
  });
}
