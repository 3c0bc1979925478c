import { drawCells } from "./cells.js";
import { drawBar, drawColumnNames, drawRowNames, drawTitle } from "./labels.js";
import { cellBox } from "./layout.js";
import { cellsOf } from "./planes.js";

const THIN = 8;

// Draws a whole step. ``lit`` has what belongs to the pointed cell, see lit.js; null lights all.
// ``rest`` has the chosen cell's marks. ``means`` is the symbol of the formula that is pointed at.
export function drawStep(pen, { trace, drawing, layout, at, lit, rest, palette, means, shown }) {
  layout.boxes.forEach((box, i) => {
    const { plane } = box, cells = cellsOf(trace, plane, at), isResult = i === layout.boxes.length - 1;
    const mine = lit ? (lit[i] ?? { row: -1, column: -1 }) : null;
    const show = shown?.[i];
    if (show?.hidden) return;
    drawTitle(pen, trace, box, layout, palette, means === plane.stage);
    drawRowNames(pen, trace, box, layout, palette, mine?.row ?? null, means);
    drawColumnNames(pen, trace, box, layout, palette, mine?.column ?? null, means);
    drawCells(pen, trace, box, cells, palette, mine, layout.scale);
    frame(pen, box, rest?.[i], mine ? palette.soft : palette.accent, isResult);
    if (mine) frame(pen, box, lit[i], palette.accent, isResult);
    if (means === plane.stage) outline(pen, box, palette.accent);
    if (isResult && !layout.narrow) drawBar(pen, trace, box, layout, palette);
  });
}

// Around the row, column or cell; around it, not over it, where it is thin.
function frame(pen, box, spot, colour, isResult) {
  if (!spot || (spot.row === null && spot.column === null)) return;
  const thin = Math.min(box.cellWidth, box.cellHeight) < THIN, pad = thin ? 1.5 : 0;
  const row = spot.row ?? box.top, column = spot.column ?? box.first;
  if (row < box.top || row >= box.bottom || column < box.first || column >= box.last) return;
  const cell = cellBox(box, row, column);
  const x = spot.column === null ? box.x : cell.x - pad, y = spot.row === null ? box.y : cell.y - pad;
  const width = spot.column === null ? box.width : cell.width + 2 * pad, height = spot.row === null ? box.height : cell.height + 2 * pad;
  pen.strokeStyle = colour;
  pen.lineWidth = thin ? 1.5 : isResult ? 3 : 2;
  pen.beginPath();
  pen.roundRect(x, y, width, height, thin ? 0 : 4);
  pen.stroke();
}

function outline(pen, box, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.setLineDash([5, 4]);
  pen.strokeRect(box.x - 5, box.y - 5, box.width + 10, box.height + 10);
  pen.setLineDash([]);
}
