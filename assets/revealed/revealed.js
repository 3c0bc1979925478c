import { explain } from "../microscope/cell.js";
import { make } from "../microscope/dom.js";
import { taken } from "../microscope/headed.js";
import { paragraph } from "../microscope/meaning.js";
import { opened } from "../microscope/opened.js";
import { readings } from "../microscope/readings.js";
import { sceneOf } from "../microscope/scene_version.js";
import { showSum } from "../microscope/sum.js";
import { Trace } from "../microscope/trace.js";

// One number of a small trace with the sum that made it, and what its row says once all of it is open.
export default function ({ data, parentElement }) {
  const [step, said] = (parentElement.parts ??= [make("section", "step"), make("section", "meaning")]);
  const {
      header: { key, index, at, covered },
      scene,
    } = taken(data),
    trace = new Trace(sceneOf(scene));
  parentElement.append(step, said);
  showSum(step, covering(opened(explain(trace, key, index), trace), covered), {
    all: true,
    follow: null,
    words: trace.words.microscope,
  });
  const sentences = covered.some(Boolean) ? [] : readings(trace, key, at),
    reads = make("div", "reads");
  reads.append(...sentences.map(paragraph));
  said.replaceChildren(...(sentences.length ? [make("h2", "", trace.words.reads), reads] : []));
}

// A softmax has the shares of the whole row: those that are still asked for are no part of it.
function covering(cell, covered) {
  const { rows } = cell,
    hides = (place) => place !== cell.chosen && covered[place];
  const at = (place) => (hides(place) ? [...rows.at(place).slice(0, -1), [["?", "quiet"]]] : rows.at(place));
  return { ...cell, rows: rows.length ? { length: rows.length, at } : rows };
}
