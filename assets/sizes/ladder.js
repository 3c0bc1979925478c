import { setIn } from "../microscope/symbols.js";

// The way of a shape from X to output: each stage as sheets in proportion, one head lit on all rungs.
const SVG = "http://www.w3.org/2000/svg";
const TALLEST = 5; // a row is at most as high as the drawing is wide, divided by this
const GAP = 0.16,
  THIN = 0.0035,
  BEHIND = 0.006;

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const width = widthOf(data.rows),
    list = document.createElement("ol");
  data.rows.forEach((row) => {
    const item = list.appendChild(document.createElement("li"));
    if (row.step.length) item.append(said("p", row.step, "step"));
    const label = item.appendChild(document.createElement("div"));
    label.className = "label";
    label.append(said("b", row.name, "name"), shapeOf(row.axes));
    item.append(drawn(row, width));
  });
  list.lang = data.language;
  root.replaceChildren(list, said("p", [[data.caption, ""]], "caption"));
  light(root, Math.min(1, data.heads - 1));
  root.onpointerover = (event) => {
    const head = event.target.dataset?.head;
    if (head !== undefined) light(root, Number(head));
  };
}

// The width of the drawing in numbers: what is widest fits, and what is tallest too.
function widthOf(rows) {
  const across = (row) => row.wide * row.pieces * (row.joined ? 1 : 1 + GAP);
  return Math.max(...rows.map((row) => Math.max(across(row) * 1.02, row.high * TALLEST)));
}

function drawn({ high, wide, pieces, joined, batch, rows, columns }, width) {
  const thin = width * THIN,
    h = Math.max(high, thin),
    w = Math.max(wide, joined ? thin / pieces : thin);
  const behind = batch > 1 ? width * BEHIND : 0,
    gap = joined ? 0 : w * GAP;
  const svg = element("svg", { viewBox: `0 0 ${width} ${h + 2 * behind + thin}`, role: "presentation" });
  const across = pieces * w + (pieces - 1) * gap;
  for (const depth of behind ? [2, 1] : []) {
    for (let i = 0; i < (joined ? 1 : pieces); i++) {
      const x = i * (w + gap) + depth * behind;
      svg.append(
        element("rect", { x, y: (2 - depth) * behind, width: joined ? across : w, height: h, class: "behind" }),
      );
    }
  }
  for (let i = 0; i < pieces; i++) {
    const x = i * (w + gap),
      y = 2 * behind;
    svg.append(
      element("rect", { x, y, width: w, height: h, class: pieces > 1 || !joined ? "piece" : "whole", "data-head": i }),
    );
    if (i === 0) svg.append(element("line", { x1: x, x2: x, y1: y, y2: y + h, class: rows }));
    const to = joined ? across : x + w;
    if (!joined || i === 0) svg.append(element("line", { x1: x, x2: to, y1: y, y2: y, class: columns }));
  }
  return svg;
}

function light(root, head) {
  for (const piece of root.querySelectorAll(".piece"))
    piece.classList.toggle("lit", Number(piece.dataset.head) === head);
}

function shapeOf(axes) {
  const text = document.createElement("span");
  text.className = "shape";
  text.append("(");
  axes.forEach(({ role, size, changed }, i) => {
    const one = document.createElement("span");
    one.className = role;
    one.classList.toggle("changed", changed);
    setIn(one, `${role} ${size}`);
    text.append(...(i ? [", "] : []), one);
  });
  text.append(")");
  return text;
}

function said(tag, spans, name) {
  const result = document.createElement(tag);
  result.className = name;
  for (const [text, role] of spans) {
    const part = document.createElement(["sup", "sub"].includes(role) ? role : "span");
    if (role) part.className = role;
    part.textContent = text;
    result.append(part);
  }
  return result;
}

function element(tag, attributes) {
  const result = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) result.setAttribute(name, value);
  return result;
}
