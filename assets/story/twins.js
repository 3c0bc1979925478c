import { make } from "../shared/dom.js";
import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { origin } from "./origin.js";

const WIDTH = 380,
  HEIGHT = 236,
  MIDDLE = [WIDTH / 2, HEIGHT / 2 + 4];

/**
 * One word in two sentences of a pretrained model: its numbers, and where its vectors lie, behind any layer; with
 * attention and without it, and what the model would say next.
 * @param {Story} story @param {HTMLElement} status
 */
export function twins(story, status) {
  const { labels, meanings } = story.words,
    layers = meanings.points.length - 1,
    lines = make("div", "sentences"),
    picture = make("div", "picture"),
    answers = make("div", "answers");
  const slider = make("input", "", "", { type: "range", min: "0", max: String(layers), value: String(story.layer) }),
    layer = make("output"),
    toggle = make("button", "switch", "", { role: "switch" });
  slider.ariaLabel = labels.layer;
  slider.oninput = () => {
    story.layer = Number(slider.value);
    story.moved();
  };
  toggle.onclick = () => {
    story.isOn = !story.isOn;
    if (!story.layer) story.layer = layers; // so that the switch makes a difference that is seen
    story.moved();
  };
  const element = make("div", "figure twins", [
    lines,
    make("div", "moves", [make("label", "slider", [labels.layer, slider, layer]), toggle]),
    status,
    make("div", "pair", [picture, answers]),
    origin(story),
  ]);
  /** What is seen at this moment. */
  const draw = () => {
    slider.value = String(story.layer);
    layer.textContent = `${story.layer} / ${layers}`;
    toggle.ariaChecked = String(story.isOn);
    toggle.textContent = story.isOn ? labels.on : labels.off;
    lines.replaceChildren(...compared(meanings).map((sentence, i) => line(story, sentence, i)));
    picture.replaceChildren(points(story));
    answers.replaceChildren(...next(story));
    return seen(story);
  };
  return { element, draw };
}

/** The first sentence of each meaning. @param {Meanings} meanings */
const compared = ({ meanings }) => [0, meanings.indexOf(1)];

/** @param {Story} story @param {number} sentence @param {number} meaning */
function line(story, sentence, meaning) {
  const { meanings } = story.words,
    { word, sentences, stripes, without } = meanings,
    before = make("span", story.isOn ? "" : "unseen", sentences[sentence].slice(0, -word.length));
  const numbers = story.isOn ? stripes[meaning][story.layer] : without[story.layer];
  return make("div", "sentence", [make("p", "", [before, make("b", `meaning-${meaning}`, word)]), stripe(numbers)]);
}

/** @param {number[]} numbers in hundredths of the strongest colour */
function stripe(numbers) {
  const cells = numbers.map((number, i) =>
    shape("rect", {
      x: i,
      width: 1,
      height: 1,
      class: number < 0 ? "negative" : "positive",
      opacity: Math.abs(number) / 100,
    }),
  );
  return shape(
    "svg",
    { viewBox: `0 0 ${numbers.length} 1`, preserveAspectRatio: "none", class: "stripe", "aria-hidden": "true" },
    cells,
  );
}

/** @param {Story} story */
function points(story) {
  const { labels, meanings } = story.words,
    most = Math.max(...meanings.points.flat(2).map(Math.abs)),
    unit = (WIDTH / 2 - 56) / most,
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "points" });
  svg.setAttribute("aria-label", seen(story));
  const colours = labels.meanings;
  svg.append(
    text(WIDTH - 4, 10, colours[0], "meaning-0 corner", "end"),
    text(4, 10, colours[1], "meaning-1 corner", "start"),
  );
  const shown = compared(meanings),
    isOne = !story.isOn || !story.layer;
  meanings.points[story.layer].forEach((point, sentence) => {
    const [x, y] = story.isOn ? [MIDDLE[0] + unit * point[0], MIDDLE[1] - unit * point[1]] : MIDDLE,
      role = `meaning-${meanings.meanings[sentence]}`,
      isShown = shown.includes(sentence);
    svg.append(shape("circle", { cx: x, cy: y, r: isShown ? 8 : 5, class: `point ${role}` }));
    if (!isOne) svg.append(text(x, y + (isShown ? -18 : 16), meanings.clues[sentence], `clue ${role}`));
  });
  if (isOne) svg.append(text(MIDDLE[0], MIDDLE[1] + 26, filled(labels.all_one, { word: meanings.word }), "clue"));
  return svg;
}

/** The likeliest next words of two beginnings, with attention or without it. @param {Story} story */
function next(story) {
  const { labels, meanings } = story.words,
    last = sameEnd(meanings.beginnings),
    isOn = story.isOn;
  const rows = meanings.beginnings.map((beginning, i) => {
    const said = [make("span", isOn ? "" : "unseen", beginning.slice(0, -last.length)), `${last} … `];
    const [[token, share]] = isOn ? meanings.next[i] : meanings.next_without,
      likeliest = make("span", "likeliest", `“${spoken(token)}” ${plain(100 * share, 0)} %`);
    return make("p", isOn ? "" : "broken", [...said, likeliest]);
  });
  return [make("h3", "", isOn ? labels.next_words : `${labels.next_words} ${labels.nonsense}`), ...rows];
}

/** How two texts end that end alike. @param {string[]} texts */
function sameEnd([one, other]) {
  let length = 0;
  while (one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return one.slice(-length);
}

/** A token as a reader would write it. @param {string} token */
const spoken = (token) => token.replace(/^[␣▁]/, "");

/** @param {Story} story */
function seen(story) {
  const { labels, meanings } = story.words,
    cosines = meanings.cosines[story.layer];
  /** @param {boolean} same whether of the same meaning */
  const mean = (same) => {
    const pairs = cosines.flatMap((row, i) =>
      row.filter((_, j) => j < i && (meanings.meanings[i] === meanings.meanings[j]) === same),
    );
    const angles = pairs.map((cosine) => (Math.acos(Math.min(1, cosine)) * 180) / Math.PI);
    return plain(angles.reduce((sum, angle) => sum + angle) / angles.length, 0);
  };
  const fields = { layer: story.layer, within: mean(true), across: mean(false) };
  if (!story.isOn) return filled(labels.seen_off, fields);
  return filled(story.layer ? labels.seen_layer : labels.seen_start, fields);
}
