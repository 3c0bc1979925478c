import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";
import { CLUE, sentenceOf, share } from "./query_row.js";

// Symbols of softmax(Q Kᵀ / √d_k) V, each with its scene: none has the scale, which the tiny model does without.
const FORMULA = /** @type {const} */ ([
  ["softmax (", 5],
  ["Q", 3],
  ["Kᵀ", 3],
  ["/ √dₖ )", 0],
  ["V", 6],
]);

/**
 * The scenes' row, the claim with what may be guessed, and the ways on and back.
 *
 * status: a line for the figure to place beside what the reader moves. say: writes into it what is seen at this moment,
 * once something was moved, and the hint until what it asks for was reached; and shows the answer then, or after a guess
 * where something is asked.
 * @param {Story} story
 */
export function telling(story) {
  const { words, scene: number } = story,
    { scenes } = words,
    scene = scenes[number - 1],
    isLast = scene.figure === "own";
  const objection = scene.objection ? [make("br"), ...emphasised(filled(scene.objection, shares(story)))] : [],
    told = [...emphasised(scene.answer ?? ""), ...objection],
    answer = make("p", "answer", told, { role: "status" }),
    status = make("div", "seen", "", { role: "status" }),
    asked = scene.choices ? choices(story, scene, scene.choices) : null;
  /** @param {string} [seen] */
  const say = (seen = "") => {
    const isFollowed = story.followed.has(number),
      isReached = story.reached.has(number),
      isGuessed = !scene.choices || story.guesses.has(number),
      text = isFollowed ? seen : "",
      hint = isGuessed && !isReached ? scene.hint : "";
    asked?.mark();
    if (asked) answer.replaceChildren(...asked.verdict(), ...told);
    answer.hidden = !scene.answer;
    answer.classList.toggle("kept", !isGuessed || !(scene.choices || isReached)); // its place is there before
    if (status.textContent !== text + hint)
      status.replaceChildren(make("span", "found", text), ...(hint ? [make("span", "hint", hint)] : []));
  };
  const text = make("div", "telling", [
    make("h2", "", scene.title, { tabIndex: -1 }),
    make("p", "claim", emphasised(scene.claim)),
    ...(isLast ? [formula(story), status] : scene.term ? [make("p", "term", emphasised(scene.term))] : []),
    ...(scene.bridge && story.isShort ? [make("p", "term", emphasised(scene.bridge))] : []),
    ...(asked ? [asked.element] : []),
    answer,
    ways(story),
  ]);
  return { parts: [make("div", "places", [row(story), menu(story)]), text], status, say };
}

/** What each of the trained heads gives to the two words that matter. @param {Story} story */
function shares(story) {
  const other = story.words.query - 1;
  const printed = sentenceOf(story).weights.flatMap((weights, i) => [
    [`clue_${i + 1}`, share(weights[CLUE])],
    [`other_${i + 1}`, share(weights[other])],
  ]);
  return Object.fromEntries(printed);
}

/** @param {Story} story */
function row(story) {
  const items = story.words.scenes.map(({ title, short }, i) => {
    const given = { title, ariaLabel: `${i + 1}: ${title}`, onclick: () => story.go(i + 1) },
      button = make("button", i + 1 < story.scene ? "past" : "", String(i + 1), given);
    if (i + 1 === story.scene) button.ariaCurrent = "step";
    return make("li", story.isShort && !short ? "left-out" : "", [button]);
  });
  const list = make("ol", "scenes", items);
  roving(list, "button", list.querySelector("[aria-current]"));
  return list;
}

/** The scenes by name, where presenter view shows it. @param {Story} story */
function menu(story) {
  const options = story.words.scenes.map(({ title }, i) => new Option(`${i + 1} · ${title}`, String(i + 1)));
  const select = make("select", "menu", options, { ariaLabel: story.words.labels.menu });
  select.value = String(story.scene);
  select.onchange = () => story.go(Number(select.value));
  return select;
}

/** The paper's formula, and below each symbol what it is in the scene that leads there. @param {Story} story */
function formula(story) {
  const symbols = FORMULA.map(([symbol, scene], i) => {
    const name = story.words.labels.formula[i],
      parts = [symbol, make("small", "", scene ? `${name} · ${scene}` : name)];
    return scene ? make("button", "", parts, { onclick: () => story.go(scene) }) : make("span", "", parts);
  });
  return make("div", "formula", symbols);
}

/** What may be guessed of the first sentence. @param {Story} story @param {StoryScene} scene @param {string[]} given */
function choices(story, scene, given) {
  const buttons = given.map((choice, i) => make("button", "", choice, { onclick: () => story.guess(i) })),
    element = make("div", "choices", buttons),
    right = scene.right ?? 0;
  const mark = () => {
    const guess = story.guesses.get(story.scene);
    buttons.forEach((button, i) => {
      button.ariaPressed = String(i === guess);
      button.classList.toggle("right", guess !== undefined && i + 1 === right);
    });
    element.classList.toggle("kept", story.sentence > 0);
  };
  /** What is said of another guess. */
  const verdict = () => {
    const guess = story.guesses.get(story.scene),
      isWrong = guess !== undefined && guess + 1 !== right && !story.sentence;
    return isWrong ? [`${filled(story.words.labels.wrong, { choice: given[right - 1] })} `] : [];
  };
  return { element, mark, verdict };
}

/** @param {Story} story */
function ways(story) {
  const { words, scene } = story,
    { labels, scenes } = words,
    hasShort = scene <= 2 && !(story.isShort && scene > 1); // the home page leads to the second
  /** @param {number} by @param {boolean} isShort */
  const goes = (by, isShort) => () => {
    story.isShort = isShort;
    story.go(story.beside(by));
  };
  const short = filled(labels.short, { count: scenes.slice(scene).filter((one) => one.short).length });
  return make("div", "ways", [
    make("button", "", `← ${labels.back}`, { hidden: scene === 1, onclick: goes(-1, story.isShort) }),
    make("button", "next", `${labels.next} →`, {
      hidden: scene === scenes.length,
      onclick: goes(1, story.isShort && !hasShort),
    }),
    make("button", "", `${short} →`, { className: "short", hidden: !hasShort, onclick: goes(1, true) }),
  ]);
}

/**
 * A text in which a word between two asterisks stands out, and "100 %" is not torn apart.
 * @param {string} text
 */
const emphasised = (text) =>
  text
    .replaceAll(" %", "\u00a0%")
    .split("*")
    .map((part, i) => (i % 2 ? make("em", "", part) : part));
