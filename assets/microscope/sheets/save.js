import { make, penOf } from "../../shared/dom.js";
import { paletteOf } from "../theme.js";
import { paint, pictureOf } from "./picture.js";
import { SvgPen, sizeOf } from "./svg_pen.js";

const SCALE = 3,
  LIFETIME = 60_000; // of a PNG; ms after which the browser needs its URL no more
const PAGE = "attention-microscope.html";

/** The step as a picture to keep: shown, and saved as PNG or as SVG; and the whole page as a file.
 *
 * @param {Store} store @param {{ page?: PageFile }} given
 * @returns {ShownPart}
 */
export function save(store, { page } = {}) {
  const hint = make("p", "quiet"),
    png = make("button"),
    svg = make("button"),
    file = make("button", "file"),
    canvas = make("canvas", "", "", { role: "img" }),
    bar = make("div", "bar", [hint, png, svg, ...(page ? [file] : [])]),
    element = make("div", "save", [bar, make("div", "room", [canvas])]);
  png.onclick = async () => keep(await pngOf(store, element), `${store.stage}.png`);
  svg.onclick = () => keep(new Blob([svgOf(store, element)], { type: "image/svg+xml" }), `${store.stage}.svg`);
  if (page) file.onclick = () => keepPage(store, file, page);
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) label(store.trace.sheets.words, hint, { PNG: png, SVG: svg }, file);
    if ([...what].every((one) => one === "hover")) return;
    for (const button of [png, svg]) button.disabled = !store.isHere;
    canvas.hidden = !store.isHere;
    if (store.isHere) show(store, element, canvas);
  };
  return { element, changed };
}

/** @param {Sheets["words"]} given @param {HTMLElement} hint @param {Record<string, HTMLElement>} buttons @param {HTMLButtonElement} file */
function label({ picture_hint, save_as, save_page }, hint, buttons, file) {
  hint.textContent = picture_hint;
  file.textContent = save_page;
  file.disabled = false;
  for (const [format, button] of Object.entries(buttons)) button.textContent = save_as.replace("{format}", format);
}

/**
 * The file is made when it is asked for; from then on its size stands on the button.
 * @param {Store} store @param {HTMLButtonElement} button @param {PageFile} page
 */
async function keepPage(store, button, page) {
  button.disabled = true;
  const { bytes, size } = await page();
  button.disabled = false;
  button.textContent = store.trace.sheets.words.page_of.replace("{size}", size);
  keep(new Blob([bytes], { type: "text/html" }), PAGE);
}

/** @param {Store} store @param {HTMLElement} element @param {HTMLCanvasElement} canvas */
function show(store, element, canvas) {
  const picture = drawnBy(store, element);
  canvas.style.width = `${picture.width}px`;
  canvas.ariaLabel = store.trace.stage(store.stage).called;
  fill(canvas, picture, devicePixelRatio || 1, faceOf(element));
}

/**
 * The step without hover effects.
 * @param {Store} store @param {HTMLElement} element
 */
function drawnBy(store, element) {
  const { trace, stage, locked, resultHidden } = store,
    at = store.pointed({ hover: null });
  return pictureOf(trace, { stage, at, rest: store.rest, locked, resultHidden }, paletteOf(element, trace));
}

/**
 * @param {HTMLCanvasElement} canvas @param {ReturnType<typeof pictureOf>} picture @param {number} scale
 * @param {string} face
 */
function fill(canvas, picture, scale, face) {
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = penOf(canvas, face);
  pen.scale(scale, scale);
  paint(pen, picture);
}

/**
 * @param {Store} store @param {HTMLElement} element
 * @returns {Promise<Blob>}
 */
function pngOf(store, element) {
  const canvas = make("canvas");
  fill(canvas, drawnBy(store, element), SCALE, faceOf(element));
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new RangeError("too large for a picture"))), "image/png"),
  );
}

/** @param {Store} store @param {HTMLElement} element */
function svgOf(store, element) {
  const picture = drawnBy(store, element),
    ruler = penOf(make("canvas")),
    { width, height } = picture;
  const pen = new SvgPen({ width, height, face: faceOf(element), ruler, hrefOf });
  paint(pen, picture);
  return pen.toString();
}

/** @param {Picture} image */
function hrefOf(image) {
  const canvas = make("canvas", "", "", sizeOf(image));
  penOf(canvas).drawImage(image, 0, 0);
  return canvas.toDataURL();
}

/** @param {HTMLElement} element */
const faceOf = (element) => getComputedStyle(element).fontFamily;

/** @param {Blob} blob @param {string} name */
function keep(blob, name) {
  const link = make("a", "", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LIFETIME);
}
