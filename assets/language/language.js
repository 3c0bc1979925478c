import { viewOf, within } from "../shared/dom.js";
import { translatePage } from "./translate.js";

/** @import { Translation } from "./translate.js" */

/**
 * The language of the page, in which Streamlit speaks too. page: its title, which names the part that keys scroll, too.
 * sidebar: what the button that opens it says.
 * @param {ComponentArgs<{ tag: string, page: string, translations: Translation[], sidebar: string }>} args
 */
export default function ({ data: { tag, page, translations, sidebar }, parentElement }) {
  const view = viewOf(parentElement, () => ({ stop: () => {} }));
  document.documentElement.lang = tag;
  within(document, '[data-testid="stMain"]').ariaLabel = page;
  document.documentElement.style.setProperty("--in-sidebar", JSON.stringify(sidebar));
  view.stop();
  view.stop = translatePage(translations);
}
