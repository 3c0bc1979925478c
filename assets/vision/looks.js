import { followStore } from "../microscope/hosts/connect.js";
import { around, effect, make, sectionOf } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";
import { draw } from "../picture/photo.js";
import { bytes } from "../shared/base64.js";
import { queryOf, nameOf } from "./query.js";

/** @import { Followed } from "./query.js" */

/**
 * @typedef {{ name: string, called: string, light: string }} Look
 * @typedef {{ called: string, looks: Look[] }} Group
 * @typedef {Followed & {
 *   photo: string, size: [number, number], grid: [number, number], stops: string[], title: string, chosen: string,
 *   by_name: string[], open: boolean, columns: number, groups: Group[], language: string,
 * }} Looks
 * @typedef {{ button: HTMLButtonElement, canvas: HTMLCanvasElement, weights: Uint8Array }} Small
 * @typedef {{
 *   data: Looks, title: HTMLElement, smalls: Small[], photo: HTMLImageElement, query: number | null,
 *   store: Store | null,
 * }} View
 */

const BRIGHTEST = 255; // of a byte

/**
 * The same picture lit by every head, small: all on one scale, so that one sees which head looks.
 * @param {ComponentArgs<Looks>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = sectionOf(parentElement);
  root.lang = data.language;
  root.style.setProperty("--columns", String(data.columns));
  const groups = data.groups.map(({ called, looks }) => ({
      called,
      smalls: looks.map((look) => smallOf(look, called)),
    })),
    title = make("h2");
  root.replaceChildren(title, ...groups.map(({ called, smalls }) => groupOf(called, smalls, data)));
  const smalls = groups.flatMap(({ smalls }) => smalls);
  /** @type {View} */
  const view = { data, title, smalls, photo: new Image(), query: null, store: null };
  root.onclick = (event) => {
    const button = around(event, "button");
    if (button instanceof HTMLButtonElement) choose(view, button.value, setTriggerValue);
  };
  view.photo.onload = () => drawAll(view);
  view.photo.src = data.photo;
  const cleanup = effect(parentElement, () => {
    const resized = new ResizeObserver(() => drawAll(view));
    resized.observe(root);
    const disconnect = followStore(view, () => show(view), ["selection", "trace"]);
    return () => {
      disconnect();
      resized.disconnect();
    };
  });
  show(view);
  roving(root, "button", root.querySelector("[aria-pressed='true']"));
  return cleanup;
}

/**
 * A head of the layer that is open in the microscope is a move there; all else is another part.
 * @param {View} view @param {string} name @param {ComponentArgs<Looks>["setTriggerValue"]} setTriggerValue
 */
function choose({ data: { open, by_name: names }, store }, name, setTriggerValue) {
  const head = names.indexOf(name);
  if (!name) return;
  if (open && head >= 0 && store?.isReady) store.move({ head });
  else setTriggerValue("choose", name);
}

/** @param {View} view */
function show(view) {
  const { data, title, smalls, store } = view,
    [, query] = queryOf(store, { ...data, by_head: false });
  const chosen = (store?.isReady && data.by_name[store.head]) || data.chosen;
  for (const { button } of smalls) button.ariaPressed = String(button.value === chosen);
  if (view.query === query) return;
  view.query = query;
  title.textContent = filled(data.title, { query: nameOf(data.names, query + data.begins[1]) });
  drawAll(view);
}

/** @param {View} view */
function drawAll({ data: { grid, size, stops }, smalls, photo, query }) {
  if (!photo.complete || query === null) return;
  const patches = grid[0] * grid[1];
  for (const { canvas, weights } of smalls) {
    const row = weights.subarray(query * patches, (query + 1) * patches),
      lit = { weights: row, largest: BRIGHTEST, root: false, stops };
    draw({ canvas, photo, frame: canvas, grid, size, lit });
  }
}

/** @param {string} called @param {Small[]} smalls @param {Looks} data */
function groupOf(called, smalls, { columns }) {
  const group = make("div", "group", [make("h3", "", called), ...smalls.map(({ button }) => button)]);
  group.style.setProperty("--count", String(Math.min(smalls.length, columns)));
  return group;
}

/** @param {Look} look @param {string} group @returns {Small} */
function smallOf({ name, called, light }, group) {
  const canvas = make("canvas"),
    named = { value: name, ariaLabel: `${group} · ${called}` },
    button = make("button", "", [canvas, make("span", "", called)], named);
  return { button, canvas, weights: bytes(light) };
}
