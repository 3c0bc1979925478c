import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";

/**
 * The scenes' row, the question with what may be guessed, and the ways on and back; tell: says the answer.
 * @param {Story} story
 */
export function telling(story) {
  const { words, scene: number } = story,
    { labels, scenes } = words,
    scene = scenes[number - 1];
  const text = make("div", "telling"),
    title = make("h2", "", scene.title),
    answer = make("p", "answer");
  title.tabIndex = -1;
  answer.setAttribute("role", "status");
  /** @param {string} [found] what the reader sees at this moment */
  const tell = (found = "") => (answer.textContent = [found, scene.answer].filter(Boolean).join(" "));
  text.append(
    make("p", "selection", filled(labels.place, { scene: number, scenes: scenes.length })),
    title,
    make("p", "question", scene.question),
    choices(story, scene, tell),
    answer,
    make("p", "hint", scene.hint),
    ways(story),
  );
  if (story.guesses.has(number) || number === scenes.length) tell();
  return { parts: [row(story), text], tell };
}

/** @param {Story} story */
function row(story) {
  const list = make("ol", "scenes");
  list.append(
    ...story.words.scenes.map(({ title }, i) => {
      const item = make("li"),
        button = item.appendChild(make("button", i + 1 < story.scene ? "past" : "", String(i + 1)));
      button.title = title;
      button.setAttribute("aria-label", `${i + 1}: ${title}`);
      if (i + 1 === story.scene) button.setAttribute("aria-current", "step");
      button.onclick = () => story.go(i + 1);
      return item;
    }),
  );
  roving(list, "button", list.querySelector("[aria-current]"));
  return list;
}

/** @param {Story} story @param {StoryScene} scene @param {() => void} tell */
function choices(story, scene, tell) {
  const group = make("div", "choices"),
    buttons = scene.choices.map((choice) => group.appendChild(make("button", "", choice)));
  group.hidden = !buttons.length;
  const mark = () => {
    const guess = story.guesses.get(story.scene);
    buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === guess));
      button.classList.toggle("right", guess !== undefined && i + 1 === scene.right);
    });
  };
  buttons.forEach((button, i) => {
    button.onclick = () => {
      story.guesses.set(story.scene, i);
      mark();
      tell();
      story.redraw();
    };
  });
  mark();
  return group;
}

/** @param {Story} story */
function ways(story) {
  const { labels, scenes } = story.words,
    group = make("div", "ways"),
    back = group.appendChild(make("button", "", `← ${labels.back}`)),
    next = group.appendChild(make("button", "next", `${labels.next} →`));
  back.onclick = () => story.go(story.scene - 1);
  next.onclick = () => story.go(story.scene + 1);
  back.disabled = story.scene === 1;
  next.hidden = story.scene === scenes.length;
  return group;
}
