import { roving } from "../microscope/roving.js";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 56,
  WIDTH = 430,
  LEFT = 122,
  RIGHT = 318;

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const lines = picture(data),
    matrix = table(data);
  root.replaceChildren(lines, matrix);
  const choose = (row) => {
    root.querySelectorAll("[data-row]").forEach((e) => e.classList.toggle("chosen", Number(e.dataset.row) === row));
  };
  root.querySelectorAll("[data-row]").forEach((element) => {
    const row = Number(element.dataset.row);
    element.onpointerenter = element.onclick = element.onfocus = () => choose(row);
  });
  choose(data.chosen);
  roving(lines, ".query", lines.querySelector(".query.chosen"));
}

function picture(data) {
  const height = ROW * Math.max(data.queries.length, data.keys.length);
  const from = (i) => (height * (i + 0.5)) / data.queries.length,
    to = (j) => (height * (j + 0.5)) / data.keys.length;
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group", "aria-label": data.label });
  data.weights.forEach((row, i) => {
    const group = svg.appendChild(make("g", { "data-row": i }));
    row.forEach((weight, j) =>
      group.append(curve(from(i), to(j), weight / data.largest), share(to(j), data.printed[i][j])),
    );
    const word = label(LEFT - 14, from(i), data.queries[i], "end", "query");
    word.setAttribute("data-row", i);
    svg.append(word);
  });
  data.keys.forEach((token, j) => svg.append(label(RIGHT + 62, to(j), token, "start", "key")));
  return svg;
}

function curve(y, end, strength) {
  const middle = (LEFT + RIGHT) / 2;
  return make("path", {
    d: `M${LEFT} ${y} C${middle} ${y} ${middle} ${end} ${RIGHT} ${end}`,
    "stroke-width": (1 + 15 * strength).toFixed(2),
  });
}

function share(y, printed) {
  const text = make("text", { x: RIGHT + 16, y, "dominant-baseline": "central", class: "share" });
  text.textContent = printed;
  return text;
}

function label(x, y, content, anchor, role) {
  const text = make("text", { x, y, "text-anchor": anchor, "dominant-baseline": "central", class: `word ${role}` });
  text.textContent = content;
  return text;
}

function table(data) {
  const element = document.createElement("table");
  element.setAttribute("aria-label", data.label);
  const head = element.createTHead().insertRow();
  head.append(cell("th", "weights", "symbol"), ...data.keys.map((token) => cell("th", token, "key")));
  const body = element.createTBody();
  data.weights.forEach((row, i) => {
    const line = body.insertRow();
    line.dataset.row = i;
    line.append(cell("th", data.queries[i], "query"));
    row.forEach((weight, j) => {
      const box = cell("td", data.printed[i][j], weight / data.largest > 0.62 ? "strong" : "");
      box.style.setProperty("--part", `${Math.round((100 * weight) / data.largest)}%`);
      line.append(box);
    });
  });
  return element;
}

function cell(tag, content, className) {
  const element = document.createElement(tag);
  element.textContent = content;
  element.className = className;
  return element;
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}
