import { make } from "../microscope/dom.js";
import { opened } from "../microscope/opened.js";
import { showSum } from "../microscope/sum.js";

// One number of a small trace, opened by core.explain, printed as the microscope prints it.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(make("section", "step"));
  const trace = { ...data, stage: (key) => data.stages[key] };
  const cell = opened(withInfinities(data.cell), trace), { rows } = cell;
  const hides = (place) => place !== cell.chosen && data.covered[place];
  // A softmax has the shares of the whole row: those that are still asked for are no part of it.
  const at = (place) => (hides(place) ? [...rows.at(place).slice(0, -1), [["?", "quiet"]]] : rows.at(place));
  const open = { ...cell, rows: rows.length ? { length: rows.length, at } : rows };
  showSum(root, open, { all: true, follow: null, words: data.words });
}

/** JSON has no −∞: null stands for it. */
function withInfinities(value) {
  if (value === null) return -Infinity;
  if (Array.isArray(value)) return value.map(withInfinities);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, name === "address" ? part : withInfinities(part)]));
}
