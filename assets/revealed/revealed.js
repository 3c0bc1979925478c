import { explain } from "../microscope/engine/cell.js";
import { make, viewOf } from "../shared/dom.js";
import { sceneOf, splitHeader } from "../microscope/engine/blob.js";
import { paragraph } from "../microscope/words/meaning.js";
import { opened } from "../microscope/engine/opened.js";
import { readings } from "../microscope/engine/readings.js";
import { showSum } from "../microscope/words/sum.js";
import { Trace } from "../microscope/engine/trace.js";

/** @typedef {{ key: string, index: number[], at: At, covered: boolean[] }} Revealed */

/**
 * One number of a small trace with the sum that made it, and what its row says once all of it is open.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement }) {
  const [sum, meaning] = viewOf(parentElement, () => [make("section", "sum"), make("section", "meaning")]),
    { header, scene } = splitHeader(data),
    trace = new Trace(sceneOf(scene));
  /** @type {Revealed} */
  const { key, index, at, covered } = header;
  parentElement.append(sum, meaning);
  showSum(sum, withCovered(opened(explain(trace, key, index), trace), covered), {
    follow: null,
    words: trace.words.microscope,
  });
  const sentences = covered.some(Boolean) ? [] : readings(trace, key, at),
    reads = make("div", "reads");
  reads.append(...sentences.map(paragraph));
  meaning.replaceChildren(...(sentences.length ? [make("h2", "", trace.words.reads), reads] : []));
}

/**
 * A softmax has the shares of the whole row: those that are still asked for are no part of it.
 * @param {Opened} cell @param {boolean[]} covered @returns {Opened}
 */
function withCovered(cell, covered) {
  const { rows } = cell;
  /** @param {number} position */
  const hides = (position) => position !== cell.chosen && covered[position];
  /** @param {number} position @returns {LinkSpan[][]} */
  const at = (position) =>
    hides(position) ? [...rows.at(position).slice(0, -1), [["?", "quiet"]]] : rows.at(position);
  return { ...cell, rows: rows.length ? { length: rows.length, at } : rows };
}
