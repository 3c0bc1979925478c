import { viewOf } from "../shared/dom.js";
import { speak } from "./spoken.js";

/** @import { Translation } from "./phrases.js" */

/**
 * The language of the page, in which Streamlit speaks too.
 * @param {ComponentArgs<{ tag: string, translations: Translation[] }>} args
 */
export default function ({ data: { tag, translations }, parentElement }) {
  const view = viewOf(parentElement, () => ({ silence: () => {} }));
  document.documentElement.lang = tag;
  view.silence();
  view.silence = speak(translations);
}
