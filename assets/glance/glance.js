import { all, make, sectionOf } from "../shared/dom.js";
import { across, thickness } from "../shared/links.js";
import { header, row, table } from "../shared/table_rows.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { roving } from "../microscope/stepper/roving.js";
import { shape, text } from "../shared/svg.js";

/**
 * @typedef {{
 *   label: string, queries: string[], keys: string[], glosses: [pinyin: string, meaning: string][],
 *   weights: number[][], printed: string[][], scores: string[][], largest: number, chosen: number, takes: string,
 *   sum: string, title: string,
 * }} Glance
 */

const ROW = 56,
  WIDTH = 430,
  LEFT = 122,
  RIGHT = 318,
  GLOSS = 40; // wider where words have a gloss below them

/** @param {ComponentArgs<Glance>} args */
export default function ({ data, parentElement }) {
  const root = sectionOf(parentElement),
    lines = picture(data),
    cells = tableOf(data),
    takes = make("p", "takes"),
    sum = make("p", "sum");
  takes.ariaLive = sum.ariaLive = "polite";
  root.replaceChildren(takes, lines, cells, sum);
  const rows = all(root, "[data-row]"),
    opened = all(cells, "td");
  let isOpened = false; // words and shares come first, the formula after a number was pressed
  /** @param {number} row @param {number} [column] by default that of the largest weight */
  const choose = (row, column = data.weights[row].indexOf(Math.max(...data.weights[row]))) => {
    for (const one of rows) one.classList.toggle("chosen", Number(one.dataset.row) === row);
    opened.forEach((one, i) => one.classList.toggle("open", i === row * data.keys.length + column));
    takes.textContent = filled(data.takes, {
      query: data.queries[row],
      key: data.keys[column],
      share: plain(100 * data.weights[row][column], 0),
    });
    if (isOpened) sum.replaceChildren(...sumOf(data, row, column));
  };
  for (const one of rows)
    if (one.matches(".query")) one.onpointerenter = one.onclick = one.onfocus = () => choose(Number(one.dataset.row));
  opened.forEach((one, i) => {
    const at = [Math.floor(i / data.keys.length), i % data.keys.length];
    one.onpointerenter = one.onfocus = () => choose(at[0], at[1]);
    one.onclick = () => {
      isOpened = true;
      choose(at[0], at[1]);
    };
  });
  choose(data.chosen);
  roving(lines, ".query", lines.querySelector(".query.chosen"));
  roving(cells, "td", cells.querySelector(".open"));
}

/**
 * How a weight is made of the scores in its row.
 * @param {Glance} data @param {number} row @param {number} column
 */
function sumOf({ queries, keys, scores, printed, sum }, row, column) {
  /** @param {string} score @param {number} j */
  const power = (score, j) => make("span", j === column ? "open" : "", ["e", make("sup", "", score)]);
  const powers = scores[row].flatMap((score, j) => (j ? [" + ", power(score, j)] : [power(score, j)])),
    named = [make("span", "query", queries[row]), ", ", make("span", "key", keys[column])];
  const weight = [make("span", "symbol", "weights"), "[", ...named, "] = "];
  return [
    make("span", "line", [
      ...[...weight, power(scores[row][column], column)],
      ...[" / (", ...powers, ") ≈ ", make("strong", "", printed[row][column])],
    ]),
    make("span", "about", sum),
  ];
}

/** @param {Glance} data */
function picture(data) {
  const height = ROW * Math.max(data.queries.length, data.keys.length);
  /** @param {number} i */
  const from = (i) => (height * (i + 0.5)) / data.queries.length;
  /** @param {number} j */
  const to = (j) => (height * (j + 0.5)) / data.keys.length;
  const svg = shape("svg", {
    viewBox: `0 0 ${WIDTH + (data.glosses.length ? GLOSS : 0)} ${height}`,
    role: "group",
    "aria-label": data.label,
  });
  data.weights.forEach((row, i) => {
    const group = svg.appendChild(shape("g", { "data-row": i }));
    row.forEach((weight, j) => {
      group.append(
        shape("path", {
          d: across([LEFT, from(i)], [RIGHT, to(j)], true),
          "stroke-width": thickness(weight / data.largest, 16, 1),
        }),
        text(RIGHT + 16, to(j), data.printed[i][j], "share", "start"),
      );
    });
    const word = text(LEFT - 14, from(i), data.queries[i], "word query", "end");
    word.dataset.row = String(i);
    word.role = "button";
    svg.append(word);
  });
  data.keys.forEach((token, j) => {
    const meaning = data.glosses[j]?.[1];
    svg.append(text(RIGHT + 62, to(j) - (meaning ? 8 : 0), token, "word key", "start"));
    if (meaning) svg.append(text(RIGHT + 62, to(j) + 15, meaning, "gloss", "start"));
  });
  return svg;
}

/** @param {Glance} data */
function tableOf(data) {
  const head = row(
    header("col", data.title, "symbol"),
    ...data.keys.map((token, j) => {
      const pinyin = data.glosses[j]?.[0];
      return header("col", pinyin ? make("span", "", [token, make("small", "gloss", pinyin)]) : token, "key");
    }),
  );
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
