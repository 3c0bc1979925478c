import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";

/**
 * The scenes' row, the question with what may be guessed, and the ways on and back; showAnswer: shows the answer.
 * @param {Story} story
 */
export function telling(story) {
  const { words, scene: number } = story,
    { labels, scenes } = words,
    scene = scenes[number - 1];
  const title = make("h2", "", scene.title, { tabIndex: -1 }),
    answer = make("p", "answer", "", { role: "status" });
  /** @param {string} [found] what the figure shows at this moment */
  const showAnswer = (found = "") => (answer.textContent = [found, scene.answer].filter(Boolean).join(" "));
  const text = make("div", "telling", [
    make("p", "progress", filled(labels.progress, { scene: number, scenes: scenes.length })),
    title,
    make("p", "question", scene.question),
    choices(story, scene, showAnswer),
    answer,
    make("p", "hint", scene.hint),
    ways(story),
  ]);
  if (story.guesses.has(number) || number === scenes.length) showAnswer();
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

/** @param {Story} story @param {StoryScene} scene @param {() => void} showAnswer */
function choices(story, scene, showAnswer) {
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
      story.guesses.set(story.scene, i);
      mark();
      showAnswer();
      story.redraw();
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
