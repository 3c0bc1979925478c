import { make, penOf } from "../../shared/dom.js";
import { paletteOf } from "../theme.js";
import { paint, pictureOf } from "./picture.js";
import { SvgPen, sizeOf } from "./svg_pen.js";

const SCALE = 3,
  LIFETIME = 60_000; // of a PNG; ms after which the browser needs its URL no more
const PRODUCT = "attention-microscope"; // what a file is named after that no page of the app has made
/** What is offered, by what it is for: all but the last hold the step that is shown. */
const OFFERED = {
  picture: ["png", "svg"],
  paper: ["paper_svg", "paper_pdf", "paper_png"],
  heads: ["heads_svg", "heads_pdf"],
  matrix: ["csv", "tex"],
  whole: ["html", "xlsx", "ipynb", "npz"],
};

/** All that can be taken along: the step as a picture, which is shown, and files that the page makes.
 *
 * @param {Store} store @param {{ page?: PageFile }} given
 * @returns {ShownPart}
 */
export function save(store, { page } = {}) {
  const hint = make("p", "quiet"),
    refused = make("p", "refused", "", { role: "status" }),
    canvas = make("canvas", "", "", { role: "img" }),
    bars = make("div"),
    element = make("div", "save", [hint, bars, refused, make("div", "room", [canvas])]);
  /** @type {Record<string, HTMLButtonElement>} */
  const pictures = {
    png: make("button", "", "", { onclick: async () => keep(await pngOf(store, element), nameOf(store, "png")) }),
    svg: make("button", "", "", {
      onclick: () => keep(new Blob([svgOf(store, element)], { type: "image/svg+xml" }), nameOf(store, "svg")),
    }),
  };
  /** @type {Record<string, HTMLButtonElement>} */
  let files = {};
  /** @param {Sheets["words"]} words */
  function label({ picture_hint, take, take_for }) {
    hint.textContent = picture_hint;
    refused.textContent = "";
    const formats = Object.keys(take).filter((format) => !(format in pictures));
    files = page ? Object.fromEntries(formats.map((format) => [format, fileButton(format, page)])) : {};
    /** @type {Record<string, HTMLButtonElement>} */
    const all = { ...pictures, ...files };
    for (const [format, button] of Object.entries(all)) button.textContent = take[format];
    const offered = Object.entries(OFFERED).filter(([, [format]]) => format in all);
    bars.replaceChildren(
      ...offered.map(([use, formats]) =>
        barOf(
          use,
          take_for[use],
          formats.map((one) => all[one]),
        ),
      ),
    );
  }
  /** @param {string} format @param {PageFile} page */
  function fileButton(format, page) {
    const button = make("button", "file", "", { onclick: () => keepFile(format, button, page) });
    button.dataset.format = format;
    return button;
  }
  /**
   * A file is made when it is asked for; from then on its size stands on the button.
   * @param {string} format @param {HTMLButtonElement} button @param {PageFile} page
   */
  async function keepFile(format, button, page) {
    for (const one of Object.values(files)) one.disabled = true;
    const { bytes, size, refused: why } = await page(format);
    for (const one of Object.values(files)) one.disabled = false;
    refused.textContent = why;
    if (why) return;
    button.textContent = store.trace.sheets.words.of_size
      .replace("{file}", store.trace.sheets.words.take[format])
      .replace("{size}", size);
    keep(new Blob([bytes]), nameOf(store, format));
  }
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) label(store.trace.sheets.words);
    if ([...what].every((one) => one === "hover")) return;
    for (const button of Object.values(pictures)) button.disabled = !store.isHere;
    const heads = bars.querySelector("[data-use=heads]");
    if (heads instanceof HTMLElement) heads.hidden = store.trace.headsOf(store.stage) < 2;
    canvas.hidden = !store.isHere;
    if (store.isHere) show(store, element, canvas);
  };
  return { element, changed };
}

/** @param {string} use @param {string} named @param {HTMLElement[]} buttons */
function barOf(use, named, buttons) {
  const bar = make("div", "bar", [make("span", "quiet", named), ...buttons], { role: "group", ariaLabel: named });
  bar.dataset.use = use;
  return bar;
}

/**
 * A file's name: the page, the part of the model, and of a single step that, its head and what the figure is for.
 * @param {Store} store @param {string} format  an extension, behind what the figure is for
 */
function nameOf({ trace, stage, head }, format) {
  const page = location.protocol.startsWith("http") ? location.pathname.split("/").at(-1) : "",
    part = new URLSearchParams(location.search).get("part") ?? "",
    [extension, use = ""] = format.split("_").reverse();
  const one = trace.headsOf(stage) > 1 && use !== "heads" ? `head-${head + 1}` : "",
    step = OFFERED.whole.includes(format) ? [] : [stage, one, use];
  const words = [page || PRODUCT, part, ...step].filter(Boolean).map((word) => word.replace(/[^\p{L}\p{N}_-]+/gu, "-"));
  return `${words.join("-")}.${extension}`;
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
