import { make } from "../shared/dom.js";
import { shares } from "../shared/shares.js";
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
  if (ask.form !== "shares") return number(words, send);
  const even = ask.options.map(() => 1 / ask.options.length);
  const element = shares(ask.options, even, { send: words.send, hint: words.shares_hint }, send);
  return { element, mark: () => {} };
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
