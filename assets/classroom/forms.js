import { make } from "../shared/dom.js";
import { plain } from "../microscope/engine/numbers.js";
import { numberOf } from "./tally.js";

/**
 * The field, buttons or sliders by which a question is answered, and what a chosen option is marked by.
 * @typedef {{ element: HTMLElement, mark(answer: string): void }} AnswerForm
 */

/**
 * @param {Ask} ask @param {ClassWords} words @param {(answer: string) => void} send
 * @returns {AnswerForm}
 */
export function answerForm(ask, words, send) {
  if (ask.form === "pick") return pick(ask, words, send);
  return ask.form === "shares" ? shares(ask, words, send) : number(words, send);
}

/** @param {ClassWords} words @param {(answer: string) => void} send */
function number(words, send) {
  const field = make("input", "", "", {
      type: "text",
      inputMode: "text",
      autocomplete: "off",
      maxLength: 40,
      ariaLabel: words.number_hint,
    }),
    button = make("button", "main", words.send, { type: "submit" }),
    hint = make("small", "", words.number_hint);
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const isNumber = numberOf(field.value) !== null;
    hint.classList.toggle("wrong", !isNumber);
    if (isNumber) send(field.value.trim());
  };
  return { element: make("form", "number", [field, button, hint], { onsubmit }), mark: () => {} };
}

/** @param {Ask} ask @param {ClassWords} words @param {(answer: string) => void} send */
function pick({ options }, words, send) {
  const buttons = options.map((option, i) =>
    make("button", "", [make("kbd", "", i < 9 ? String(i + 1) : ""), make("span", "", option)], {
      type: "button",
      onclick: () => send(String(i)),
    }),
  );
  return {
    element: make("div", "pick", [make("div", "options", buttons), make("small", "", words.pick_hint)]),
    mark: (/** @type {string} */ answer) =>
      buttons.forEach((button, i) => (button.ariaPressed = String(String(i) === answer))),
  };
}

/** @param {Ask} ask @param {ClassWords} words @param {(answer: string) => void} send */
function shares({ options }, words, send) {
  let values = options.map(() => 1 / options.length);
  const sliders = options.map((option, i) =>
      make("input", "", "", {
        type: "range",
        min: "0",
        max: "100",
        step: "1",
        ariaLabel: option,
        oninput: () => drag(i),
      }),
    ),
    prints = options.map(() => make("b")),
    rows = options.map((option, i) => make("label", "", [make("span", "", option), sliders[i], prints[i]]));
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
  return { element: make("div", "shares", [...rows, button, make("small", "", words.shares_hint)]), mark: () => {} };
}
