import { all, around, make, sectionOf, spans } from "../shared/dom.js";
import { shape } from "../shared/svg.js";
import { shapeOf } from "./axes.js";

/** @import { Axis } from "./axes.js" */

/**
 * @typedef {{
 *   step: Span[], name: Span[], axes: Axis[], high: number, wide: number, pieces: number,
 *   joined: boolean, batch: number, rows: string, columns: string,
 * }} Row
 * @typedef {{ language: string, heads: number, caption: string, rows: Row[] }} Ladder
 */

const TALLEST = 5; // a row is at most as high as the drawing is wide, divided by this
const GAP = 0.16,
  THIN = 0.0035,
  BEHIND = 0.006;

/**
 * The way of a shape from X to output: each stage as sheets in proportion, one head lit on all rungs.
 * @param {ComponentArgs<Ladder>} args
 */
export default function ({ data, parentElement }) {
  const root = sectionOf(parentElement),
    width = widthOf(data.rows),
    list = make("ol");
  for (const row of data.rows) {
    const item = list.appendChild(make("li"));
    if (row.step.length) item.append(make("p", "step", spans(row.step)));
    const label = [make("b", "name", spans(row.name)), make("span", "shape", shapeOf(row.axes))];
    item.append(make("div", "label", label), drawn(row, width));
  }
  list.lang = data.language;
  root.replaceChildren(list, make("p", "caption", spans([[data.caption, ""]])));
  light(root, Math.min(1, data.heads - 1));
  root.onpointerover = (event) => {
    const piece = around(event, "[data-head]");
    if (piece) light(root, Number(piece.dataset.head));
  };
}

/**
 * The width of the drawing in numbers: what is widest fits, and what is tallest too.
 * @param {Row[]} rows
 */
function widthOf(rows) {
  /** @param {Row} row */
  const across = (row) => row.wide * row.pieces * (row.joined ? 1 : 1 + GAP);
  return Math.max(...rows.map((row) => Math.max(across(row) * 1.02, row.high * TALLEST)));
}

/** @param {Row} row @param {number} width */
function drawn({ high, wide, pieces, joined, batch, rows, columns }, width) {
  const thin = width * THIN,
    h = Math.max(high, thin),
    w = Math.max(wide, joined ? thin / pieces : thin);
  const behind = batch > 1 ? width * BEHIND : 0,
    gap = joined ? 0 : w * GAP;
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${h + 2 * behind + thin}`,
    preserveAspectRatio: "xMinYMid",
    role: "presentation",
  });
  const across = pieces * w + (pieces - 1) * gap;
  for (const depth of behind ? [2, 1] : []) {
    for (let i = 0; i < (joined ? 1 : pieces); i++) {
      const x = i * (w + gap) + depth * behind;
      svg.append(shape("rect", { x, y: (2 - depth) * behind, width: joined ? across : w, height: h, class: "behind" }));
    }
  }
  for (let i = 0; i < pieces; i++) {
    const x = i * (w + gap),
      y = 2 * behind;
    svg.append(
      shape("rect", { x, y, width: w, height: h, class: pieces > 1 || !joined ? "piece" : "whole", "data-head": i }),
    );
    if (i === 0) svg.append(shape("line", { x1: x, x2: x, y1: y, y2: y + h, class: rows }));
    const to = joined ? across : x + w;
    if (!joined || i === 0) svg.append(shape("line", { x1: x, x2: to, y1: y, y2: y, class: columns }));
  }
  return svg;
}

/** @param {HTMLElement} root @param {number} head */
function light(root, head) {
  for (const piece of all(root, ".piece")) piece.classList.toggle("lit", Number(piece.dataset.head) === head);
}
