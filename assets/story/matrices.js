import { header, row as line, table as rowsOf } from "../shared/table_rows.js";
import { make } from "../shared/dom.js";
import { bare, namesOf, queryRow, sentenceOf } from "./query_row.js";
import { number } from "./table.js";

const NAMES = /** @type {const} */ (["W_Q", "W_K", "W_V"]),
  LETTERS = /** @type {const} */ (["Q", "K", "V"]),
  LARGEST = 2; // of a parameter: the strongest colour

/**
 * A word's vector, the three matrices of a head, and what they make of it: its question, label and value.
 * @param {Story} story @param {number} head
 */
export function matrices(story, head) {
  const { labels, query } = story.words,
    { word } = story,
    x = sentenceOf(story).X[word],
    row = queryRow(story, head),
    step = story.words.steps[story.step];
  const top = NAMES.map((name, i) => {
    const cell = header("col", labels[`column_${LETTERS[i]}`], `column ${name}`);
    cell.colSpan = 2;
    return cell;
  });
  const lines = x.map((part, i) =>
    line(
      header("row", bare(part), "d_model"),
      ...NAMES.flatMap((name) => step[name][head][i].map((value) => weight(value))),
    ),
  );
  const made = { Q: word === query ? row.Q : null, K: row.K[word], V: row.V[word] };
  const foot = LETTERS.flatMap((letter) => {
    const numbers = made[letter];
    if (numbers)
      return numbers.map((value, d) => make("td", letter, [number(story, bare(value), { of: letter, head, word, d })]));
    const cell = make("td", "quiet", labels.not_asked);
    cell.colSpan = 2;
    return [cell];
  });
  const element = rowsOf(
    line(header("col", namesOf(story)[word], word === query ? "query" : "key"), ...top),
    lines,
    line(header("row", "↓"), ...foot),
  );
  element.classList.add("matrices");
  return element;
}

/** @param {number} value */
function weight(value) {
  const cell = make("td", "weight-cell", bare(value));
  cell.style.setProperty("--part", `${Math.round((45 * Math.min(LARGEST, Math.abs(value))) / LARGEST)}%`);
  cell.classList.add(value < 0 ? "negative" : "positive");
  return cell;
}
