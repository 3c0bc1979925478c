import { make, penOf } from "../../shared/dom.js";
import { drawNames, drawPlane, frame } from "./draw.js";
import { headHeight, namesWidth } from "./labels.js";
import { headPicture } from "./pictures.js";

/** @typedef {Box & { of: number }} HeadBox  of: the head */

const GAP = 40,
  HIGHEST = 300,
  WIDEST = 46,
  NARROWEST = 14,
  TITLE = 26; // WIDEST, NARROWEST: of a cell

/**
 * The head that the pointer is over, instead of the chosen one, as large as its small picture is fine.
 * @param {CanvasPen} pen @param {Step} step @param {HTMLCanvasElement} picture
 */
export function drawPreview(pen, { layout, palette }, picture) {
  const box = layout.boxes.at(-1);
  pen.fillStyle = palette.card;
  pen.fillRect(box.x, box.y, box.width, box.height);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(picture, box.x, box.y, box.width, box.height);
}

/**
 * The chosen head and the pinned one side by side, or one below the other where names leave too
 * little room, on the one colour scale of the stage.
 * @param {View} view @param {Step} step @param {string} face
 */
export function drawPair(view, step, face) {
  const { store } = view,
    { trace, stage, head, pinned } = store,
    [row, column] = store.drawnRoles(stage);
  const there =
    !store.resultHidden &&
    pinned !== null &&
    pinned !== head &&
    pinned < trace.headsOf(stage) &&
    trace.headsOf(stage) > 1 &&
    row &&
    column;
  view.pair.hidden = !there;
  if (!there) return;
  const canvas = view.pair.querySelector("canvas") ?? view.pair.appendChild(make("canvas")),
    { width } = step.layout,
    ratio = devicePixelRatio || 1;
  const plane = step.layout.boxes.at(-1).plane,
    rows = plane.rows.size,
    columns = plane.columns.size;
  const pen = penOf(canvas, face);
  const names = namesWidth(pen, trace, plane.rows),
    beside = (width - GAP) / 2 - names,
    stacked = beside < Math.min(columns, 8) * NARROWEST;
  const wide = Math.min(stacked ? width - names - GAP / 4 : beside, columns * WIDEST),
    high = Math.min(HIGHEST, Math.max(rows * Math.min(WIDEST * 0.7, wide / columns), rows * 4));
  const box = {
    plane,
    x: 0,
    y: 0,
    width: wide,
    height: high,
    top: 0,
    bottom: rows,
    first: 0,
    last: columns,
    cellWidth: wide / columns,
    cellHeight: high / rows,
  };
  const above = TITLE + headHeight(pen, trace, box, { scale: 1, textScale: 1 }),
    all = (above + high) * (stacked ? 2 : 1) + 8;
  canvas.width = width * ratio;
  canvas.height = all * ratio;
  canvas.style.height = `${all}px`;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const boxes = [head, pinned].map((of, i) => ({
    ...box,
    of,
    plane: { ...plane, head: of },
    x: names + (stacked ? 0 : i * (width / 2 + GAP / 4)),
    y: above + (stacked ? i * (above + high) : 0),
  }));
  for (const box of boxes) one(pen, store, step, box);
  listen(store, canvas, boxes);
}

/** @param {CanvasPen} pen @param {Store} store @param {Step} step @param {HeadBox} box */
function one(pen, store, step, box) {
  const { trace, palette } = step,
    here = trace.hasHead(store.stage, box.of),
    last = step.layout.boxes.length - 1;
  const small = {
    ...step,
    layout: { ...step.layout, scale: 1, textScale: 1 },
    at: { ...step.at, ...trace.headPositions(store.stage, box.of) },
  };
  drawNames(pen, small, box, [(step.lit ?? step.rest)[last]]);
  if (here) drawPlane(pen, small, { ...box, plane: { ...box.plane, head: null } }, null);
  else {
    pen.imageSmoothingEnabled = false;
    pen.drawImage(headPicture(store, box.of, palette), box.x, box.y, box.width, box.height);
  }
  frame(pen, box, (step.lit ?? step.rest)[last], palette.accent, true);
}

/**
 * Hovering either highlights the same cell in both and in the figure.
 * @param {Store} store @param {HTMLCanvasElement} canvas @param {HeadBox[]} boxes
 */
function listen(store, canvas, boxes) {
  canvas.onpointermove = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect(),
      x = clientX - left,
      y = clientY - top;
    const box = boxes.find((one) => x >= one.x && y >= one.y && x < one.x + one.width && y < one.y + one.height);
    const plane = store.trace.drawing(store.stage).planes.length - 1;
    store.point(
      box
        ? { plane, row: Math.floor((y - box.y) / box.cellHeight), column: Math.floor((x - box.x) / box.cellWidth) }
        : null,
    );
  };
  canvas.onpointerleave = () => store.point(null);
}
