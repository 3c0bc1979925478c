import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { roving } from "../microscope/stepper/roving.js";
import { plain } from "../microscope/engine/numbers.js";
import { arcs } from "./arcs.js";
import { figureOf } from "./figures.js";
import { plane } from "./plane.js";
import { bare, queryRow, wordOf } from "./query_row.js";
import { table } from "./table.js";

/**
 * The picture of a scene, and the numbers below it.
 * @param {Story} story @param {(found?: string) => void} showAnswer
 */
export function figure(story, showAnswer) {
  const shown = figureOf(story),
    { heads = [0] } = shown,
    picture = make("div", "picture"),
    numbers = make("div", "numbers"),
    element = make("div", "figure", [picture, numbers]);
  const draw = () => {
    numbers.replaceChildren(...heads.map((head) => table(story, head, choose)));
    if (heads.length > 1) numbers.append(both(story, heads));
    roving(numbers, "button.number");
    if (shown.picture === "arcs") picture.replaceChildren(arcs(story));
  };
  /** @param {number} head */
  const choose = (head) => {
    story.head = head;
    draw();
  };
  const turned = () => {
    draw();
    showAnswer(best(story));
  };
  if (shown.picture === "plane") picture.append(plane(story, turned));
  if (shown.moves) element.insertBefore(slider(story, draw), numbers);
  draw();
  story.redraw = draw;
  return element;
}

/** @param {Story} story @param {() => void} draw */
function slider(story, draw) {
  const { labels } = story.words,
    given = queryRow(story, 0).scores[0],
    input = make("input"),
    output = make("output");
  Object.assign(input, { type: "range", min: "0", max: "6", step: "0.1", value: String(given) });
  const print = () => (output.textContent = plain(Number(input.value), 1));
  input.oninput = () => {
    story.score = Number(input.value) === given ? null : Number(input.value);
    print();
    draw();
  };
  print();
  return make("label", "slider", [labels.slider, input, output]);
}

/** @param {Story} story @param {number[]} heads */
function both(story, heads) {
  const outputs = heads.map((head) => plain(queryRow(story, head).output));
  return make("p", "both", filled(story.words.labels.both, { values: `(${outputs.join(", ")})` }));
}

/**
 * Whose label answers the question best.
 * @param {Story} story
 */
function best(story) {
  const { scores } = queryRow(story, 0),
    { labels } = story.words,
    most = Math.max(...scores),
    [first, ...others] = scores.flatMap((score, word) => (score === most ? [word] : []));
  return filled(others.length ? labels.tied : labels.closest, { word: wordOf(story, first), score: bare(most) });
}
