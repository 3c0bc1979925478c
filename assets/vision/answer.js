import { make, sectionOf } from "../shared/dom.js";

/**
 * @typedef {{ called: string, share: number, printed: string }} Row
 * @typedef {{ title: string, note: string, rows: Row[], unknown: boolean, language: string }} Answer
 */

/**
 * What the model takes the picture for: the likeliest class large, the next ones as bars.
 * @param {ComponentArgs<Answer>} args
 */
export default function ({ data, parentElement }) {
  const root = sectionOf(parentElement);
  root.lang = data.language;
  root.classList.toggle("unknown", data.unknown);
  root.replaceChildren(make("h3", "", data.title), make("p", "", data.note), make("ol", "", data.rows.map(barOf)));
}

/** @param {Row} row */
function barOf({ called, share, printed }) {
  const bar = make("i");
  bar.style.setProperty("--part", String(share));
  return make("li", "", [make("span", "", called), bar, make("b", "", printed)]);
}
