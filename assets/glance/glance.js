import { all, make, sectionOf } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { shape } from "../shared/svg.js";

/**
 * @typedef {{
 *   label: string, queries: string[], keys: string[], weights: number[][], printed: string[][], largest: number,
 *   chosen: number,
 * }} Glance
 */

const ROW = 56,
  WIDTH = 430,
  LEFT = 122,
  RIGHT = 318;

/** @param {ComponentArgs<Glance>} args */
export default function ({ data, parentElement }) {
  const root = sectionOf(parentElement),
    lines = picture(data);
  root.replaceChildren(lines, table(data));
  const rows = all(root, "[data-row]");
  /** @param {number} row */
  const choose = (row) => {
    for (const one of rows) one.classList.toggle("chosen", Number(one.dataset.row) === row);
  };
  for (const one of rows) one.onpointerenter = one.onclick = one.onfocus = () => choose(Number(one.dataset.row));
  choose(data.chosen);
  roving(lines, ".query", lines.querySelector(".query.chosen"));
}

/** @param {Glance} data */
function picture(data) {
  const height = ROW * Math.max(data.queries.length, data.keys.length);
  /** @param {number} i */
  const from = (i) => (height * (i + 0.5)) / data.queries.length;
  /** @param {number} j */
  const to = (j) => (height * (j + 0.5)) / data.keys.length;
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group", "aria-label": data.label });
  data.weights.forEach((row, i) => {
    const group = svg.appendChild(shape("g", { "data-row": i }));
    row.forEach((weight, j) =>
      group.append(curve(from(i), to(j), weight / data.largest), share(to(j), data.printed[i][j])),
    );
    const word = label(LEFT - 14, from(i), data.queries[i], "end", "query");
    word.dataset.row = String(i);
    svg.append(word);
  });
  data.keys.forEach((token, j) => svg.append(label(RIGHT + 62, to(j), token, "start", "key")));
  return svg;
}

/** @param {number} y @param {number} end @param {number} strength */
function curve(y, end, strength) {
  const middle = (LEFT + RIGHT) / 2;
  return shape("path", {
    d: `M${LEFT} ${y} C${middle} ${y} ${middle} ${end} ${RIGHT} ${end}`,
    "stroke-width": (1 + 15 * strength).toFixed(2),
  });
}

/** @param {number} y @param {string} printed */
function share(y, printed) {
  const text = shape("text", { x: RIGHT + 16, y, "dominant-baseline": "central", class: "share" });
  text.textContent = printed;
  return text;
}

/** @param {number} x @param {number} y @param {string} content @param {string} anchor @param {string} role */
function label(x, y, content, anchor, role) {
  const text = shape("text", { x, y, "text-anchor": anchor, "dominant-baseline": "central", class: `word ${role}` });
  text.textContent = content;
  return text;
}

/** @param {Glance} data */
function table(data) {
  const element = make("table");
  element.setAttribute("aria-label", data.label);
  const head = element.createTHead().insertRow();
  head.append(make("th", "symbol", "weights"), ...data.keys.map((token) => make("th", "key", token)));
  const body = element.createTBody();
  data.weights.forEach((row, i) => {
    const line = body.insertRow();
    line.dataset.row = String(i);
    line.append(make("th", "query", data.queries[i]));
    row.forEach((weight, j) => {
      const box = make("td", strength(weight / data.largest), data.printed[i][j]);
      box.style.setProperty("--part", `${Math.round((100 * weight) / data.largest)}%`);
      line.append(box);
    });
  });
  return element;
}

/**
 * Which text can be read on a cell's colour: on most of it, and on what is nearly full.
 * @param {number} part
 */
function strength(part) {
  return part > 0.86 ? "full" : part > 0.62 ? "strong" : "";
}
