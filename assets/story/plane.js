import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { figureOf } from "./figures.js";
import { QUERY, bare, queryRow, wordOf } from "./query_row.js";

const WIDTH = 460,
  HEIGHT = 290,
  UNIT = 74, // pixels of one
  LEFT = 120,
  BOTTOM = 250,
  MOST = 3,
  STEP = 0.5;
/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

/**
 * The labels and the question as arrows from one point: a score is large where two go the same way.
 *
 * changed: is called when the question is turned, where it can be.
 * @param {Story} story @param {() => void} changed
 */
export function plane(story, changed) {
  const { words } = story,
    { Q, K } = queryRow(story, 0),
    { turns } = figureOf(story);
  const axis = [grid(), ...axes(words.labels.axes)],
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plane" }, axis);
  K.forEach((k, word) => {
    const name = wordOf(story, word);
    svg.append(arrow(k, "key"), caption(k, name, "key", k[0] ? [10, 16] : [-14, 0]));
  });
  const question = svg.appendChild(shape("g", { class: "question" })),
    asking = wordOf(story, QUERY);
  /** @param {number[]} q */
  const draw = (q) => {
    const tip = shape("circle", { cx: x(q[0]), cy: y(q[1]), r: 11, class: "tip" });
    question.replaceChildren(arrow(q, "query"), ...(turns ? [tip] : []), caption(q, `${asking} ?`, "query", [14, -16]));
    const printed = `(${q.map(bare).join(", ")})`;
    const asked = `${asking} ${words.labels.asks} Q = ${printed}`;
    svg.setAttribute("aria-label", turns ? filled(words.labels.arrow, { q: printed }) : asked);
  };
  draw(Q);
  if (turns) turn(svg, Q, story, draw, changed);
  else svg.setAttribute("role", "img");
  return svg;
}

/**
 * @param {SVGSVGElement} svg @param {number[]} given @param {Story} story @param {(q: number[]) => void} draw
 * @param {() => void} changed
 */
function turn(svg, given, story, draw, changed) {
  svg.tabIndex = 0;
  svg.setAttribute("role", "application");
  svg.classList.add("turns");
  /** @param {number[]} to */
  const move = (to) => {
    const q = to.map((part) => Math.max(0, Math.min(MOST, Math.round(part / STEP) * STEP)));
    story.Q = q.every((part, d) => part === given[d]) ? null : q;
    draw(q);
    changed();
  };
  svg.onkeydown = (event) => {
    const way = KEYS[event.key],
      now = story.Q ?? given;
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    move(now.map((part, d) => part + way[d]));
  };
  /** @param {PointerEvent} event */
  const drag = ({ clientX, clientY }) => {
    const matrix = svg.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    move([(point.x - LEFT) / UNIT, (BOTTOM - point.y) / UNIT]);
  };
  svg.onpointerdown = (event) => {
    svg.setPointerCapture(event.pointerId);
    svg.focus({ preventScroll: true });
    drag(event);
  };
  svg.onpointermove = (event) => svg.hasPointerCapture(event.pointerId) && drag(event);
}

/** @param {number} value */
const x = (value) => LEFT + UNIT * value;
/** @param {number} value */
const y = (value) => BOTTOM - UNIT * value;

function grid() {
  const lines = Array.from({ length: MOST + 1 }, (_, i) => [
    `M${x(i)} ${y(0)}V${y(MOST)}`,
    `M${x(0)} ${y(i)}H${x(MOST)}`,
  ]);
  return shape("path", { d: lines.flat().join(""), class: "grid" });
}

/** @param {[string, string]} names */
function axes([across, up]) {
  return [
    text(x(MOST) + 10, y(0), `${across} →`, "axis", "start"),
    text(x(0) - 8, y(MOST) - 14, `${up} ↑`, "axis", "start"),
  ];
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

/** @param {number[]} at @param {string} content @param {string} role @param {number[]} aside */
function caption([across, up], content, role, [right, down]) {
  return text(x(across) + right, y(up) + down, content, `word ${role}`, right < 0 ? "end" : "start");
}
