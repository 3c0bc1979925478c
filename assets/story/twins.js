import { make } from "../shared/dom.js";
import { shape, text } from "../shared/svg.js";
import { header, row, table as rowsOf } from "../shared/table_rows.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";

const PLAYED = 3000, // milliseconds, in which it goes through the layers by itself
  WIDTH = 380,
  HEIGHT = 236,
  MIDDLE = [WIDTH / 2, HEIGHT / 2 + 4];

/**
 * One word in two sentences of a pretrained model: its numbers, with attention and without it, and what the model says
 * next either way. Once attention was switched off, a slider goes through the layers, and a plane shows the vectors.
 * @param {Twins} story @param {HTMLElement} status
 */
export function twins(story, status) {
  const { labels, meanings } = story.words,
    last = meanings.points.length - 1,
    recorded = { model: meanings.title, count: meanings.without[0].length, d_model: meanings.d_model },
    lines = make("div", "sentences"),
    sign = make("b", "sign", "", { ariaHidden: "true" }),
    verdict = make("div", "verdict", "", { role: "status" }),
    answers = make("div", "answers"),
    ends = make("p", "origin ends", labels.ends),
    picture = make("div", "picture");
  const slider = make("input", "", "", { type: "range", min: "0", max: String(last), value: String(story.layer) }),
    layer = make("output"),
    toggle = make("button", "switch", "", { role: "switch" });
  slider.ariaLabel = labels.layer;
  slider.oninput = () => {
    story.layer = Number(slider.value);
    story.moved();
  };
  toggle.onclick = () => {
    story.isOn = !story.isOn;
    story.layer = last; // so that the switch makes a difference that is seen
    story.moved();
  };
  /** @param {string} name of a label */
  const said = (name) => make("p", "origin", filled(labels[name], recorded)),
    source = make("p", "origin");
  const moves = make("div", "moves", [make("label", "slider", [labels.layer, slider, layer])]),
    layers = make("div", "pair layers", [make("div", "side", [moves, status, said("vectors")]), picture]),
    element = make("div", "figure twins", [
      make("div", "compared", [lines, sign]),
      verdict,
      toggle,
      make("div", "below", [answers, ends, layers]),
      source,
    ]);
  /** What is seen at this moment. */
  const draw = () => {
    slider.value = String(story.layer);
    source.textContent = filled(labels.recorded, { ...recorded, layer: story.layer, last });
    layer.textContent = `${story.layer} / ${last}`;
    toggle.ariaChecked = String(story.isOn);
    toggle.textContent = story.isOn ? labels.on : labels.off;
    lines.replaceChildren(...compared(meanings).map((sentence, i) => line(story, sentence, i)));
    sign.textContent = isOne(story) ? "=" : "≠";
    verdict.textContent = story.isOn ? labels[story.layer ? "differs" : "same"] : labels.stays;
    picture.replaceChildren(points(story));
    answers.replaceChildren(next(story));
    element.classList.toggle("without", !story.isOn);
    ends.classList.toggle("kept", story.isOn);
    layers.hidden = !story.isOn || !isSwitched(story);
    return seen(story);
  };
  return { element, draw };
}

/** Whether attention was switched off at least once. @param {Twins} story */
const isSwitched = ({ reached, scene }) => reached.has(scene);

/** Whether the word has the same numbers in all sentences. @param {Twins} story */
const isOne = ({ isOn, layer }) => !isOn || !layer;

/**
 * Goes through the layers once, until a reader does something; who wants no motion sees the last one.
 * @param {Twins} story @param {HTMLElement} root
 * @returns {() => void} what stops it
 */
export function play(story, root) {
  const last = story.words.meanings.points.length - 1;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    story.layer = last;
    story.redraw();
    return () => {};
  }
  const stop = () => clearInterval(playing);
  const playing = setInterval(() => {
    story.layer += 1;
    if (story.layer >= last) stop();
    story.redraw();
  }, PLAYED / last);
  for (const kind of ["pointerdown", "keydown", "input"]) root.addEventListener(kind, stop, { once: true });
  return stop;
}

/** The first sentence of each meaning. @param {Meanings} meanings */
const compared = ({ meanings }) => [0, meanings.indexOf(1)];

/** @param {Twins} story @param {number} sentence @param {number} meaning */
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

/** @param {Twins} story */
function points(story) {
  const { labels, meanings } = story.words,
    most = Math.max(...meanings.points.flat(2).map(Math.abs)),
    unit = (WIDTH / 2 - 56) / most,
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "points" });
  svg.setAttribute("aria-label", seen(story) || filled(labels.all_one, { word: meanings.word }));
  const colours = labels.meanings;
  svg.append(
    text(WIDTH - 4, 10, colours[0], "meaning-0 corner", "end"),
    text(4, 10, colours[1], "meaning-1 corner", "start"),
  );
  const shown = compared(meanings),
    isSame = isOne(story);
  meanings.points[story.layer].forEach((point, sentence) => {
    const [x, y] = story.isOn ? [MIDDLE[0] + unit * point[0], MIDDLE[1] - unit * point[1]] : MIDDLE,
      role = `meaning-${meanings.meanings[sentence]}`,
      isShown = shown.includes(sentence);
    svg.append(shape("circle", { cx: x, cy: y, r: isShown ? 8 : 5, class: `point ${role}` }));
    if (!isSame) svg.append(text(x, y + (isShown ? -18 : 16), meanings.clues[sentence], `clue ${role}`));
  });
  if (isSame) svg.append(text(MIDDLE[0], MIDDLE[1] + 26, filled(labels.all_one, { word: meanings.word }), "clue"));
  return svg;
}

/**
 * The likeliest next words of two beginnings, with attention beside without it; the latter once it was switched off.
 * @param {Twins} story
 */
function next(story) {
  const { isOn } = story,
    { labels, meanings } = story.words,
    end = sameEnd(meanings.beginnings);
  /** @param {Likely} likely @param {string} role @param {boolean} [isOpen] its place is there before it is */
  const said = ([token, share], role, isOpen = true) => {
    const likeliest = make(
      "span",
      isOpen ? "likeliest" : "likeliest kept",
      `“${spoken(token)}” ${plain(100 * share, 0)} %`,
    );
    return make("td", role, [make("div", "covered", [likeliest, ...(isOpen ? [] : [make("span", "asked", "?")])])]);
  };
  const lines = meanings.beginnings.map((beginning, i) =>
    row(
      header(
        "row",
        make("span", "", [make("span", isOn ? "" : "unseen", beginning.slice(0, -end.length)), `${end} …`]),
      ),
      said(meanings.next[i][0], isOn ? "now" : ""),
      said(meanings.next_without[0], isOn ? "broken" : "broken now", isSwitched(story)),
    ),
  );
  const columns = [labels.with, labels.without].map((name, i) => header("col", name, isOn === !i ? "now" : ""));
  return rowsOf(row(header("col", labels.next_words), ...columns), lines);
}

/** How two texts end that end alike. @param {string[]} texts */
function sameEnd([one, other]) {
  let length = 0;
  while (one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return one.slice(-length);
}

/** A token as a reader would write it. @param {string} token */
const spoken = (token) => token.replace(/^[␣▁]/, "");

/** @param {Twins} story */
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
  return isOne(story) ? "" : filled(labels.seen_layer, fields);
}
