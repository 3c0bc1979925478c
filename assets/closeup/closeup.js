import { connect } from "../microscope/connect.js";
import { spans } from "../microscope/dom.js";
import { filled } from "../microscope/names.js";
import { MINUS, plain } from "../microscope/numbers.js";

const CHANNELS = ["red", "green", "blue"];
const KINDS = ["pixels", "flattened", "embedding"];
// Up to this side the pixels' own numbers have room, where the patch is given more of the width.
const FEW = 8;
// The luminance on which black and white can be read alike.
const EVEN = Math.sqrt(1.05 * 0.05) - 0.05;

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? build(parentElement);
  const embedding = floats(data.embedding),
    levels = floats(data.levels);
  root.sent = { ...data, pixels: bytes(data.pixels), levels, embedding };
  root.stop?.();
  root.patch = null;
  root.stop = connect("main", (store) => {
    root.store = store;
    follow(root);
    return store.listen((what) => (what === "place" || what === "trace") && follow(root));
  });
  follow(root);
  return () => root.stop();
}

// The card stands beside the steps at which a patch becomes a vector, and shows the one looked at there.
function follow(root) {
  const {
      store,
      sent,
      sent: { first, side, pixels },
    } = root,
    size = 3 * side * side;
  const isHere = store?.isReady && store.trace.before !== null;
  if (isHere) cardOf(root)?.toggleAttribute("hidden", !sent.stages.includes(store.stage));
  const patch = isHere ? store.places.patch : sent.chosen;
  const isSent = patch >= first && patch < first + pixels.length / size;
  show(root, isSent ? patch : sent.chosen, size);
}

const cardOf = (root) => (root.getRootNode().host ?? root).closest(".st-key-near_card");

function show(root, patch, size) {
  if (root.patch === patch) return;
  root.patch = patch;
  const {
      sent: data,
      sent: { levels },
    } = root,
    at = patch - data.first;
  const length = (data.embedding.length * size) / data.pixels.length;
  const pixels = data.pixels.subarray(at * size, (at + 1) * size);
  const embedding = data.embedding.subarray(at * length, (at + 1) * length);
  const flattened = Float32Array.from(pixels, (pixel, i) => levels[3 * pixel + (i % 3)]);
  root.data = { ...data, pixels, embedding, flattened };
  root.value = Math.min(root.value ?? 0, pixels.length - 1);
  root.feature = Math.min(root.feature ?? 0, embedding.length - 1);
  root.querySelector("h2").textContent = filled(data.title, { patch: String(patch + 1) });
  const caption = data.caption.flatMap((part) => (part[1] ? spans([part]) : part[0]));
  root.querySelector(".caption").replaceChildren(...caption);
  const sizes = [`${data.side} × ${data.side} × 3`, `${pixels.length}`, `${embedding.length}`];
  KINDS.forEach((kind, i) => {
    root.querySelector(`.name.${kind} span`).textContent = data.labels[kind];
    root.querySelector(`.name.${kind} small`).textContent = sizes[i];
    root.sheets[kind].ariaLabel = data.labels[kind];
  });
  root.classList.toggle("few", data.side <= FEW);
  root.querySelector(".bias").hidden = !data.bias;
  draw(root);
}

function build(parentElement) {
  const root = parentElement.appendChild(document.createElement("section"));
  const part = (kind, arrow, more) => `<p class="name ${kind}">${arrow}<span></span><small></small></p>
    <div class="sheet ${kind}" tabindex="0" role="slider" aria-valuemin="1"><canvas></canvas>${more}<i class="one"></i></div>`;
  root.innerHTML = `<h2></h2><p class="caption"></p><div class="flow">${part("pixels", "", "")}<ol class="lines" aria-hidden="true"></ol>
    ${part("flattened", "<b>→</b>", '<div class="channels"></div><i class="three"></i>')}
    ${part("embedding", "<b>→ × <em class='symbol'>W<sup>E</sup></em><em class='bias'> + <em class='symbol'>b<sup>E</sup></em></em> →</b>", "")}</div><div class="made" aria-live="polite"></div>`;
  root.sheets = Object.fromEntries(KINDS.map((kind) => [kind, root.querySelector(`.sheet.${kind}`)]));
  const observer = new ResizeObserver(() => draw(root));
  document.fonts.ready.then(() => draw(root));
  KINDS.forEach((kind) => {
    listen(root, kind);
    observer.observe(root.sheets[kind]);
  });
  return root;
}

function listen(root, kind) {
  const sheet = root.sheets[kind];
  sheet.onpointermove = sheet.onpointerdown = (event) => {
    const box = sheet.getBoundingClientRect(),
      { columns, lines } = sheet.plan;
    const place = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
    choose(
      root,
      kind,
      place((event.clientY - box.top) / box.height, lines) * columns +
        place((event.clientX - box.left) / box.width, columns),
    );
  };
  sheet.onkeydown = (event) => {
    const { columns, lines } = sheet.plan;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = chosen(root, kind) + step;
    if (to >= 0 && to < columns * lines) choose(root, kind, to);
  };
}

function chosen(root, kind) {
  return { pixels: Math.floor(root.value / 3), flattened: root.value, embedding: root.feature }[kind];
}

function choose(root, kind, index) {
  if (kind === "embedding") root.feature = index;
  else root.value = kind === "pixels" ? 3 * index + (root.value % 3) : index;
  say(root);
}

function draw(root) {
  const { side, pixels, flattened, embedding, scales } = root.data;
  if (!root.sheets.pixels.clientWidth) return;
  const box = root.sheets.embedding;
  const lines = linesOf(embedding.length, box.clientWidth / box.clientHeight);
  const two = (values) => (i) => [plain(values[i], 2)];
  paint(
    root,
    "pixels",
    { columns: side, lines: side, room: [28, 28] },
    (i) => pixels.slice(3 * i, 3 * i + 3),
    (i) => [...pixels.slice(3 * i, 3 * i + 3)].map(String),
  );
  paint(
    root,
    "flattened",
    { columns: 3 * side, lines: side, room: [36, 16] },
    ramp(root, scales.flattened, flattened),
    two(flattened),
  );
  paint(
    root,
    "embedding",
    { columns: embedding.length / lines, lines, room: [36, 16] },
    ramp(root, scales.embedding, embedding),
    two(embedding),
  );
  number(root, side);
  say(root);
}

// The number of lines, of those that are all full, with which a cell comes nearest to 3 : 5.
function linesOf(count, shape) {
  const best = Math.sqrt((0.6 * count) / shape);
  const full = Array.from({ length: count }, (_, i) => i + 1).filter((lines) => count % lines === 0);
  const far = (lines) => Math.abs(Math.log(lines / best));
  return full.reduce((one, other) => (far(other) < far(one) ? other : one));
}

function ramp(root, { low, high, colours }, values) {
  const stops = colours.map(([light, dark]) => {
    root.style.outlineColor = `light-dark(${light}, ${dark})`;
    return getComputedStyle(root).outlineColor.match(/\d+/g).map(Number);
  });
  return (i) => {
    const at = Math.min(1, Math.max(0, (values[i] - low) / (high - low || 1))) * (stops.length - 1);
    const from = Math.min(stops.length - 2, Math.floor(at));
    return stops[from].map((part, c) => Math.round(part + (stops[from + 1][c] - part) * (at - from)));
  };
}

function paint(root, kind, plan, colour, texts) {
  const sheet = root.sheets[kind],
    canvas = sheet.querySelector("canvas"),
    pen = canvas.getContext("2d");
  const ratio = window.devicePixelRatio || 1,
    { columns, lines, room } = plan;
  sheet.plan = plan;
  sheet.ariaValueMax = columns * lines;
  canvas.width = Math.round(sheet.clientWidth * ratio);
  canvas.height = Math.round(sheet.clientHeight * ratio);
  const colours = Array.from({ length: columns * lines }, (_, i) => colour(i));
  const wide = canvas.width / columns,
    high = canvas.height / lines;
  pen.imageSmoothingEnabled = wide < 1;
  pen.drawImage(small(colours, columns, lines), 0, 0, canvas.width, canvas.height);
  const gap = (size) => Math.round((size >= 16 * ratio ? 2 : size >= 5 * ratio ? 1 : 0) * ratio);
  for (let x = 1; gap(wide) && x < columns; x++)
    pen.clearRect(Math.round(x * wide - gap(wide) / 2), 0, gap(wide), canvas.height);
  for (let y = 1; gap(high) && y < lines; y++)
    pen.clearRect(0, Math.round(y * high - gap(high) / 2), canvas.width, gap(high));
  if (wide < room[0] * ratio || high < room[1] * ratio) return;
  const rows = texts(0).length,
    size = Math.min(13 * ratio, (0.9 * high) / rows, wide * 0.34);
  pen.font = `${size}px ${getComputedStyle(root).fontFamily}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  colours.forEach((ground, i) => {
    pen.fillStyle = luminance(ground) > EVEN ? "#000000" : "#ffffff";
    const x = ((i % columns) + 0.5) * wide,
      y = (Math.floor(i / columns) + 0.5) * high;
    texts(i).forEach((text, row) => pen.fillText(text, x, y + (row - (rows - 1) / 2) * size));
  });
}

function small(colours, columns, lines) {
  const canvas = Object.assign(document.createElement("canvas"), { width: columns, height: lines });
  const pen = canvas.getContext("2d"),
    image = pen.createImageData(columns, lines);
  colours.forEach((parts, i) => image.data.set([...parts, 255], 4 * i));
  pen.putImageData(image, 0, 0);
  return canvas;
}

// The place in the long row at which each of its lines begins.
function number(root, side) {
  const { clientWidth, clientHeight } = root.sheets.flattened;
  const every = Math.ceil(14 / (clientHeight / side));
  const lines = Array.from({ length: Math.ceil(side / every) }, (_, i) => i * every);
  root.querySelector(".lines").replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = 3 * side * line + 1;
      item.style.top = `${(100 * (line + 0.5)) / side}%`;
      return item;
    }),
  );
  const channels = root.querySelector(".channels");
  channels.style.backgroundSize = `${100 / side}% 100%`;
  channels.hidden = clientWidth / side < 4;
}

function say(root) {
  const { data, sheets, value, feature } = root,
    first = 3 * Math.floor(value / 3);
  for (const kind of KINDS) {
    mark(sheets[kind], ".one", chosen(root, kind));
    sheets[kind].ariaValueNow = chosen(root, kind) + 1;
  }
  mark(sheets.flattened, ".three", first, 3);
  const sums = CHANNELS.map((channel, c) => {
    const pixel = data.pixels[first + c],
      result = data.flattened[first + c],
      printed = plain(result, 4);
    const [mean, deviation] = data.colours[c],
      exact = (pixel / 255 - mean) / deviation;
    const sign = Math.abs(Number(printed.replace(MINUS, "-")) - exact) < 1e-9 ? "=" : "≈";
    const text = `${data.labels[channel]} ${data.sums[c].replace("{pixel}", pixel)} ${sign} ${printed}`;
    return line(
      first + c === value ? "chosen" : "",
      tag("i", "", channel),
      tag("span", text),
      tag("small", `${first + c + 1} / ${data.pixels.length}`),
    );
  });
  const made = tag("span", "");
  made.append(
    tag("em", "embedding", "symbol"),
    `[${feature + 1}] = Σ `,
    tag("em", "flattened", "symbol"),
    "[i] · ",
    tag("em", "W", "symbol"),
    tag("sup", "E"),
    `[i, ${feature + 1}]`,
  );
  if (data.bias) made.append(" + ", tag("em", "b", "symbol"), tag("sup", "E"), `[${feature + 1}]`);
  made.append(` ≈ ${plain(data.embedding[feature], 4)}`);
  root.querySelector(".made").replaceChildren(...sums, line("sum", made));
}

function mark(sheet, name, index, span = 1) {
  const { columns, lines } = sheet.plan;
  Object.assign(sheet.querySelector(name).style, {
    left: `${(100 * (index % columns)) / columns}%`,
    top: `${(100 * Math.floor(index / columns)) / lines}%`,
    width: `${(100 * span) / columns}%`,
    height: `${100 / lines}%`,
  });
}

function line(className, ...parts) {
  const element = tag("p", "", className);
  element.append(...parts);
  return element;
}

function tag(name, text, className = "") {
  return Object.assign(document.createElement(name), { textContent: text, className });
}

function luminance(colour) {
  const [r, g, b] = [...colour].map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function floats(text) {
  return new Float32Array(bytes(text).buffer);
}
