import { make } from "./dom.js";
import { plain } from "../microscope/engine/numbers.js";

/**
 * Sliders for numbers that add up to 1: what is dragged has its way, and the others make room.
 * send: called with all of them, separated by commas.
 * @param {string[]} names @param {number[]} values @param {{ send: string, hint: string }} words
 * @param {(values: string) => void} send
 */
export function shares(names, values, words, send) {
  let before = values;
  const sliders = names.map((name, i) =>
      make("input", "", "", {
        type: "range",
        min: "0",
        max: "100",
        step: "1",
        ariaLabel: name,
        oninput: () => drag(i),
        onpointerdown: () => (before = values),
        onpointercancel: () => {
          values = before; // a finger that scrolls has begun on a slider
          draw();
        },
      }),
    ),
    prints = names.map(() => make("b")),
    rows = names.map((name, i) => make("label", "", [make("span", "", name), sliders[i], prints[i]]));
  /** @param {number} moved */
  function drag(moved) {
    const value = Number(sliders[moved].value) / 100,
      others = 1 - values[moved];
    values = values.map((share, i) => {
      if (i === moved) return value;
      return others > 0 ? (share / others) * (1 - value) : (1 - value) / (values.length - 1);
    });
    draw();
  }
  function draw() {
    values.forEach((value, i) => {
      sliders[i].value = String(Math.round(100 * value));
      prints[i].textContent = plain(value);
    });
  }
  draw();
  const button = make("button", "main", words.send, {
    type: "button",
    onclick: () => send(values.map((value) => String(Number(value.toFixed(3)))).join()),
  });
  return make("div", "shares", [...rows, button, make("small", "", words.hint)]);
}
