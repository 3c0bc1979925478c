import { make } from "../shared/dom.js";
import { header, row as line, table as rowsOf } from "../shared/table_rows.js";
import { filled } from "../microscope/engine/names.js";
import { addUp, DECIMALS, plain } from "../microscope/engine/numbers.js";
import { bare, bestAlone, namesOf, queryRow, share } from "./query_row.js";

export const DIGITS = 1; // of a share: with these the products are what is printed
/** @type {Record<StoryColumn, string>} */
const ROLES = { label: "key", score: "", weight: "weight", largest: "", value: "", product: "" };

/**
 * A row for each word with the numbers of the word that asks; every number opens.
 *
 * The columns that would tell what the scene asks are closed until the reader has guessed.
 * @param {Story} story @param {number} head
 */
export function table(story, head) {
  const { labels, query } = story.words,
    names = namesOf(story),
    row = queryRow(story, head),
    { columns: usual = [], asked = [], splits, bridge } = story.words.scenes[story.scene - 1],
    isPair = splits && story.split === null, // two tables, which have room for the weights alone
    columns = isPair
      ? usual.filter((column) => column !== "value")
      : bridge && story.isShort
        ? /** @type {StoryColumn[]} */ ([...usual, "weight"])
        : usual,
    closed = story.guesses.has(story.scene) ? [] : asked;
  const top = columns.map((column) => header("col", labels[column], ROLES[column]));
  const lines = names.map((name, word) => {
    const cells = columns.map((column) => {
      const element = cell(story, head, row, column, word);
      return closed.includes(column) ? closedCell(labels, element) : element;
    });
    return line(header("row", name, word === query ? "query" : "key"), ...cells);
  });
  const foot = columns.includes("product") ? totals(story, head, row, columns, closed) : null,
    element = rowsOf(line(header("col", labels.word), ...top), lines, foot);
  if (splits) element.prepend(title(story, head));
  else if (columns.includes("label") && columns.includes("score")) element.prepend(question(story, head, row));
  return element;
}

/**
 * Puts a question mark over what a cell will say, which has its place before.
 * @param {StoryLabels} labels @param {HTMLElement} element
 */
function closedCell(labels, element) {
  const parts = [make("span", "kept", element.textContent ?? ""), make("span", "asked", "?", { title: labels.asked })];
  element.replaceChildren(make("div", "covered", parts));
  return element;
}

/** @param {Story} story @param {number} head */
function title(story, head) {
  const { heads, head: numbered } = story.words.labels;
  return make("caption", `head-${head}`, story.split === null ? filled(numbered, { head: head + 1 }) : heads[0]);
}

/** What the word asks. @param {Story} story @param {number} head @param {QueryRow} row */
function question(story, head, { Q }) {
  const { labels, query } = story.words;
  const numbers = Q.map((q, d) => number(story, bare(q), { of: "Q", head, word: query, d }));
  return make("caption", "", [make("span", "query", namesOf(story)[query]), ` ${labels.asks} `, ...vector(numbers)]);
}

/**
 * @param {Story} story @param {number} head @param {QueryRow} row @param {StoryColumn} column @param {number} word
 */
function cell(story, head, { K, V, scores, weights }, column, word) {
  const element = make("td", column),
    alone = bestAlone(scores)[word];
  /** @param {string} text @param {OpenedNumber["of"]} of @param {number} [d] */
  const opens = (text, of, d = 0) => number(story, text, { of, head, word, d });
  if (column === "label") element.append(...vector(K[word].map((k, d) => opens(bare(k), "K", d))));
  if (column === "value") element.append(...vector(V[word].map((v, d) => valueNumber(story, head, word, d, v))));
  if (column === "product")
    element.append(...vector(V[word].map((v, d) => opens(plain(weights[word] * v), "product", d))));
  if (column === "weight") element.append(bar(weights[word]), opens(share(weights[word], DIGITS), "weight"));
  if (column === "largest") element.append(bar(alone), share(alone));
  if (column === "score") {
    element.append(opens(plain(scores[word]), "score"));
    element.classList.toggle("best", alone > 0);
  }
  return element;
}

/**
 * A number of a value; of a single head that fetches both, each is of another trained head.
 * @param {Story} story @param {number} head @param {number} word @param {number} d @param {number} value
 */
const valueNumber = (story, head, word, d, value) =>
  number(story, bare(value), { of: "V", head: story.split === null ? head : d, word, d });

/**
 * @param {Story} story @param {number} head @param {QueryRow} row @param {StoryColumn[]} columns
 * @param {StoryColumn[]} closed
 */
function totals(story, head, { weights, V, mixed }, columns, closed) {
  const cells = columns.map((column) => {
    if (column !== "product") return make("td", "", column === "weight" ? share(1, DIGITS) : "");
    const element = make(
      "td",
      column,
      vector(mixed.map((value, d) => number(story, plain(value), { of: "mixed", head, word: 0, d }))),
    );
    return closed.includes(column) ? closedCell(story.words.labels, element) : element;
  });
  const isExact = mixed.every((sum, d) => {
    const terms = V.map((v, word) => weights[word] * v[d]);
    return addUp(terms, sum, DECIMALS);
  });
  return line(header("row", `${story.words.labels.sum} ${isExact ? "=" : "≈"}`), ...cells);
}

/**
 * A number that opens below the picture.
 * @param {Story} story @param {string} content @param {OpenedNumber} opened
 */
export function number(story, content, opened) {
  const button = make("button", "number", content, {
    onclick: () => {
      story.opened = opened;
      const isBeside = story.words.scenes[story.scene - 1].side === "products" && opened.of !== "Q";
      if (isBeside) story.word = opened.word; // its areas are drawn
      story.moved();
    },
  });
  button.dataset.opens = Object.values(opened).join(" ");
  button.ariaPressed = String(JSON.stringify(story.opened) === JSON.stringify(opened));
  return button;
}

/** @param {HTMLElement[]} numbers @returns {(HTMLElement | string)[]} */
const vector = (numbers) => ["(", ...numbers.flatMap((one, i) => (i ? [", ", one] : [one])), ")"];

/** @param {number} share */
function bar(share) {
  const element = make("i", "bar");
  element.style.setProperty("--part", `${(100 * share).toFixed(1)}%`);
  return element;
}
