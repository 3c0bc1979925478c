import { make } from "../shared/dom.js";
import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { softmax } from "../microscope/engine/rules.js";
import { arcs } from "./arcs.js";
import { origin } from "./origin.js";
import { CLUE, namesOf, queryRow, share } from "./query_row.js";

const MIDDLE = 2, // the word of which more are put in between: it tells nothing
  MOST = 12,
  GAP = 16, // pixels between the names of two lines
  HALF = 0.5; // of a state that is kept at each step
const WIDTH = 460,
  HEIGHT = 200,
  [LEFT, TOP, RIGHT, BOTTOM] = [54, 32, 280, 152];

export const ATTENTION = 3; // the last of the ways
const SAID = ["reaches", "reaches", "halves", "outweighs"]; // labels of what is seen, by way

/** By way of taking over, in the order of ``labels.ways``: the share of every word of the longer sentence. */
export const SHARES = [
  /** @param {number[]} scores */
  (scores) => scores.map(() => 1 / scores.length),
  /** @param {number[]} scores */
  (scores) => scores.map((_, word) => Number(word === scores.length - 2)),
  /** @param {number[]} scores */
  (scores) => scores.map((_, word) => HALF ** (scores.length - word)),
  /** @param {number[]} scores */
  (scores) => [...softmax(Float64Array.from(scores)).weights],
];

/**
 * How much of the clue reaches the word, by the ways of taking over that were tried, the more words stand in between.
 * @param {Story} story @param {HTMLElement} status
 */
export function distance(story, status) {
  const { labels } = story.words,
    group = make("div", "choices"),
    slider = make("input", "", "", { type: "range", min: "0", max: String(MOST), value: String(story.between) }),
    count = make("output"),
    picture = make("div", "picture"),
    chart = make("div", "picture");
  const buttons = labels.ways.map((way, i) =>
    make("button", "", way, {
      onclick: () => {
        story.way = i;
        story.tried.add(i);
        story.moved();
      },
    }),
  );
  group.append(...buttons);
  slider.ariaLabel = labels.between;
  slider.oninput = () => {
    story.between = Number(slider.value);
    story.moved();
  };
  const element = make("div", "figure", [
    group,
    picture,
    make("label", "slider", [labels.between, slider, count]),
    status,
    chart,
    origin(story),
  ]);
  const draw = () => {
    buttons.forEach((button, i) => (button.ariaPressed = String(i === story.way)));
    count.textContent = String(story.between);
    const shares = SHARES[story.way](scoresOf(story, story.between));
    picture.replaceChildren(sentence(story, shares));
    chart.replaceChildren(lines(story));
    const [clue, , filler] = namesOf(story),
      word = namesOf(story)[story.words.query],
      fields = { clue, word, filler, share: share(shares[CLUE]) };
    return filled(labels[SAID[story.way]], { ...fields, times: plain(shares[CLUE] / shares[MIDDLE], 1) });
  };
  return { element, draw };
}

/**
 * The scores of a sentence with more words in between.
 * @param {Story} story @param {number} between
 */
function scoresOf(story, between) {
  const { scores } = queryRow(story, 0);
  return [...scores.slice(0, MIDDLE), ...Array(between).fill(scores[MIDDLE]), ...scores.slice(MIDDLE)];
}

/** @param {Story} story @param {number[]} shares */
function sentence(story, shares) {
  const { labels, query } = story.words,
    names = [...namesOf(story)],
    { between } = story;
  const each = shares.toSpliced(MIDDLE, between),
    printed = each.map((one) => [share(one)]);
  if (between) {
    names[MIDDLE] += ` ×${between + 1}`;
    printed[MIDDLE] = [filled(labels.each, { share: printed[MIDDLE][0] })];
  }
  return arcs({ names, query, shares: [each], printed, label: labels.arcs });
}

/** @param {Story} story */
function lines(story) {
  const { labels } = story.words,
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "lines" });
  svg.setAttribute("aria-label", filled(labels.line_chart, { clue: namesOf(story)[CLUE] }));
  /** @param {number} between */
  const x = (between) => LEFT + ((RIGHT - LEFT) * between) / MOST;
  /** @param {number} share */
  const y = (share) => BOTTOM - (BOTTOM - TOP) * share;
  for (const share of [0, 0.5, 1])
    svg.append(
      shape("path", { d: `M${LEFT} ${y(share)}H${RIGHT}`, class: "grid" }),
      text(LEFT - 8, y(share), `${100 * share} %`, "axis", "end"),
    );
  svg.append(
    text(4, 10, filled(labels.taken, { clue: namesOf(story)[CLUE] }), "axis", "start"),
    text(LEFT, BOTTOM + 14, "0", "axis"),
    text(RIGHT, BOTTOM + 14, String(MOST), "axis"),
    text((LEFT + RIGHT) / 2, HEIGHT - 8, labels.between, "axis"),
  );
  /** @type {number[]} */
  const taken = [];
  SHARES.map((shares, way) => ({ way, values: range(story, shares) }))
    .filter(({ way }) => story.tried.has(way))
    .toSorted((one, other) => one.values[MOST] - other.values[MOST])
    .forEach(({ way, values }) => {
      const role = way === story.way ? "line now" : "line",
        d = values.map((share, between) => `${between ? "L" : "M"}${x(between)} ${y(share)}`).join("");
      let at = y(values[MOST]) + (taken.length ? 0 : GAP);
      while (taken.some((other) => Math.abs(other - at) < GAP)) at -= 1;
      taken.push(at);
      svg.append(shape("path", { d, class: role }), text(RIGHT + 18, at, labels.ways[way], `${role} name`, "start"));
      if (way === story.way)
        svg.append(shape("circle", { cx: x(story.between), cy: y(values[story.between]), r: 5, class: "now" }));
    });
  return svg;
}

/** The clue's share by the number of words in between. @param {Story} story @param {(typeof SHARES)[number]} shares */
const range = (story, shares) =>
  Array.from({ length: MOST + 1 }, (_, between) => shares(scoresOf(story, between))[CLUE]);
