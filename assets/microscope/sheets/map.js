import { make } from "../../shared/dom.js";
import { shape } from "../../shared/svg.js";
import { roving } from "../stepper/roving.js";
import { setIn, setSymbol } from "../words/symbols.js";
import { sizesOf } from "./shapes.js";

const LONG = 4; // letters that fit a small box

/** Every stage as a box and a way to it; the one that is shown is marked.
 *
 * @param {Store} store
 * @returns {ShownPart}
 */
export function map(store) {
  const hint = make("p", "quiet"),
    room = make("div", "room"),
    element = make("div", "map", [hint, room]);
  // It has no width before it is on the page, so it is centred when it gets one.
  new ResizeObserver(() => centre(room)).observe(room);
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) fill(store, hint, room);
    if (what.has("trace") || what.has("selection")) mark(room, store.stage);
  };
  /** @param {Set<What>} what */
  const settle = (what) => {
    if (what.has("trace") || what.has("selection")) centre(room);
  };
  return { element, changed, settle };
}

/** @param {Store} store @param {HTMLElement} hint @param {HTMLElement} room */
function fill(store, hint, room) {
  const { trace } = store,
    { map, words } = trace.sheets,
    sheet = make("div", "drawn", [lines(map), ...map.boxes.map((box) => button(store, box))]);
  hint.textContent = words.map_hint;
  Object.assign(room, { role: "group", ariaLabel: words.names.map });
  sheet.style.width = `${map.width}px`;
  sheet.style.height = `${map.height}px`;
  room.replaceChildren(sheet);
}

/** @param {Sheets["map"]} given */
function lines({ width, height, lines }) {
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const { path, source, target } of lines) {
    const line = svg.appendChild(shape("path", { d: path }));
    Object.assign(line.dataset, { source, target });
  }
  return svg;
}

/** @param {Store} store @param {Sheets["map"]["boxes"][number]} given */
function button(store, { key, box: [x, y, width, height], given }) {
  const { trace } = store,
    { symbol, called } = trace.stage(key),
    sizes = boxSizes(trace, key);
  const kind = `${given ? "given" : "stage"} ${!given && trace.headsOf(key) > 1 ? "deck" : ""}`;
  const parts = given ? [] : [make("span", "name", called), ...sizes.map(sized)],
    title = `${called} (${sizes.map(([, text]) => text).join(", ")})`,
    onclick = () => store.move({ stage: key }),
    element = make("button", kind, [make("span", "symbol", setSymbol(symbol)), ...parts], { title, onclick });
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  element.dataset.key = key;
  if (given && key.length > LONG) element.classList.add("long");
  return element;
}

/**
 * The sizes of a stage as text, by role; the batch only if it is larger than 1.
 * @param {Trace} trace @param {string} key
 * @returns {[role: string, text: string][]}
 */
function boxSizes(trace, key) {
  const shown = sizesOf(trace, key).filter(([role, size]) => role !== "batch" || size > 1);
  return shown.map(([role, size]) => [role, trace.sized(role, size)]);
}

/** @param {[role: string, text: string]} size */
const sized = ([role, text]) => setIn(make("span", `size ${role}`), text);

/** @param {HTMLElement} room @param {string} stage */
function mark(room, stage) {
  for (const box of room.querySelectorAll("button")) {
    box.ariaCurrent = box.dataset.key === stage ? "step" : null;
  }
  for (const line of room.querySelectorAll("path")) {
    line.classList.toggle("now", [line.dataset.source, line.dataset.target].includes(stage));
  }
  roving(room, "button", room.querySelector("[aria-current]"));
}

/** @param {HTMLElement} room */
function centre(room) {
  /** @type {HTMLElement | null} */
  const now = room.querySelector("[aria-current]");
  if (now) room.scrollLeft = now.offsetLeft - (room.clientWidth - now.clientWidth) / 2;
}
