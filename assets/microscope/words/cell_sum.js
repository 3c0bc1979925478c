import { explain } from "../engine/cell.js";
import { make, rootOf } from "../../shared/dom.js";
import { scrolling } from "../figure/motion.js";
import { opened } from "../engine/opened.js";
import { showSum } from "./sum.js";

const MANY = 16,
  REST = 300; // terms from which on all of a locked cell are shown only once the reader rests; ms

/**
 * The cell below the pointer, or the chosen one, as a sum.
 * @param {View} view @param {{ key: string, index: number[] }} spot
 */
export function showCellSum(view, { index, key }) {
  const { trace, hover, locked, resultHidden, playing } = view.store,
    isBrief = Boolean(hover || playing || !locked);
  const shown = [trace.id, key, index, !hover, isBrief, resultHidden].join();
  view.sum.classList.toggle("locked", locked);
  view.sum.classList.toggle("hides", resultHidden);
  view.sum.inert = resultHidden;
  if (view.shownSum === shown) return;
  clearTimeout(view.sumTimer);
  const made = explain(trace, key, index);
  view.shownSum = shown;
  const cell = opened(made, trace, isBrief),
    many = !isBrief && cell.terms.length + cell.rows.length > MANY;
  /** @param {Opened} cell */
  const show = (cell) =>
    showSum(view.sum, cell, {
      follow: hover ? null : goTo(view),
      lock: hover ? null : () => view.store.move({ locked: true }),
      words: trace.words.microscope,
    });
  show(many ? opened(made, trace, true) : cell);
  const name = cell.title.map(([text]) => text).join(""),
    text = resultHidden ? name : [name, cell.relation, cell.total].join(" ");
  view.canvas.ariaLabel = text;
  if (hover || resultHidden) return;
  view.live.textContent = `${text}. ${cell.terms
    .slice(0, 8)
    .map(({ made }) => made.map(([text]) => text).join(""))
    .join(` ${cell.sign} `)}`;
  if (!many) return;
  view.sumTimer = setTimeout(() => {
    if (hasFocus(view)) return;
    show(cell);
    bringSum(view);
  }, REST);
}

/**
 * Says in the place of a sum that its numbers are being fetched, or that the server has them no more.
 * @param {View} view
 */
export function showWaiting(view) {
  const { trace } = view.store,
    { microscope } = trace.words;
  view.shownSum = "";
  view.sum.replaceChildren(make("p", "", trace.isLost ? microscope.lost : microscope.on_their_way));
}

/**
 * Scrolls to the sum of a tapped cell: on a phone it stands below the figure.
 * @param {View} view
 */
export function bringSum({ tapped, store, sum }) {
  if (tapped && store.locked) sum.scrollIntoView({ block: "nearest", behavior: scrolling() });
}

/**
 * Whether one of its links has the focus, so that it must not be replaced.
 * @param {View} view
 */
const hasFocus = ({ sum }) => sum.contains(rootOf(sum).activeElement);

/**
 * @param {View} view
 * @returns {Follow}
 */
const goTo = (view) => (address) => {
  view.store.follow(address);
  view.canvas.focus({ preventScroll: true });
};
