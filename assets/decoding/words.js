import { make, within } from "../shared/dom.js";
import { across, thickness } from "../shared/links.js";
import { perCent } from "../microscope/engine/numbers.js";
import { shape } from "../shared/svg.js";
import { isThere, signed, weightsOf } from "./shown_weights.js";

/** @import { View } from "./types.d.ts" */
/** @import { Point } from "../shared/links.js" */

const THICK = 17,
  HAIR = 0.6,
  VISIBLE = 0.005; // widths in pixels of the weights 1 and 0; the smallest weight that is drawn
const FITS = ["large", "", "small", "tall"]; // side by side as large as may be, else one below the other

/**
 * The Chinese words and the English ones, each once; what changes from step to step is drawn later.
 * @param {View} view
 */
export function fillWords(view) {
  const { data, steps } = view,
    { scene } = view.parts;
  const svg = shape("svg", { "aria-hidden": "true" }),
    source = make("div", "row source"),
    target = make("div", "row target");
  view.source = data.source.map((word, at) => source.appendChild(sourceWord(word, data.glosses[at])));
  const start = target.appendChild(chip("div", "word sign", signed(data, data.start)));
  within(start, "small").textContent = "\u00a0";
  view.target = steps.map((word, position) => target.appendChild(targetWord(view, word, position)));
  view.lines = steps.map(() => data.source.map(() => svg.appendChild(shape("path"))));
  scene.replaceChildren(svg, source, target);
}

/** @param {string} word @param {[pinyin: string, meaning: string]} [gloss] */
function sourceWord(word, gloss) {
  const element = chip("div", "word key", word);
  if (gloss) element.append(make("span", "pinyin", gloss[0]), make("span", "meaning", gloss[1]));
  return element;
}

/** @param {View} view @param {string} word @param {number} position */
function targetWord(view, word, position) {
  const { data } = view,
    element = chip("button", `word ${word === data.end ? "sign" : "query"}`, signed(data, word));
  const { probability, best, rank } = data.ranks[position];
  within(element, "small").textContent = perCent(probability);
  if (data.forced && rank > 1) element.append(make("em", "", data.words.instead.replace("{word}", signed(data, best))));
  element.tabIndex = -1; // the figure is the Tab stop, and its arrows go from word to word
  element.onclick = () => view.go(position);
  element.onpointerenter = ({ pointerType }) =>
    pointerType === "mouse" && isThere(view, position) && view.point(position);
  element.onpointerleave = () => view.point(null);
  return element;
}

/** @param {"div" | "button"} tag @param {string} className @param {string} text */
function chip(tag, className, text) {
  return make(tag, className, [make("b", "", text), make("small")]);
}

/**
 * Thick where the weight is large: from the word that is looked at, and faintly from those before.
 * @param {View} view @param {boolean} [anew]
 */
export function drawLines(view, anew = false) {
  const { data, position, begins, hover } = view,
    { scene } = view.parts,
    at = hover ?? position,
    chosen = begins ?? position,
    weights = weightsOf(view);
  view.target.forEach((element, t) => {
    const next = t === position + 1 && !isThere(view, t);
    element.className = element.className.split(" ").slice(0, 2).join(" ");
    element.classList.toggle("now", t === at);
    element.classList.toggle("step", t === chosen);
    element.classList.toggle("next", next);
    element.classList.toggle("hidden", !next && !isThere(view, t));
    element.ariaLabel = next ? data.words.next : null;
    element.ariaCurrent = String(t === chosen);
  });
  view.source.forEach((element, s) => {
    within(element, "small").textContent = perCent(weights[at][s]);
    element.style.setProperty("--weight", `${Math.round(100 * weights[at][s])}%`);
  });
  if (anew) fit(view);
  const tall = scene.classList.contains("tall"),
    frame = scene.getBoundingClientRect();
  const from = view.target.map((element) => edge(element, frame, tall, tall ? "left" : "top"));
  const to = view.source.map((element) => edge(element, frame, tall, tall ? "right" : "bottom"));
  view.lines.forEach((row, t) =>
    row.forEach((path, s) => {
      const weight = weights[t][s],
        now = t === at;
      path.setAttribute("class", !isThere(view, t) ? "hidden" : now ? "now" : weight < VISIBLE ? "hidden" : "earlier");
      path.setAttribute("stroke-width", thickness(weight, THICK, HAIR));
      path.setAttribute("d", across(to[s], from[t], tall));
    }),
  );
}

/**
 * The first way to set the words in which none is cut off.
 * @param {View} view
 */
function fit({ parts: { scene } }) {
  for (const way of FITS) {
    scene.className = `scene ${way}`;
    if ([...scene.querySelectorAll(".row")].every((row) => row.scrollWidth <= row.clientWidth + 1)) return;
  }
}

/**
 * @param {HTMLElement} element @param {DOMRect} frame @param {boolean} tall
 * @param {"left" | "right" | "top" | "bottom"} side @returns {Point}
 */
function edge(element, frame, tall, side) {
  const box = element.getBoundingClientRect();
  return tall
    ? [box[side] - frame.left, box.top + box.height / 2 - frame.top]
    : [box.left + box.width / 2 - frame.left, box[side] - frame.top];
}
