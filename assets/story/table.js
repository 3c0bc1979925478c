import { make } from "../shared/dom.js";
import { header, row as line, table as rowsOf } from "../shared/table_rows.js";
import { filled } from "../microscope/engine/names.js";
import { addUp, digitsFor, plain } from "../microscope/engine/numbers.js";
import { figureOf, isAsked } from "./figures.js";
import { QUERY, bare, queryRow, wordOf } from "./query_row.js";

const GIVEN = ["K", "V"]; // whatever the reader moves
/** @type {Record<Column, string>} */
const ROLES = { label: "key", score: "", share: "weight", largest: "", value: "", product: "" };

/**
 * A row for each word with the numbers of the query; every number of the trace opens.
 * @param {Story} story @param {number} head @param {(head: number) => void} choose
 */
export function table(story, head, choose) {
  const { labels } = story.words,
    { columns, heads } = figureOf(story),
    row = queryRow(story, head),
    top = columns.map((column) => header("col", labels[column], ROLES[column]));
  const lines = row.scores.map((_, word) =>
    line(header("row", wordOf(story, word), "key"), ...columns.map((column) => cell(story, head, row, column, word))),
  );
  const foot = columns.includes("share") ? totals(story, head, row, columns) : null,
    element = rowsOf(line(header("col", labels.word), ...top), lines, foot);
  element.prepend(caption(story, head, row, choose));
  if (heads) element.classList.toggle("chosen", head === story.head);
  return element;
}

/** @param {Story} story @param {number} head @param {QueryRow} row @param {(head: number) => void} choose */
function caption(story, head, row, choose) {
  const { labels } = story.words,
    { heads, even } = figureOf(story);
  const element = make("caption"),
    name = wordOf(story, QUERY);
  if (heads) {
    const text = filled(labels.head, { head: head + 1 });
    element.append(make("button", "head", text, { onclick: () => choose(head) }));
  }
  const asks = element.appendChild(make("span", "query", name));
  if (even) return element;
  /** @param {number} d */
  const number = (d) => opening(story, row, head, bare(row.Q[d]), "Q", { d_k: d });
  asks.append(` ${labels.asks} Q = `, ...vector(row.Q.map((_, d) => number(d))));
  return element;
}

/** @param {Story} story @param {number} head @param {QueryRow} row @param {Column} column @param {number} word */
function cell(story, head, row, column, word) {
  const { K, Q, scores, weights, values } = row,
    element = make("td", column),
    best = Math.max(...scores),
    [, digits] = digitsFor(true, (d) => addUp(weights, 1, d)),
    winner = scores.indexOf(best) === word;
  /** @param {string} content @param {string} stage @param {At} positions */
  const number = (content, stage, positions) => opening(story, row, head, content, stage, positions);
  if (isAsked(story, column) && (column !== "score" || winner)) {
    element.append(make("span", "asked", "?", { title: story.words.labels.asked }));
    return element;
  }
  if (column === "label") element.append(...vector(K[word].map((k, d) => number(bare(k), "K", { key: word, d_k: d }))));
  if (column === "value") element.append(number(bare(values[word]), "V", { key: word }));
  if (column === "product")
    element.append("≈ ", number(plain(weights[word] * values[word]), "head_output", { d_v: 0 }));
  if (column === "share")
    element.append(bar(weights[word]), number(plain(weights[word], digits), "weights", { key: word }));
  if (column === "largest") element.append(bar(Number(winner)), String(Number(winner)));
  if (column === "score") {
    const sum = Q.map((q, d) => `${bare(q)}·${bare(K[word][d])}`).join(" + ");
    if (figureOf(story).sums) element.append(make("span", "addends", `${sum} = `));
    element.append(number(bare(scores[word]), "scores", { key: word }));
    element.classList.toggle("best", scores[word] === best);
  }
  return element;
}

/** @param {Story} story @param {number} head @param {QueryRow} row @param {Column[]} columns */
function totals(story, head, row, columns) {
  const total = line(make("td"));
  for (const column of columns) {
    const element = total.appendChild(make("td", column));
    if (column === "share" && !isAsked(story, column))
      element.append(
        plain(
          row.weights.reduce((sum, weight) => sum + weight),
          0,
        ),
      );
    if (column === columns.at(-1) && columns.includes("value") && !isAsked(story, column)) {
      element.append(make("span", "new", `${story.words.labels.sum} = `));
      element.append(opening(story, row, head, plain(row.output), "head_output", { d_v: 0 }));
    }
  }
  return total;
}

/**
 * A number that opens in the microscope where it is one of the trace.
 * @param {Story} story @param {QueryRow} row @param {number} head @param {string} content @param {string} stage
 * @param {At} positions
 */
function opening(story, row, head, content, stage, positions) {
  if (!row.isGiven && !GIVEN.includes(stage)) return make("span", "number", content);
  return make("button", "number", content, { onclick: () => story.open(stage, head, positions) });
}

/** @param {HTMLElement[]} numbers @returns {(HTMLElement | string)[]} */
const vector = (numbers) => ["(", ...numbers.flatMap((number, i) => (i ? [", ", number] : [number])), ")"];

/** @param {number} share */
function bar(share) {
  const element = make("i", "bar");
  element.style.setProperty("--part", `${(100 * share).toFixed(1)}%`);
  return element;
}
