import { all, make, sectionOf } from "../shared/dom.js";
import { across, thickness } from "../shared/links.js";
import { header, row, table } from "../shared/table_rows.js";
import { roving } from "../microscope/stepper/roving.js";
import { shape, text } from "../shared/svg.js";

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
  root.replaceChildren(lines, tableOf(data));
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
      group.append(
        shape("path", {
          d: across([LEFT, from(i)], [RIGHT, to(j)], true),
          "stroke-width": thickness(weight / data.largest, 16, 1),
        }),
        text(RIGHT + 16, to(j), data.printed[i][j], "share", "start"),
      ),
    );
    const word = text(LEFT - 14, from(i), data.queries[i], "word query", "end");
    word.dataset.row = String(i);
    svg.append(word);
  });
  data.keys.forEach((token, j) => svg.append(text(RIGHT + 62, to(j), token, "word key", "start")));
  return svg;
}

/** @param {Glance} data */
function tableOf(data) {
  const head = row(header("col", "weights", "symbol"), ...data.keys.map((token) => header("col", token, "key")));
  const rows = data.weights.map((weights, i) => {
    const cells = weights.map((weight, j) => {
      const box = make("td", strength(weight / data.largest), data.printed[i][j]);
      box.style.setProperty("--part", `${Math.round((100 * weight) / data.largest)}%`);
      return box;
    });
    const line = row(header("row", data.queries[i], "query"), ...cells);
    line.dataset.row = String(i);
    return line;
  });
  return Object.assign(table(head, rows), { ariaLabel: data.label });
}

/**
 * Which text can be read on a cell's colour: on most of it, and on what is nearly full.
 * @param {number} part
 */
function strength(part) {
  return part > 0.86 ? "full" : part > 0.62 ? "strong" : "";
}
