import { make, spans } from "../shared/dom.js";
import { readings } from "./readings.js";
import { setIn } from "./symbols.js";

/** What the numbers of the step say, where they come from, and the terms of the step with the way to each.
 *
 * @param {Store} store
 */
export function meaning(store) {
  const element = make("section", "meaning"),
    title = make("h2"),
    said = make("div", "reads"),
    origin = make("p", "origin"),
    terms = make("p", "terms");
  element.append(title, said, origin, terms);
  let told = "";

  /** @param {Set<What>} what */
  function changed(what) {
    const { trace, stage } = store,
      { sheets } = trace;
    if (what.has("trace") || what.has("place")) {
      title.textContent = trace.words.reads;
      origin.textContent = sheets.weighted.includes(stage) ? sheets.origin : sheets.words.exact;
      terms.replaceChildren(...termsOf(sheets, stage));
    }
    const sentences = store.isHere ? readings(trace, stage, store.pointed()) : [],
      text = JSON.stringify(sentences);
    if (text === told) return;
    told = text;
    title.hidden = !sentences.length;
    said.replaceChildren(...sentences.map(paragraph));
  }

  return { element, changed };
}

/** A paragraph of spans. @param {Span[]} parts */
export function paragraph(parts) {
  const line = make("p");
  line.append(
    ...parts.flatMap(([text, role]) => (role ? spans([[text, role]]) : [...setIn(make("span"), text).childNodes])),
  );
  return line;
}

/** @param {Sheets} sheets @param {string} stage */
function termsOf({ terms, words }, stage) {
  const doors = terms[stage].map(([name, address]) =>
    setIn(address ? Object.assign(make("a"), { href: address }) : make("span"), name),
  );
  return doors.length ? [make("span", "", words.terms), ...doors] : [];
}
