import { all, make, within } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { roving } from "../microscope/stepper/roving.js";
import { arcs } from "./arcs.js";
import { ATTENTION, distance } from "./distance.js";
import { explanation } from "./explanation.js";
import { matrices } from "./matrices.js";
import { meaningPlane } from "./meaning_plane.js";
import { origin } from "./origin.js";
import { own } from "./own.js";
import { plane, turning } from "./plane.js";
import { products } from "./products.js";
import { bare, bestAlone, CLUE, dot, namesOf, queryRow, share, startOf } from "./query_row.js";
import { table } from "./table.js";
import { twins } from "./twins.js";

/** @typedef {{ element: HTMLElement, draw: () => string }} Figure draw: returns what is seen at this moment */

const STEP = 0.1, // of the clue's score
  NEAR = 0.97; // cosine of two questions that are nearly the same: 14°
const FIGURES = { twins, distance, tiny, own };

/** What a scene shows. @param {Story} story */
const shownIn = ({ words, scene }) => words.scenes[scene - 1];

/**
 * The picture of a scene. status: where it says what is seen.
 * @param {Story} story @param {HTMLElement} status
 * @returns {Figure}
 */
export const figure = (story, status) => FIGURES[shownIn(story).figure](story, status);

/** @param {Story} story @param {HTMLElement} status @returns {Figure} */
function tiny(story, status) {
  const { labels } = story.words,
    shown = shownIn(story),
    sentences = make(
      "div",
      "sentences-row",
      shown.switches ? story.words.names.map((_, i) => sentenceButton(story, i)) : [],
    ),
    picture = make("div", "picture"),
    moves = movesOf(story),
    view = make("div", "view"),
    numbers = make("div", "numbers"),
    sum = make("p", "sum", "", { role: "status" });
  if (shown.turns) turning(view, story);
  // What is seen stands beside what is moved.
  const isAtSide = shown.turns || shown.side === "products",
    side = make("div", "side", isAtSide ? [view, status] : [view]),
    pair = make("div", shown.side ? "pair" : "pair single", shown.side ? [numbers, side] : [numbers]);
  const element = make("div", `figure ${shown.splits ? "splits" : shown.shrinks ? "shrinks" : ""}`, [
    ...[sentences, picture, moves].filter((part) => (part === picture ? shown.arcs : part.hasChildNodes())),
    ...(isAtSide ? [] : [status]),
    pair,
    sum,
    origin(story),
  ]);
  const draw = () => {
    const focused = element.querySelector(":focus")?.getAttribute("data-opens");
    press(sentences, story.sentence);
    // What comes after the guess has its place before.
    sentences.classList.toggle("kept", isOpen(story));
    if (shown.shrinks) {
      moves.classList.toggle("kept", isOpen(story));
      for (const input of moves.querySelectorAll("input")) input.value = String(story.size); // another sentence begins anew
      within(moves, "output").textContent = plain(story.size, 1);
    }
    if (shown.splits) within(moves, ".slider").classList.toggle("kept", story.split === null);
    press(moves, shown.learns ? story.step : Number(story.split === null));
    if (shown.arcs) picture.replaceChildren(sentence(story));
    numbers.replaceChildren(...tables(story));
    roving(numbers, "button.number");
    view.replaceChildren(...beside(story));
    sum.replaceChildren(...(story.opened ? opened(story) : [labels.open]));
    sum.classList.toggle("quiet", !story.opened);
    if (focused) all(numbers, `[data-opens="${focused}"]`)[0]?.focus();
    return seen(story);
  };
  return { element, draw };
}

/** @param {HTMLElement} group @param {number} pressed which of its buttons */
function press(group, pressed) {
  all(group, "button").forEach((button, i) => (button.ariaPressed = String(i === pressed)));
}

/** @param {Story} story @param {number} i */
function sentenceButton(story, i) {
  return button(story, story.words.names[i].join(" "), { sentence: i, size: 1, opened: null });
}

/** What can be moved. @param {Story} story */
function movesOf(story) {
  const { labels, steps } = story.words,
    shown = shownIn(story),
    names = namesOf(story),
    moves = make("div", "moves");
  if (shown.slides)
    moves.append(
      labelled(story, labels.slider, queryRow(story, 0).scores[CLUE], [-1, 4, STEP], (score) => ({ score })),
    );
  if (shown.shrinks) moves.append(labelled(story, labels.shrink, 1, [0, 1, 0.1], (size) => ({ size })));
  if (shown.learns)
    moves.append(...steps.map(({ step }, i) => button(story, filled(labels.steps[i], { step }), { step: i })));
  if (shown.splits) {
    const input = slider(Number(story.split), [0, 1, "any"], (split) => {
      story.split = split;
      story.moved();
    });
    input.ariaLabel = labels.heads[0];
    const buttons = labels.heads.map((text, i) =>
      button(story, text, () => ({ split: i ? null : Number(input.value), opened: null })),
    );
    moves.append(
      make("div", "slider", [names[CLUE], input, names[story.words.query - 1]]),
      make("div", "choices", buttons),
    );
  }
  return moves;
}

/**
 * A button that changes where the reader is.
 * @param {Story} story @param {string} content @param {Partial<Story> | (() => Partial<Story>)} to
 */
function button(story, content, to) {
  return make("button", "", content, {
    onclick: () => {
      Object.assign(story, typeof to === "function" ? to() : to);
      story.moved();
    },
  });
}

/**
 * A slider that changes where the reader is, with its label and its value.
 * @param {Story} story @param {string} label @param {number} value @param {[min: number, max: number, step: number]} range
 * @param {(value: number) => Partial<Story>} to
 */
function labelled(story, label, value, range, to) {
  const output = make("output");
  const input = slider(value, range, (moved) => {
    output.textContent = plain(moved, 1);
    Object.assign(story, to(moved));
    story.moved();
  });
  output.textContent = plain(Number(input.value), 1);
  return make("label", "slider", [label, input, output]);
}

/** @param {number} value @param {[min: number, max: number, step: number | "any"]} range @param {(value: number) => void} moved */
function slider(value, [min, max, step], moved) {
  const input = make("input");
  Object.assign(input, { type: "range", min, max, step, value });
  input.oninput = () => moved(Number(input.value));
  return input;
}

/** @param {Story} story */
function sentence(story) {
  const { labels, query } = story.words,
    { learns } = shownIn(story),
    names = namesOf(story),
    shares = headsOf(story).map((head) => queryRow(story, head).weights);
  return arcs({
    names,
    query,
    shares,
    printed: names.map((_, word) => shares.map((row) => share(row[word]))),
    label: labels.arcs,
    chosen: learns ? story.word : undefined,
    onChoose: learns ? (word) => choose(story, word) : undefined,
  });
}

/** @param {Story} story @param {number} word */
function choose(story, word) {
  const { opens } = shownIn(story);
  Object.assign(story, { word, opened: opens ? numberOf(opens, word) : null });
  story.moved();
}

/** @param {OpenedNumber["of"]} of @param {number} word @returns {OpenedNumber} */
export const numberOf = (of, word) => ({ of, head: 0, word, d: 0 });

/** @param {Story} story @returns {HTMLElement[]} */
const tables = (story) =>
  shownIn(story).learns ? [matrices(story, 0)] : headsOf(story).map((head) => table(story, head));

/** @param {Story} story @returns {Element[]} */
function beside(story) {
  const { side } = shownIn(story);
  if (side === "question") return [plane(story)];
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
  const { labels, query } = story.words,
    { splits } = shownIn(story),
    isAsked = isOpen(story);
  const other = { ...story, sentence: 1 - story.sentence, size: 1 },
    both = { ...story, split: null };
  return meaningPlane({
    labels,
    word: namesOf(story)[query],
    start: startOf(story),
    added: isAsked ? [] : headsOf(story).flatMap((head) => addedBy(story, head)),
    elsewhere:
      isAsked || (splits && story.split === null)
        ? undefined
        : splits
          ? { at: landing(both), name: labels.heads[1] }
          : { at: landing(other), name: labels.elsewhere },
    reach: splits ? [0, 1].map((split) => landing({ ...story, split })) : undefined,
    isLine: !splits, // of head 1 every second number is 0
    said: isAsked ? namesOf(story)[query] : moved(story),
  });
}

/**
 * Whether the reader has seen what the scene's hint asks for.
 * @param {Story} story
 */
export function isReached(story) {
  const { figure: kind, turns, learns, splits } = shownIn(story);
  if (kind === "twins") return !story.isOn;
  if (kind === "distance") return story.tried.has(ATTENTION);
  if (learns) return story.step === story.words.steps.length - 1;
  if (splits) return story.split === null;
  const { scores } = queryRow(story, 0);
  return !turns || scores.every((score, word) => word === CLUE || score < scores[CLUE]);
}

/** Whether the reader is still to guess. @param {Story} story */
const isOpen = (story) => Boolean(shownIn(story).asked) && !story.guesses.has(story.scene);

/** The heads that are shown. @param {Story} story */
const headsOf = (story) => (shownIn(story).splits && story.split === null ? [0, 1] : [0]);

/** What each word adds by a head. @param {Story} story @param {number} head */
function addedBy(story, head) {
  const { V, weights } = queryRow(story, head);
  return namesOf(story).map((name, word) => ({ name, by: V[word].map((v) => weights[word] * v), head }));
}

/** Where the word that asks goes. @param {Story} story */
function landing(story) {
  return headsOf(story).reduce(
    (at, head) => at.map((value, d) => value + queryRow(story, head).mixed[d]),
    startOf(story),
  );
}

/** How far the word that asks goes, and which way; of several heads, what each gives. @param {Story} story */
function moved(story) {
  const { labels, query } = story.words,
    sides = [
      [labels.left, labels.right],
      [labels.down, labels.up],
    ],
    given = headsOf(story).map((head) => queryRow(story, head).mixed);
  const ways = sides.flatMap((side, d) => {
    const parts = given.map((mixed) => mixed[d]),
      sum = parts.reduce((one, other) => one + other),
      sign = Math.sign(sum),
      far = plain(Math.abs(sum)),
      terms = parts.length > 1 ? `${parts.map((part) => plain(sign * part)).join(" + ")} = ` : "";
    return Number(far) ? [filled(labels.towards, { far: terms + far, side: side[Number(sign > 0)] })] : [];
  });
  return filled(labels.moved, { word: namesOf(story)[query], ways: ways.join(labels.and) });
}

/** @param {Story} story @returns {(string | HTMLElement)[]} */
function opened(story) {
  const [what, sum] = explanation(story);
  /** @param {string} text */
  const raised = (text) => text.split(/\^([^\s;]+)/).map((part, i) => (i % 2 ? make("sup", "", part) : part));
  return [make("b", "", raised(what)), " ", ...raised(sum)];
}

/** Whether the question points nearly where training left it. @param {Story} story */
function isAsTrained(story) {
  const [trained, now] = [queryRow({ ...story, Q: null }, 0).Q, queryRow(story, 0).Q];
  return dot(trained, now) > NEAR * Math.hypot(...trained) * Math.hypot(...now);
}

/** What is seen of the numbers that the reader moves. @param {Story} story */
function seen(story) {
  const { labels, query, steps } = story.words,
    { turns, side, slides, learns } = shownIn(story),
    names = namesOf(story),
    { scores, weights } = queryRow(story, 0);
  if (turns) {
    const best = Math.max(...scores),
      winners = names.filter((_, word) => scores[word] === best);
    const closest = filled(winners.length > 1 ? labels.tied : labels.closest, {
      word: winners.join(", "),
      score: bare(best),
    });
    return isAsTrained(story) ? `${closest} ${labels.as_trained}` : closest;
  }
  if (side === "products")
    return filled(labels.pair, { asks: names[query], word: names[story.word], score: bare(scores[story.word]) });
  if (slides) {
    const higher = queryRow({ ...story, score: scores[CLUE] + STEP }, 0);
    /** @param {(row: QueryRow) => number[]} shares */
    const grows = (shares) => 100 * (shares(higher)[CLUE] - shares(queryRow(story, 0))[CLUE]);
    return filled(labels.step, {
      step: STEP,
      word: names[CLUE],
      weight: plain(
        grows((row) => row.weights),
        1,
      ),
      largest: plain(
        grows((row) => bestAlone(row.scores)),
        0,
      ),
    });
  }
  if (learns) {
    const accuracy = plain(100 * steps[story.step].accuracy, 0),
      most = share(Math.max(...weights)),
      keys = names.filter((_, word) => share(weights[word]) === most),
      fields = {
        key: keys.join(`”${labels.and}“`),
        share: keys.length > 1 ? filled(labels.each, { share: most }) : most,
      };
    return `${filled(labels.reads, { accuracy })} ${filled(labels.takes, { query: names[query], ...fields })}`;
  }
  return isOpen(story) ? "" : moved(story);
}
