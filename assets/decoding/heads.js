import { all, focusedBeside, make, penOf } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { css, paletteOf, rampOf } from "../microscope/theme.js";
import { headName, isThere } from "./shown_weights.js";

/** @import { Look, View } from "./types.d.ts" */

const SIDE = 84,
  CELL = [3, 22]; // pixels of a small picture, and of one of its cells

/**
 * Each head of each layer, small, and their mean: a row for a word that is there, a column for a Chinese one.
 * @param {View} view
 */
export function fillHeads(view) {
  const {
      data,
      parts: { heads },
    } = view,
    { words, weights } = data,
    grid = make("div", "grid"),
    focused = focusedBeside(heads)?.dataset.at;
  grid.style.setProperty("--columns", String(weights[0].length));
  weights.forEach((heads, layer) => {
    grid.append(make("span", "layer", words.layer.replace("{number}", String(layer + 1))));
    heads.forEach((_, head) => grid.append(picture(view, layer, head)));
  });
  heads.replaceChildren(make("h3", "", words.pictures), grid, make("p", "", words.sides));
  roving(heads, "button", heads.querySelector("[aria-pressed='true']"));
  [...all(heads, "button")].find((button) => focused && button.dataset.at === focused)?.focus({ preventScroll: true });
}

/** @param {View} view @param {number} layer @param {number} number */
function picture(view, layer, number) {
  const { data, head: chosen } = view,
    { words, weights } = data,
    isMean = number === weights[layer].length - 1,
    head = isMean ? chosen : number;
  /** @type {Look} */
  const look = { layer, head, by: isMean ? "mean" : "head" };
  const name = headName(words, head, look.by),
    ariaLabel = `${words.layer.replace("{number}", String(layer + 1))}, ${name}`,
    ariaPressed = String(layer === view.layer && look.by === view.by && head === chosen),
    content = [drawn(view, weights[layer][number]), make("span", isMean ? "" : "head", name)],
    button = make("button", "", content, { ariaLabel, ariaPressed, onclick: () => view.choose(look) });
  button.dataset.at = `${layer}.${number}`;
  button.onpointerenter = ({ pointerType }) => pointerType === "mouse" && view.try(look);
  button.onpointerleave = () => view.try(null);
  return button;
}

/** @param {View} view @param {number[][]} rows */
function drawn(view, rows) {
  const canvas = make("canvas"),
    ratio = devicePixelRatio || 1,
    columns = rows[0].length;
  const cell = Math.max(CELL[0], Math.min(CELL[1], Math.floor(SIDE / Math.max(rows.length, columns)))),
    pen = penOf(canvas);
  Object.assign(canvas, { width: columns * cell * ratio, height: rows.length * cell * ratio });
  Object.assign(canvas.style, { width: `${columns * cell}px`, height: `${rows.length * cell}px` });
  const palette = paletteOf(view.root, view.data),
    ramp = rampOf({ kind: "share" }, palette);
  pen.scale(ratio, ratio);
  rows.forEach(
    (row, t) =>
      isThere(view, t) &&
      row.forEach((weight, s) => {
        pen.fillStyle = css(ramp[Math.round(255 * weight)]);
        pen.fillRect(s * cell, t * cell, cell, cell);
      }),
  );
  pen.strokeStyle = palette.accent;
  pen.lineWidth = 2;
  pen.strokeRect(1, view.position * cell + 1, columns * cell - 2, cell - 2);
  return canvas;
}
