import { all, make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { roving } from "../microscope/stepper/roving.js";
import { arcs } from "./arcs.js";
import { distance } from "./distance.js";
import { explanation } from "./explanation.js";
import { matrices } from "./matrices.js";
import { meaningPlane } from "./meaning_plane.js";
import { origin } from "./origin.js";
import { own } from "./own.js";
import { plane, turning } from "./plane.js";
import { products } from "./products.js";
import { bare, namesOf, queryRow, startOf } from "./query_row.js";
import { table } from "./table.js";
import { twins } from "./twins.js";

/** @typedef {{ element: HTMLElement, draw: () => string }} Figure draw: returns what is seen at this moment */

/**
 * What a scene of the tiny model shows below its sentence.
 *
 * columns, asked: of the table, or of one for each of `heads`. side: what stands beside it. isChosen: whether a word
 * is chosen. moves: whether the clue's score can be moved. shares: whether the arcs are shares, or wait for scores.
 * @type {Record<number, {
 *   side: "question" | "products" | "meaning" | "matrices" | "", columns?: StoryColumn[], asked?: StoryColumn[], heads?: number[],
 *   isChosen?: boolean, moves?: boolean, shares?: boolean, turns?: boolean, learns?: boolean,
 * }>}
 */
const TINY = {
  3: { side: "question", columns: ["label", "score"], turns: true },
  4: { side: "products", columns: ["label", "score"], isChosen: true },
  5: { side: "", columns: ["score", "share", "largest"], asked: ["share", "largest"], moves: true, shares: true },
  6: { side: "meaning", columns: ["share", "value", "product"], asked: ["product"], shares: true },
  7: { side: "meaning", isChosen: true, learns: true, shares: true },
  8: { side: "meaning", columns: ["share"], heads: [0, 1], shares: true },
};

/**
 * The picture of a scene.
 * @param {Story} story
 * @returns {Figure}
 */
export function figure(story) {
  if (story.scene === 1) return twins(story);
  if (story.scene === 2) return distance(story);
  if (story.scene === story.words.scenes.length) return own(story);
  return tiny(story);
}

/** @param {Story} story @returns {Figure} */
function tiny(story) {
  const { labels } = story.words,
    given = TINY[story.scene],
    sentences = make(
      "div",
      "sentences-row",
      story.words.names.map((_, i) => sentenceButton(story, i)),
    ),
    picture = make("div", "picture"),
    side = make("div", "side"),
    numbers = make("div", "numbers"),
    sum = make("p", "sum", "", { role: "status" });
  const moves = make("div", "moves");
  if (given.moves) moves.append(scoreSlider(story));
  if (given.learns) moves.append(...stepButtons(story));
  if (given.turns) turning(side, story);
  const pair = make("div", given.side ? "pair" : "pair single", given.side ? [numbers, side] : [numbers]),
    element = make("div", "figure", [sentences, picture, moves, pair, sum, origin(story)]);
  const draw = () => {
    const focused = element.querySelector(":focus")?.getAttribute("data-opens");
    for (const [i, button] of [...sentences.children].entries()) button.ariaPressed = String(i === story.sentence);
    moves.querySelectorAll("[data-step]").forEach((button) => {
      button.ariaPressed = String(Number(button.getAttribute("data-step")) === story.step);
    });
    if (given.side !== "products") picture.replaceChildren(sentence(story));
    numbers.replaceChildren(...tables(story));
    roving(numbers, "button.number");
    side.replaceChildren(...beside(story));
    sum.replaceChildren(...(story.opened ? opened(story) : [labels.open]));
    sum.classList.toggle("quiet", !story.opened);
    if (focused) all(numbers, `[data-opens="${focused}"]`)[0]?.focus();
    return seen(story);
  };
  return { element, draw };
}

/** @param {Story} story @param {number} i */
function sentenceButton(story, i) {
  return make("button", "", story.words.names[i].join(" "), {
    onclick: () => {
      Object.assign(story, { sentence: i, opened: null, score: null, Q: null });
      story.redraw();
    },
  });
}

/** @param {Story} story */
function scoreSlider(story) {
  const { labels } = story.words,
    input = make("input"),
    output = make("output"),
    first = queryRow(story, 0).scores[0];
  Object.assign(input, { type: "range", min: "-1", max: "4", step: "0.1", value: String(first) });
  input.oninput = () => {
    story.score = Number(input.value);
    output.textContent = plain(story.score, 1);
    story.moved();
  };
  output.textContent = plain(first, 1);
  return make("label", "slider", [labels.slider, input, output]);
}

/** @param {Story} story */
function stepButtons(story) {
  const { labels, steps } = story.words;
  return steps.map(({ step, accuracy }, i) => {
    const text = filled(labels.steps[i], { step, accuracy: plain(100 * accuracy, 0) }),
      button = make("button", "choice", text, {
        onclick: () => {
          story.step = i;
          story.moved();
        },
      });
    button.dataset.step = String(i);
    return button;
  });
}

/** @param {Story} story */
function sentence(story) {
  const { labels, query } = story.words,
    given = TINY[story.scene],
    names = namesOf(story),
    row = queryRow(story, story.head),
    isAsked = given.asked?.includes("share") && !story.guesses.has(story.scene);
  const shares = given.shares && !isAsked ? row.weights : undefined;
  const numbers = shares
    ? shares.map((share) => `${plain(100 * share, 0)} %`)
    : row.scores.map((score) => plain(score));
  return arcs({
    names,
    query,
    shares,
    printed: isAsked ? names.map(() => "?") : numbers,
    label: shares ? labels.arcs : labels.score,
    chosen: given.isChosen ? story.word : undefined,
    onChoose: given.isChosen ? (word) => choose(story, word) : undefined,
  });
}

/** @param {Story} story @param {number} word */
function choose(story, word) {
  Object.assign(story, { word, opened: story.scene === 4 ? scoreOf(word) : null });
  story.moved();
}

/** @param {number} word @returns {OpenedNumber} */
export const shareOf = (word) => ({ of: "share", head: 0, word, d: 0 });

/** @param {number} word @returns {OpenedNumber} */
export const scoreOf = (word) => ({ of: "score", head: 0, word, d: 0 });

/** @param {Story} story @returns {HTMLElement[]} */
function tables(story) {
  const { columns, asked, heads, learns } = TINY[story.scene];
  if (learns) return [matrices(story, story.head)];
  if (!heads) return [table(story, 0, columns ?? [], { asked })];
  return headsOf(story).map((head) => table(story, head, columns ?? [], { isTitled: true }));
}

/** @param {Story} story @returns {Element[]} */
function beside(story) {
  const { side, turns } = TINY[story.scene];
  if (side === "question") return [plane(story, Boolean(turns))];
  if (side === "products") return [wordButtons(story), products(story)];
  if (side === "meaning") return [meaning(story)];
  return [];
}

/** @param {Story} story */
function wordButtons(story) {
  const buttons = namesOf(story).map((name, word) => {
    const button = make("button", "", name, { onclick: () => choose(story, word) });
    button.ariaPressed = String(word === story.word);
    return button;
  });
  return make("div", "choices", buttons);
}

/** @param {Story} story */
function meaning(story) {
  const { labels, query, meanings } = story.words,
    { asked, learns } = TINY[story.scene],
    heads = headsOf(story),
    isAsked = Boolean(asked) && !story.guesses.has(story.scene);
  const added = isAsked ? [] : heads.flatMap((head) => addedBy(story, head));
  const other = { ...story, sentence: 1 - story.sentence };
  const far = heads
    .flatMap((head) => addedBy(other, head))
    .reduce((at, { by }) => at.map((v, d) => v + by[d]), startOf(other));
  return meaningPlane({
    labels,
    word: namesOf(story)[query] ?? meanings.word,
    start: startOf(story),
    added,
    other: isAsked || learns ? null : far,
  });
}

/** The heads that are shown: one before the guess, where it is about several. @param {Story} story */
function headsOf(story) {
  const { heads = [0] } = TINY[story.scene];
  return story.guesses.has(story.scene) ? heads : heads.slice(0, 1);
}

/** What each word adds by a head. @param {Story} story @param {number} head */
function addedBy(story, head) {
  const { V, weights } = queryRow(story, head);
  return namesOf(story).map((name, word) => ({ name, by: V[word].map((v) => weights[word] * v), head }));
}

/** @param {Story} story @returns {(string | HTMLElement)[]} */
function opened(story) {
  const [what, sum] = explanation(story);
  return [make("b", "", what), " ", sum];
}

/** What is seen of the numbers that the reader moves. @param {Story} story */
function seen(story) {
  const { labels, query } = story.words,
    names = namesOf(story),
    { scores } = queryRow(story, 0),
    best = Math.max(...scores),
    winners = names.filter((_, word) => scores[word] === best);
  if (story.scene === 3)
    return filled(winners.length > 1 ? labels.tied : labels.closest, { word: winners.join(", "), score: bare(best) });
  if (story.scene === 4)
    return filled(labels.pair, { asks: names[query], word: names[story.word], score: bare(scores[story.word]) });
  return "";
}
