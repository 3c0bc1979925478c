import { all, around, effect, within } from "../shared/dom.js";

const NARROW = "(max-width: 767px)"; // where Streamlit lays its sidebar over the page
const OPEN = '[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]';
const LINK = '[data-testid="stPageLink-NavLink"]';

/**
 * The menu in the sidebar is a navigation, whose link to the page shown says so. Where the sidebar
 * covers the page, choosing a page in it closes it.
 * @param {ComponentArgs<{ label: string }>} args
 */
export default function ({ data: { label }, parentElement }) {
  return effect(parentElement, () => {
    const menu = within(document, ".st-key-pages");
    menu.role = "navigation";
    menu.ariaLabel = label;
    const watch = new MutationObserver(() => mark(menu));
    watch.observe(menu, { subtree: true, childList: true, attributeFilter: ["class"] });
    mark(menu);
    menu.addEventListener("click", close);
    return () => {
      watch.disconnect();
      menu.removeEventListener("click", close);
    };
  });
}

/** @param {HTMLElement} menu */
function mark(menu) {
  for (const link of all(menu, LINK)) link.ariaCurrent = link.closest(".st-key-here") ? "page" : null;
}

/** @param {MouseEvent} event */
function close(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !matchMedia(NARROW).matches) return; // a page in a tab of its own
  /** @type {HTMLElement | null} */
  const button = around(event, LINK) && document.querySelector(OPEN);
  button?.click();
}
