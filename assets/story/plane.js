import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { bare, namesOf, queryRow } from "./query_row.js";

const WIDTH = 380,
  HEIGHT = 300,
  UNIT = 58, // pixels of one
  MIDDLE = [WIDTH / 2, HEIGHT / 2],
  MOST = 2.5,
  STEP = 0.25;
/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

/**
 * The labels and the question as arrows from one point: a score is large where two go the same way.
 * @param {Story} story
 */
export function plane(story) {
  const { Q, K } = queryRow(story, 0),
    { labels, query } = story.words,
    names = namesOf(story);
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plane", role: "application" }, [grid()]);
  for (const [k, words] of sameVectors(K)) {
    const name = words.map((word) => (word === query ? filled(labels.its_label, { word: names[word] }) : names[word]));
    svg.append(arrow(k, "key"), caption(k, name.join(", "), "key"));
  }
  const printed = `(${Q.map(bare).join(", ")})`;
  svg.append(shape("circle", { cx: x(Q[0]), cy: y(Q[1]), r: 13, class: "tip" }));
  // On the other side of its arrow than the label of a word that the arrow points at.
  const [dx, dy] = [Q[0] < 0 ? 18 : -18, Q[1] < 0 ? 18 : -18];
  svg.append(
    arrow(Q, "query"),
    text(
      x(Q[0]) + dx,
      y(Q[1]) + dy,
      filled(labels.its_question, { word: names[query] }),
      "word query",
      dx < 0 ? "end" : "start",
    ),
  );
  svg.setAttribute("aria-label", filled(labels.arrow, { word: names[query], q: printed }));
  svg.tabIndex = 0;
  return svg;
}

/**
 * What turns the question: a plane drawn anew after each step keeps the pointer and the focus in its frame.
 * @param {HTMLElement} frame @param {Story} story
 */
export function turning(frame, story) {
  frame.classList.add("turns");
  /** @param {number[]} to */
  const turn = (to) => {
    story.Q = to.map((part) => Math.max(-MOST, Math.min(MOST, Math.round(part / STEP) * STEP)));
    const hadFocus = frame.matches(":focus-within");
    story.moved();
    if (hadFocus) frame.querySelector("svg")?.focus({ preventScroll: true });
  };
  frame.onkeydown = (event) => {
    const way = KEYS[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    frame.classList.remove("pointed");
    turn(queryRow(story, 0).Q.map((part, d) => part + way[d]));
  };
  /** @param {PointerEvent} event */
  const drag = ({ clientX, clientY }) => {
    const matrix = frame.querySelector("svg")?.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    turn([(point.x - MIDDLE[0]) / UNIT, (MIDDLE[1] - point.y) / UNIT]);
  };
  frame.onpointerdown = (event) => {
    frame.setPointerCapture(event.pointerId);
    frame.classList.add("pointed"); // a ring is for who uses the keyboard: a focus by script would show it
    frame.querySelector("svg")?.focus({ preventScroll: true });
    drag(event);
  };
  frame.onpointermove = (event) => frame.hasPointerCapture(event.pointerId) && drag(event);
}

/**
 * Words that have the same vector are one arrow.
 * @param {number[][]} vectors @returns {[number[], number[]][]}
 */
function sameVectors(vectors) {
  /** @type {Map<string, [number[], number[]]>} */
  const found = new Map();
  vectors.forEach((vector, word) => {
    const same = found.get(String(vector));
    if (same) same[1].push(word);
    else found.set(String(vector), [vector, [word]]);
  });
  return [...found.values()];
}

/** @param {number} value */
const x = (value) => MIDDLE[0] + UNIT * value;
/** @param {number} value */
const y = (value) => MIDDLE[1] - UNIT * value;

function grid() {
  const whole = [-2, -1, 0, 1, 2],
    lines = whole.flatMap((i) => [`M${x(i)} ${y(-MOST)}V${y(MOST)}`, `M${x(-MOST)} ${y(i)}H${x(MOST)}`]);
  return shape("path", { d: lines.join(""), class: "grid" });
}

/** @param {number[]} to @param {string} role */
function arrow([across, up], role) {
  const length = Math.hypot(across, up);
  if (!length) return shape("circle", { cx: x(0), cy: y(0), r: 4, class: `dot ${role}` });
  const [dx, dy] = [across / length, -up / length],
    [tx, ty] = [x(across), y(up)],
    [bx, by] = [tx - 12 * dx, ty - 12 * dy];
  const head = `M${tx} ${ty}L${bx - 6 * dy} ${by + 6 * dx}L${bx + 6 * dy} ${by - 6 * dx}Z`,
    line = shape("path", { d: `M${x(0)} ${y(0)}L${bx} ${by}` });
  return shape("g", { class: `arrow ${role}` }, [line, shape("path", { d: head, class: "point" })]);
}

/** @param {number[]} at @param {string} content @param {string} role */
function caption([across, up], content, role) {
  const isLeft = across < -0.1;
  return text(
    x(across) + (isLeft ? -9 : 9),
    y(up) + (up < 0 ? 12 : -4),
    content,
    `word ${role}`,
    isLeft ? "end" : "start",
  );
}
