import { make } from "../../shared/dom.js";

const KEY = "attention-microscope-hints";
/** What each hint asks for. @type {((store: Store) => unknown)[]} */
const GESTURES = [({ hover }) => hover, ({ trail }) => trail.length, ({ playing }) => playing];

/**
 * Three hints on a reader's first visit: each below the figure, until what it says is done or another step is opened.
 * @param {View} view @param {number} [number]
 */
export function hint(view, number = 0) {
  view.hint?.remove();
  delete view.hint;
  const { understood, ...words } = view.store.trace.words.microscope,
    hints = matchMedia("(hover: none)").matches ? words.touch_hints : words.hints;
  if (number) localStorage.setItem(KEY, "1");
  if (number >= hints.length) return;
  const onclick = () => hint(view, number + 1),
    button = make("button", "", `${understood} ${number + 1}/${hints.length}`, { onclick }),
    box = (view.hint = make("div", "hint", [make("p", "", hints[number]), button], { role: "note" }));
  Object.assign(box.dataset, { number, stage: view.store.stage });
  view.frame.after(box); // so that the figure stays where it is, with a hint or without one
}

/**
 * The next hint, once the reader has done what this one says; no more of them, once another step is opened without it.
 * @param {View} view
 */
export function followHint(view) {
  const { number, stage = "" } = view.hint?.dataset ?? {};
  if (GESTURES[Number(number)]?.(view.store)) hint(view, Number(number) + 1);
  else if (number && stage !== view.store.stage) hint(view, GESTURES.length);
}

export function isFirstVisit() {
  return localStorage.getItem(KEY) === null;
}
