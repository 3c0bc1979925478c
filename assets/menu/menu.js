import { around, followInApp, make, setText, viewOf } from "../shared/dom.js";

const NARROW = "(max-width: 1000px)", // where the sidebar lies over the page (frame.css)
  OPEN = '[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]';

/**
 * The menu in the sidebar: the pages of each chapter, drawn once and then kept up to date, since Streamlit takes
 * longer for a link of its own than for this list. A chapter is opened or folded anew on each page.
 * @param {ComponentArgs<{
 *   label: string, here: string,
 *   chapters: { title: string, open: boolean, pages: { name: string, label: string, address: string }[] }[],
 * }>} args
 */
export default function ({ data: { label, here, chapters }, parentElement }) {
  const { menu } = viewOf(parentElement, () => {
    if (matchMedia(NARROW).matches) fold(); // at first the page is seen
    return { menu: parentElement.appendChild(make("nav", "", chapters.map(chapter), { onclick: close })) };
  });
  const entered = menu.dataset.page !== here,
    lists = menu.querySelectorAll("details");
  menu.ariaLabel = label;
  menu.dataset.page = here;
  chapters.forEach(({ title, open, pages }, number) => {
    const [heading, ...links] = /** @type {NodeListOf<HTMLElement>} */ (lists[number].querySelectorAll("summary, a"));
    if (entered) lists[number].open = open;
    setText(heading, title);
    pages.forEach(({ name, label, address }, place) => {
      const link = /** @type {HTMLAnchorElement} */ (links[place]);
      setText(link, label);
      link.href = address;
      link.ariaCurrent = name === here ? "page" : null;
    });
  });
}

/** @param {{ pages: { name: string }[] }} chapter */
function chapter({ pages }) {
  return make("details", "", [
    make("summary"),
    ...pages.map(({ name }) => {
      const link = make("a");
      link.dataset.page = name;
      return link;
    }),
  ]);
}

/** Where the sidebar covers the page, choosing a page in it closes it. @param {MouseEvent} event */
function close(event) {
  const link = around(event, "a");
  if (link instanceof HTMLAnchorElement && followInApp(event, link) && matchMedia(NARROW).matches) fold();
}

function fold() {
  /** @type {HTMLElement | null} */
  const button = document.querySelector(OPEN);
  button?.click();
}
