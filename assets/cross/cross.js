import { effect, make, sectionOf } from "../shared/dom.js";
import { across } from "../shared/links.js";
import { setIn, setSymbol } from "../microscope/words/symbols.js";
import { shape } from "../shared/svg.js";

/**
 * @typedef {{ symbol: string, text: string, role: string, feeds: string }} Source
 * @typedef {{ sources: Source[], shapes: Record<string, string>, label: string }} Flow
 * @typedef {{ x: number, y: number, width: number, height?: number }} Box
 */
const NARROW = 620,
  TALL = 52,
  TALLER = 72;
const KINDS = ["Q", "K", "V"];
/** @type {Symbol_} */
const PRODUCT = [
  ["span", "scores = Q K"],
  ["sup", "⊤"],
];

/**
 * Which sequence feeds which matrix: boxes and arrows, in one line or, where it is narrow, in two.
 * @param {ComponentArgs<Flow>} args
 */
export default function ({ data, parentElement }) {
  const root = sectionOf(parentElement);
  return effect(parentElement, () => {
    const resized = new ResizeObserver(() => root.replaceChildren(picture(data, root.clientWidth < NARROW)));
    resized.observe(root);
    return () => resized.disconnect();
  });
}

/** @param {Flow} data @param {boolean} narrow */
function picture(data, narrow) {
  /** @param {number} i */
  const row = (i) => (narrow ? 14 + i * 74 : 4 + i * 68);
  const columns = narrow
    ? { source: 0, W: 138, made: 236, wide: 112, box: 128 }
    : { source: 0, W: 250, made: 380, wide: 190, box: 160 };
  const [width, height] = narrow ? [386, 316] : [860, 196];
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": data.label });
  const boxes = KINDS.map((kind, i) => ({
    W: { x: columns.W, y: row(i), width: 66, kind },
    made: { x: columns.made, y: row(i), width: columns.box, kind },
  }));
  const between = (row(1) + row(2)) / 2;
  const sources = data.sources.map((source, i) => ({
    ...source,
    x: columns.source,
    width: columns.wide,
    height: narrow ? TALLER : TALL,
    y: (data.sources.length === 1 ? row(1) : i ? between : row(0)) - (narrow ? (TALLER - TALL) / 2 : 0),
  }));
  KINDS.forEach((kind, i) => {
    const { W, made } = boxes[i];
    for (const source of sources) if (source.feeds.includes(kind)) svg.append(arrow(source, W, roleOf(kind)));
    svg.append(arrow(W, made, roleOf(kind)));
    svg.append(
      box(
        W,
        [
          ["span", "W"],
          ["sup", kind],
        ],
        "",
        `matrix ${roleOf(kind)}`,
      ),
      box(made, [["span", kind]], data.shapes[kind], roleOf(kind)),
    );
  });
  sources.forEach((source) => svg.append(box(source, [["span", source.symbol]], source.text, source.role)));
  const [scores, output] = narrow
    ? [
        { x: 192, y: 256, width: 172 },
        { x: 0, y: 256, width: 172 },
      ]
    : [
        { x: 650, y: (row(0) + row(1)) / 2, width: 206 },
        { x: 650, y: row(2), width: 206 },
      ];
  if (narrow)
    svg.append(...[0, 1].map((i) => around(boxes[i].made, scores, i)), ...under(boxes[2].made, scores, output));
  else
    svg.append(
      ...[0, 1].map((i) => arrow(boxes[i].made, scores, roleOf(KINDS[i]))),
      arrow(boxes[2].made, output, "key"),
      down(scores, output),
    );
  svg.append(
    box(scores, PRODUCT, data.shapes.scores, "result"),
    box(output, [["span", "output"]], data.shapes.output, "result"),
  );
  return svg;
}

/** @param {string} kind */
function roleOf(kind) {
  return kind === "Q" ? "query" : "key";
}

/** @param {Box} rect @param {Symbol_} symbol @param {string} text @param {string} role */
function box({ x, y, width, height = TALL }, symbol, text, role) {
  const body = make("div", "", [make("div", "symbol", setSymbol(symbol))]);
  if (text) {
    const line = setIn(body.appendChild(make("div", "text")), text);
    line.title = text;
  }
  return shape("g", { class: role }, [
    shape("rect", { x, y, width, height, rx: 9 }),
    shape("foreignObject", { x, y, width, height }, [body]),
  ]);
}

/** @param {Box} from @param {Box} to @param {string} role */
function arrow(from, to, role) {
  const x = from.x + from.width,
    y = middleOf(from),
    end = to.x - 7,
    level = middleOf(to);
  return stroke(across([x, y], [end, level], true), `M${end - 1} ${level - 5} l8 5 l-8 5 z`, role);
}

/** @param {Box} from @param {Box} to */
function down(from, to) {
  const x = from.x + from.width / 2,
    y = from.y + TALL,
    end = to.y - 7;
  return stroke(`M${x} ${y} V${end}`, `M${x - 5} ${end - 1} l5 8 l5 -8 z`, "result");
}

/**
 * Out at the right, past the boxes below, and into the scores from the right: the upper one outside.
 * @param {Box} from @param {Box} to @param {number} index
 */
function around(from, to, index) {
  const x = from.x + from.width,
    lane = x + 18 - 9 * index,
    y = middleOf(from),
    level = middleOf(to) + 9 - 18 * index;
  return stroke(
    `M${x} ${y} H${lane - 6} q6 0 6 6 V${level - 6} q0 6 -6 6 H${x + 7}`,
    `M${x + 8} ${level - 5} l-8 5 l8 5 z`,
    roleOf(KINDS[index]),
  );
}

/**
 * From the values down and along between the lines into the output, and from the scores beside it.
 * @param {Box} values @param {Box} scores @param {Box} output
 */
function under(values, scores, output) {
  const x = values.x + 12,
    y = values.y + TALL,
    along = (y + output.y) / 2,
    end = output.x + output.width / 2,
    level = middleOf(output),
    right = output.x + output.width;
  return [
    stroke(
      `M${x} ${y} V${along - 6} q0 6 -6 6 H${end + 6} q-6 0 -6 6 V${output.y - 7}`,
      `M${end - 5} ${output.y - 8} l5 8 l5 -8 z`,
      "key",
    ),
    stroke(`M${scores.x} ${level} H${right + 7}`, `M${right + 8} ${level - 5} l-8 5 l8 5 z`, "result"),
  ];
}

/** @param {string} path @param {string} tip @param {string} role */
function stroke(path, tip, role) {
  return shape("g", { class: `arrow ${role}` }, [shape("path", { d: path }), shape("path", { class: "tip", d: tip })]);
}

/** @param {Box} box */
function middleOf({ y, height = TALL }) {
  return y + height / 2;
}
