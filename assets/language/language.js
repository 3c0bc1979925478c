import { viewOf } from "../shared/dom.js";
import { translatePage } from "./translate.js";

/** @import { Translation } from "./translate.js" */

/**
 * The language of the page, in which Streamlit speaks too. sidebar: what the button that opens it
 * says.
 * @param {ComponentArgs<{ tag: string, translations: Translation[], sidebar: string }>} args
 */
export default function ({ data: { tag, translations, sidebar }, parentElement }) {
  const view = viewOf(parentElement, () => ({ stop: () => {} }));
  document.documentElement.lang = tag;
  document.documentElement.style.setProperty("--in-sidebar", JSON.stringify(sidebar));
  view.stop();
  view.stop = translatePage(translations);
}
