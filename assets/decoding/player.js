import { make } from "../shared/dom.js";
import { isThere } from "./drawn.js";

/** @import { View } from "./types.d.ts" */

/**
 * The sentence and what has become of it so far; at its end as one writes it.
 * @param {View} view
 */
export function fillHeadline(view) {
  const { data, place, steps, parts } = view;
  const done = place === steps.length - 1 && data.ended;
  const there = data.sentences[data.target.filter((_, at) => isThere(view, at)).length];
  const toCome = make("i", "to-come"); // keeps its room, so that nothing moves when a word comes
  toCome.dataset.words = data.sentences[data.target.length].slice(there.length);
  parts.headline.replaceChildren(
    make("span", "key", data.source.join("")),
    make("i", "", "→"),
    make("span", "query", there),
    make("i", done || data.forced ? "" : "caret"),
    toCome,
  );
}

/** @param {View} view */
export function fillPlayer(view) {
  const {
      data: { words },
      place,
      steps,
      playing,
      parts,
    } = view,
    last = steps.length - 1;
  const held = parts.player.querySelector(":focus")?.className;
  const play = playing ? words.pause : words.play;
  const buttons = [
    button("‹", words.previous, "back", () => view.go(view.place - 1), place === 0),
    button(`${playing ? "❚❚" : "▶"}\u2002${play}`, play, "play", view.toggle),
    button("›", words.next, "forward", () => view.go(view.place + 1), place === last),
  ];
  parts.player.replaceChildren(...buttons, make("span", "count", words.word.replace("{number}", String(place + 1))));
  const again = held && buttons.find(({ className }) => className === held);
  if (again) (again.disabled ? view.root : again).focus({ preventScroll: true });
}

/** @param {string} text @param {string} label @param {string} name @param {() => void} onclick @param {boolean} [disabled] */
function button(text, label, name, onclick, disabled = false) {
  const element = make("button", name, text);
  element.title = label;
  element.setAttribute("aria-label", label);
  element.disabled = disabled;
  element.onclick = onclick;
  return element;
}
