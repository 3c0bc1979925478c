import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";

/**
 * The scenes' row, the claim with what may be guessed, and the ways on and back.
 *
 * showAnswer: says what is seen at this moment, and the answer after a guess, or after the gesture where nothing is asked.
 * @param {Story} story
 */
export function telling(story) {
  const { words, scene: number } = story,
    { labels, scenes } = words,
    scene = scenes[number - 1];
  const answer = make("p", "answer", "", { role: "status" }),
    hint = make("p", "hint", scene.hint);
  /** @param {string} [seen] */
  const showAnswer = (seen = "") => {
    hint.hidden = story.followed.has(number);
    const isAnswered = (scene.choices.length ? story.guesses : story.followed).has(number) || number === scenes.length,
      text = [seen, isAnswered ? scene.answer : ""].filter(Boolean).join(" ");
    if (answer.dataset.text === text) return;
    answer.dataset.text = text;
    answer.replaceChildren(...emphasised(text));
  };
  const text = make("div", "telling", [
    make("p", "progress", filled(labels.progress, { scene: number, scenes: scenes.length })),
    make("h2", "", scene.title, { tabIndex: -1 }),
    make("p", "claim", emphasised(scene.claim)),
    choices(story, scene),
    answer,
    hint,
    ways(story),
  ]);
  if (number === scenes.length) showAnswer();
  return { parts: [row(story), text], showAnswer };
}

/** @param {Story} story */
function row(story) {
  const items = story.words.scenes.map(({ title }, i) => {
    const given = { title, ariaLabel: `${i + 1}: ${title}`, onclick: () => story.go(i + 1) },
      button = make("button", i + 1 < story.scene ? "past" : "", String(i + 1), given);
    if (i + 1 === story.scene) button.ariaCurrent = "step";
    return make("li", "", [button]);
  });
  const list = make("ol", "scenes", items);
  roving(list, "button", list.querySelector("[aria-current]"));
  return list;
}

/** @param {Story} story @param {StoryScene} scene */
function choices(story, scene) {
  const buttons = scene.choices.map((choice) => make("button", "", choice)),
    group = make("div", "choices", buttons, { hidden: !buttons.length });
  const mark = () => {
    const guess = story.guesses.get(story.scene);
    buttons.forEach((button, i) => {
      button.ariaPressed = String(i === guess);
      button.classList.toggle("right", guess !== undefined && i + 1 === scene.right);
    });
  };
  buttons.forEach((button, i) => {
    button.onclick = () => {
      story.guess(i);
      mark();
    };
  });
  mark();
  return group;
}

/** @param {Story} story */
function ways(story) {
  const { words, scene } = story,
    { labels, scenes } = words,
    back = { disabled: scene === 1, onclick: () => story.go(scene - 1) },
    next = { hidden: scene === scenes.length, onclick: () => story.go(scene + 1) };
  return make("div", "ways", [
    make("button", "", `← ${labels.back}`, back),
    make("button", "next", `${labels.next} →`, next),
  ]);
}

/**
 * A text in which a word between two asterisks stands out.
 * @param {string} text
 */
export const emphasised = (text) => text.split("*").map((part, i) => (i % 2 ? make("em", "", part) : part));
