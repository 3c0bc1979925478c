import { make, setChildren } from "../shared/dom.js";
import { isThere } from "./shown_weights.js";

/** @import { View } from "./types.d.ts" */

/**
 * The sentence and what has become of it so far; at its end as one writes it.
 * @param {View} view
 */
export function fillHeadline(view) {
  const { data, position, steps, parts } = view;
  const done = position === steps.length - 1 && data.ended;
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
  const { data, position, steps, playing, parts } = view,
    { words } = data,
    last = steps.length - 1;
  const focused = parts.player.querySelector(":focus")?.className;
  const play = playing ? words.pause : words.play;
  const buttons = [
    button("‹", words.previous, "back", () => view.go(view.position - 1), position === 0),
    button(`${playing ? "❚❚" : "▶"}\u2002${play}`, play, "play", view.toggle),
    button("›", words.next, "forward", () => view.go(view.position + 1), position === last),
  ];
  setChildren(parts.player, [...buttons, make("span", "count", words.word.replace("{number}", String(position + 1)))]);
  /** @type {HTMLButtonElement | null} */
  const again = focused ? parts.player.querySelector(`.${focused}`) : null;
  if (again) (again.disabled ? view.root : again).focus({ preventScroll: true });
}

/** @param {string} text @param {string} label @param {string} name @param {() => void} onclick @param {boolean} [disabled] */
function button(text, label, name, onclick, disabled = false) {
  return make("button", name, text, { title: label, ariaLabel: label, disabled, onclick });
}
