import { within } from "../shared/dom.js";
import { cellUnder, coverCell } from "../shared/grid.js";
import { printed } from "./attended_patch.js";

/** @import { Shown } from "./attended_patch.js" */
/** @import { View } from "./picture.js" */

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @param {View} view @param {(patch: number) => void} choose */
export function listen(view, choose) {
  const { frame, data } = view,
    [rows, columns] = data.grid;
  /** @param {PointerEvent | MouseEvent} event */
  const under = (event) => cellUnder(frame, event, rows, columns);
  frame.onpointermove = (event) => point(view, under(event));
  frame.onpointerleave = frame.onblur = () => point(view, null);
  frame.onclick = (event) => choose(under(event));
  frame.onkeydown = (event) => {
    const at = view.at ?? Math.max(0, view.data.chosen);
    if (event.key === "Enter" || event.key === " ") choose(at);
    else if (event.key in STEPS) point(view, moved(at, STEPS[event.key], rows, columns));
    else return;
    event.preventDefault();
  };
}

/** @param {number} at @param {[down: number, right: number]} step @param {number} rows @param {number} columns */
function moved(at, [down, right], rows, columns) {
  const row = Math.floor(at / columns) + down,
    column = (at % columns) + right;
  return row < 0 || column < 0 || row >= rows || column >= columns ? at : row * columns + column;
}

/** @param {View} view @param {number | null} patch */
export function point(view, patch) {
  const { data, root, frame } = view,
    { from, to, target, weight } = pairOf(data, patch);
  view.at = patch;
  outline(view, ".cursor", patch === data.chosen ? null : patch);
  const texts = [from, to, target < 0 ? "" : placed(data, target), weight === undefined ? "" : printed(data, weight)];
  [...within(root, ".spot").children].forEach((element, i) => (element.textContent = texts[i]));
  frame.ariaValueNow = String(Math.max(0, patch ?? data.chosen) + 1);
  frame.ariaLabel = [data.label, texts.filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  const mark = within(root, ".bar i");
  mark.hidden = weight === undefined;
  if (weight !== undefined) mark.style.left = `${100 * Math.min(1, weight / data.largest)}%`;
}

/**
 * Of a lit photo, who looks at whom, the patch that is looked at, and the weight that it gets.
 * @param {Shown} shown @param {number | null} patch
 * @returns {{ from: string, to: string, target: number, weight?: number }}
 */
function pairOf({ chosen, attended, weights, specials, ofSpecials }, patch) {
  /** @param {number} index */
  const nameOf = (index) => (index < 0 ? (specials.at(index) ?? "") : String(index + 1));
  const target = patch ?? attended;
  if (!weights || target === null) return { from: nameOf(patch ?? chosen), to: "", target: patch ?? chosen };
  const weight = target < 0 ? ofSpecials?.at(target) : weights[target];
  return { from: nameOf(chosen), to: `→ ${nameOf(target)}`, target, weight };
}

/** @param {Shown} shown @param {number} patch */
const placed = ({ grid: [, columns] }, patch) => `(${Math.floor(patch / columns) + 1}, ${(patch % columns) + 1})`;

/** @param {View} view @param {string} name @param {number | null} patch */
export function outline({ root, data }, name, patch) {
  const element = within(root, name),
    [rows, columns] = data.grid;
  element.hidden = patch === null || patch < 0;
  if (patch !== null && patch >= 0) coverCell(element, patch, rows, columns);
}
