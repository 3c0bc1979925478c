import { around, effect } from "../shared/dom.js";

const NARROW = "(max-width: 767px)"; // where Streamlit lays its sidebar over the page
const OPEN = '[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]';

/**
 * Where the sidebar covers the page, choosing a page in it closes it.
 * @param {ComponentArgs<null>} args
 */
export default function ({ parentElement }) {
  return effect(parentElement, () => {
    document.addEventListener("click", close);
    return () => document.removeEventListener("click", close);
  });
}

/** @param {MouseEvent} event */
function close(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !matchMedia(NARROW).matches) return; // a page in a tab of its own
  const link = around(event, '[data-testid="stSidebar"] [data-testid="stPageLink"]');
  /** @type {HTMLElement | null} */
  const button = link && document.querySelector(OPEN);
  button?.click();
}
