import { make, spans } from "../../shared/dom.js";
import { readings } from "../engine/readings.js";
import { setIn } from "./symbols.js";

/**
 * What the numbers of the step say.
 * @param {Store} store
 */
export function meaning(store) {
  const title = make("h2"),
    body = make("div", "reads"),
    element = make("section", "meaning", [title, body]);
  let shown = "";

  /** @param {Set<What>} what */
  function changed(what) {
    const { trace, stage } = store;
    if (what.has("trace") || what.has("selection")) title.textContent = trace.words.reads;
    const sentences = store.isHere ? readings(trace, stage, store.pointed()) : [],
      text = JSON.stringify(sentences);
    if (text === shown) return;
    shown = text;
    title.hidden = !sentences.length;
    body.replaceChildren(...sentences.map(paragraph));
  }

  return { element, changed };
}

/** A paragraph of spans. @param {Span[]} parts */
export function paragraph(parts) {
  const content = parts.flatMap(([text, role]) =>
    role ? spans([[text, role]]) : [...setIn(make("span"), text).childNodes],
  );
  return make("p", "", content);
}
