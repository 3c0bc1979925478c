import { make } from "../shared/dom.js";
import { SPEEDS } from "./play.js";

/**
 * Back, play or pause, on; how fast; and the view for a lecture hall.
 * @param {HTMLElement} element @param {Store} store @param {Player} player
 */
export function fillPlayer(element, store, player) {
  const {
      trace,
      playing,
      speed,
      presenting,
      neighbours: [before, after],
    } = store,
    words = trace.words.microscope;
  const faster = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  const held = element.querySelector(":focus-visible")?.className; // whoever uses keys stays where they are
  const buttons = [
    button("‹", words.previous, "back", () => before && store.move({ stage: before }), !before),
    button(playing ? "❚❚" : "▶", playing ? words.pause : words.play, "play", () => player.toggle()),
    button("›", words.next, "forward", () => after && store.move({ stage: after }), !after),
    button(`${speed}×`, `${words.speed} ${speed}×`, "speed", () => {
      store.speed = faster;
      store.notify("play");
    }),
    button(presenting ? words.leave_presenter : words.presenter, words.keys, "presenter", () =>
      store.present(!presenting),
    ),
  ];
  element.replaceChildren(...buttons);
  buttons.find((one) => one.className === held)?.focus();
}

/**
 * @param {string} text @param {string} label @param {string} name @param {() => void} onclick
 * @param {boolean} [disabled]
 */
function button(text, label, name, onclick, disabled = false) {
  const element = make("button", name, text);
  element.title = label;
  if (name !== "presenter") element.setAttribute("aria-label", label);
  element.disabled = disabled;
  element.onclick = onclick;
  return element;
}
