import { sectionOf } from "../shared/dom.js";
import { shares } from "../shared/shares.js";

/**
 * A row of weights that is dragged; it is sent as the numbers of a link.
 * @typedef {{ language: string, keys: string[], weights: number[], send: string, hint: string }} Row
 */

/** @param {ComponentArgs<Row>} args */
export default function ({ data: { language, keys, weights, ...words }, parentElement, setTriggerValue }) {
  const section = sectionOf(parentElement);
  section.lang = language;
  section.replaceChildren(shares(keys, weights, words, (values) => setTriggerValue("choose", values)));
}
