import { make } from "../../shared/dom.js";
import { setIn } from "./symbols.js";

/**
 * Where the numbers of the step come from, and its terms with the way to each.
 * @param {Store} store
 */
export function origin(store) {
  const from = make("div"),
    terms = make("p", "terms"),
    element = make("section", "origin", [from, terms]);
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (!what.has("trace") && !what.has("selection")) return;
    const { stage } = store,
      { sheets } = store.trace;
    const [said, ...stored] = (sheets.weighted.includes(stage) ? sheets.origin : sheets.words.exact).split("\n");
    if (from.textContent !== said + stored.join(""))
      from.replaceChildren(stored.length ? folded(said, stored.join("")) : said); // else it stays open
    terms.replaceChildren(...termsOf(sheets, stage));
  };
  return { element, changed };
}

/** Few readers ask how the weights are stored. @param {string} said @param {string} stored */
const folded = (said, stored) => make("details", "", [make("summary", "", said), make("p", "", stored)]);

/** @param {Sheets} sheets @param {string} stage */
function termsOf({ terms, words }, stage) {
  const links = terms[stage].map(([name, address]) =>
    setIn(address ? make("a", "", "", { href: address }) : make("span"), name),
  );
  return links.length ? [make("span", "", words.terms), ...links] : [];
}
