// The light that stays where the weight is 0, so that one knows where one is.
const GHOST = 0.035;
const FAINT = 0.06; // of the scale, below which a lit frame would not be seen

// The photo, cut into patches or lit by their weights.
export function draw(root) {
  const {
    canvas,
    photo,
    frame,
    data: {
      grid: [rows, columns],
      size,
      weights,
    },
  } = root;
  const wide = frame.clientWidth;
  if (!photo || !wide) return;
  const ratio = window.devicePixelRatio || 1,
    pen = canvas.getContext("2d");
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round((canvas.width * size[1]) / size[0]);
  frame.classList.toggle("fine", wide / columns < 18);
  pen.imageSmoothingEnabled = wide / size[0] < 2.5;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, canvas.width, canvas.height);
  const edge = (i, count, length) => Math.round((i * length) / count);
  const cells = Array.from({ length: rows * columns }, (_, i) => {
    const x = edge(i % columns, columns, canvas.width),
      y = edge(Math.floor(i / columns), rows, canvas.height);
    return {
      x,
      y,
      wide: edge((i % columns) + 1, columns, canvas.width) - x,
      high: edge(Math.floor(i / columns) + 1, rows, canvas.height) - y,
    };
  });
  if (weights) return light(root, pen, cells, ratio);
  cut(pen, cells, ratio);
  number(root, pen, cells, ratio);
}

// How far along its scale a weight is, 0 … 1.
export function along({ largest, root }, weight) {
  const part = Math.min(1, weight / largest);
  return root ? Math.sqrt(part) : part;
}

// Twice as far is twice the light; a screen's values are about the 2.2th root of its light.
export function lit(part) {
  return (GHOST + (1 - GHOST) * part) ** (1 / 2.2);
}

// A black patch stays black in any light, so the weight also lights its frame.
function light({ data, canvas }, pen, cells, ratio) {
  const [rows, columns] = data.grid,
    parts = Array.from(data.weights, (weight) => along(data, weight)),
    thin = Math.max(1, Math.round(ratio));
  const shade = Object.assign(document.createElement("canvas"), { width: columns, height: rows }),
    dark = new ImageData(columns, rows);
  parts.forEach((part, i) => (dark.data[4 * i + 3] = Math.round(255 * (1 - lit(part)))));
  shade.getContext("2d").putImageData(dark, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(shade, 0, 0, canvas.width, canvas.height);
  pen.lineWidth = thin;
  parts.forEach((part, i) => {
    if (part < FAINT) return;
    const { x, y, wide, high } = cells[i];
    pen.strokeStyle = `rgb(255 255 255 / ${0.45 * part})`;
    pen.strokeRect(x + thin / 2, y + thin / 2, wide - thin, high - thin);
  });
}

// Light beside dark is seen on any picture.
function cut(pen, cells, ratio) {
  const thin = Math.max(1, Math.round(ratio));
  const white = cells[0].wide / ratio < 18 ? 0.42 : 0.62;
  for (const { x, y, wide, high } of cells) {
    pen.fillStyle = `rgb(255 255 255 / ${white})`;
    if (x) pen.fillRect(x, y, thin, high);
    if (y) pen.fillRect(x, y, wide, thin);
    pen.fillStyle = "rgb(0 0 0 / .22)";
    if (x) pen.fillRect(x - thin, y, thin, high);
    if (y) pen.fillRect(x, y - thin, wide, thin);
  }
}

// Where patches are small, only the first row and the first column are numbered, as far as there is room.
function number({ data, canvas, photo }, pen, cells, ratio) {
  const columns = data.grid[1],
    side = cells[0].wide / ratio;
  const all = side >= 30,
    size = all ? Math.min(14, Math.max(10, side * 0.28)) : 10;
  const wider = Math.ceil((String(cells.length).length * size * 0.7) / side),
    lower = Math.ceil((size * 1.35) / side);
  const bright = brightness(photo, data.grid);
  pen.font = `600 ${size * ratio}px ${getComputedStyle(canvas).fontFamily}`;
  pen.textBaseline = "top";
  pen.lineJoin = "round";
  pen.lineWidth = 2.5 * ratio;
  cells.forEach((cell, i) => {
    const row = Math.floor(i / columns),
      column = i % columns;
    const shown = all || (row === 0 && column % wider === 0) || (column === 0 && row % lower === 0);
    if (!shown) return;
    const [ink, around] = bright[i] > 128 ? ["#14171f", "rgb(255 255 255 / .6)"] : ["#ffffff", "rgb(0 0 0 / .6)"];
    const at = [cell.x + 3 * ratio, cell.y + 3 * ratio];
    pen.strokeStyle = around;
    pen.strokeText(i + 1, ...at);
    pen.fillStyle = ink;
    pen.fillText(i + 1, ...at);
  });
}

// How bright each patch is on the whole, 0 … 255: the photo shrunk to one pixel a patch.
function brightness(photo, [rows, columns]) {
  const pen = Object.assign(document.createElement("canvas"), { width: columns, height: rows }).getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, columns, rows);
  const { data } = pen.getImageData(0, 0, columns, rows);
  return Array.from(
    { length: rows * columns },
    (_, i) => 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2],
  );
}
