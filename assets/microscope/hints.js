import { make } from "../shared/dom.js";

const SEEN = "attention-microscope-hints";

/**
 * Three hints beside what they speak of, on a reader's first visit and never again.
 * @param {View} view @param {number} [number]
 */
export function hint(view, number = 0) {
  view.hint?.remove();
  const { hints, understood } = view.store.trace.words.microscope;
  if (number >= hints.length) return localStorage.setItem(SEEN, "1");
  const box = (view.hint = make("aside", "hint")),
    button = make("button", "", `${understood} ${number + 1}/${hints.length}`);
  box.setAttribute("role", "note");
  button.onclick = () => hint(view, number + 1);
  box.append(make("p", "", hints[number]), button);
  [view.frame, view.sum, view.buttons][number].append(box);
}

export function isFirstVisit() {
  return localStorage.getItem(SEEN) === null;
}
