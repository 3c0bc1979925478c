import { make, penOf, setText } from "../../shared/dom.js";
import { debounced } from "../hosts/debounce.js";
import { bytes } from "../engine/numbers.js";
import { isWaiting } from "../engine/trace.js";
import { paletteOf } from "../theme.js";
import { SHOWN, copyText, listing } from "./code.js";
import { csvOf, latexOf } from "./matrix.js";
import { figureForm } from "./paper_form.js";
import { paint, pictureOf } from "./picture.js";
import { SvgPen, sizeOf } from "./svg_pen.js";

/** @import { Shown } from "./matrix.js" */

const SCALE = 3,
  LIFETIME = 60_000; // of a PNG; ms after which the browser needs its URL no more
const PRODUCT = "attention-microscope"; // what a file is named after that no page of the app has made
const MADE = 20_000, // cells up to which a table is made to know its size
  OF_CELL = { csv: 20, tex: 9 }; // bytes of larger ones
/** What is offered, by what it is for: all but the last hold the step that is shown. */
const OFFERED = {
  picture: ["png", "svg"],
  paper: ["paper_svg", "paper_pdf", "paper_png"],
  matrix: ["csv", "tex"],
  whole: ["html", "layers_html", "xlsx", "ipynb", "npz"],
};

/** All that can be taken along: what is made here of the step that is shown, and files that the page makes.
 *
 * @param {Store} store @param {{ page?: PageFiles }} given
 * @returns {ShownPart}
 */
export function save(store, { page }) {
  const hint = make("p", "quiet"),
    refused = make("p", "refused", "", { role: "status" }),
    canvas = make("canvas", "", "", { role: "img" }),
    form = figureForm(store, () => {
      forget((format) => OFFERED.paper.includes(format));
      label();
    }),
    title = make("summary"),
    again = make("details", "again"),
    bars = make("div"),
    element = make("div", "save", [hint, bars, refused, make("div", "room", [canvas])]);
  /** @type {Record<string, () => Blob | Promise<Blob>>} */
  const here = {
    png: () => pngOf(store, element),
    svg: () => new Blob([svgOf(store, element)], { type: "image/svg+xml" }),
    csv: () => new Blob([csvOf(store.trace, shownIn(store))], { type: "text/csv" }),
    tex: () => new Blob([latexOf(store.trace, shownIn(store))]),
  };
  /** @type {Record<string, HTMLButtonElement>} */
  const buttons = {};
  /** By format, as it is printed: of what was made, and else about. @type {Record<string, string>} */
  let sizes = {},
    measured = "", // what the sizes of what is shown are of
    script = "",
    wanted = ""; // the format that waits for numbers
  const { rest, stop } = debounced(weigh);

  /** @param {(format: string) => boolean} isOld */
  function forget(isOld) {
    sizes = Object.fromEntries(Object.entries(sizes).filter(([format]) => !isOld(format)));
  }

  /** What is offered: bars of buttons, laid out anew only for another trace, since someone may be typing in one. */
  function lay() {
    const { picture_hint, take, take_for, copy_link, copied, again: summary } = store.trace.sheets.words,
      { offers = {}, hosted = false } = page?.offered() ?? {};
    const isThere = (/** @type {string} */ format) =>
      format in here || (page && (format !== "layers_html" || format in offers));
    hint.textContent = picture_hint;
    title.textContent = summary;
    for (const format of Object.keys(take)) {
      buttons[format] ??= make("button", "file", "", { onclick: () => taken(format) });
      buttons[format].dataset.format = format;
    }
    const link = hosted ? [linkButton(copy_link, copied)] : [];
    /** @type {Record<string, HTMLElement[]>} */
    const beside = { paper: [form.element], whole: link };
    bars.replaceChildren();
    for (const [use, formats] of Object.entries(OFFERED)) {
      const offered = formats.filter(isThere).map((format) => buttons[format]);
      if (offered.length) bars.append(barOf(use, take_for[use], [...(beside[use] ?? []), ...offered]));
      if (offered.length && use === "paper") bars.append(again);
    }
  }

  /** What stands on the buttons, and in the script. */
  function label() {
    const { words } = store.trace.sheets,
      { offers = {}, title: named = "" } = page?.offered() ?? {},
      estimated = form.sizes();
    for (const [format, button] of Object.entries(buttons)) {
      const about = estimated[format] && words.about_size.replace("{size}", estimated[format]),
        size = sizes[format] ?? offers[format] ?? about,
        file = words.take[format];
      setText(button, size ? words.of_size.replace("{file}", file).replace("{size}", size) : file);
    }
    const npz = nameOf(store, "npz"),
      text = form.snippet(npz, nameOf(store, "paper_svg", form.words()), named);
    if (text === script) return;
    script = text;
    const before = make("p", "quiet", words.again_hint.replace("{file}", npz));
    again.replaceChildren(title, before, listing({ text }, words));
  }

  /** The sizes of what is made here, once the reader rests. */
  async function weigh() {
    if (!store.isHere || !element.isConnected) return;
    const { trace, stage } = store,
      [rows, columns] = store.drawnRoles(stage).map((role) => (role ? trace.size(stage, role) : 1)),
      { about_size } = trace.sheets.words;
    /** @type {Record<string, string>} */
    const found = {};
    for (const format of Object.keys(here)) {
      const each = rows * columns > MADE && OF_CELL[/** @type {"csv" | "tex"} */ (format)],
        blob = each ? null : await made(format);
      if (each) found[format] = about_size.replace("{size}", bytes(each * rows * columns));
      else if (blob) found[format] = bytes(blob.size);
    }
    if (trace !== store.trace || stage !== store.stage) return;
    Object.assign(sizes, found);
    label();
  }

  /**
   * What is made here; null where numbers have not come yet: there is a change once they have.
   * @param {string} format
   */
  function made(format) {
    /** @type {(Blob | Promise<Blob>)[]} */
    const found = [];
    isWaiting(() => found.push(here[format]()));
    return found[0] ?? null;
  }

  /** @param {string} format */
  async function taken(format) {
    if (format in here) {
      const blob = await made(format);
      if (blob) keep(blob, nameOf(store, format));
      else wanted = format;
    }
    if (format in here || !page) return;
    for (const button of Object.values(buttons)) button.disabled = true;
    const { bytes: file, size, refused: why } = await page.ask(format, form.asked);
    for (const button of Object.values(buttons)) button.disabled = false;
    refused.textContent = why;
    if (why) return;
    sizes[format] = size;
    label();
    keep(new Blob([file]), nameOf(store, format, format in form.sizes() ? form.words() : []));
  }

  /** @param {Set<What>} what */
  const changed = (what) => {
    if ([...what].every((one) => one === "hover")) return;
    const { trace, stage, head } = store,
      now = [trace.id, stage, head].join();
    if (what.has("trace")) sizes = {};
    else if (now !== measured) forget((format) => !OFFERED.whole.includes(format));
    measured = now;
    if (what.has("trace")) refused.textContent = "";
    if (what.has("trace")) lay();
    form.changed();
    label();
    for (const format of Object.keys(here)) buttons[format].disabled = !store.isHere;
    canvas.hidden = !store.isHere;
    rest();
    if (store.isHere) show(store, element, canvas);
    if (!wanted) return;
    const format = wanted;
    wanted = "";
    taken(format);
  };
  return { element, changed, destroy: stop };
}

/** @param {string} named @param {string} copied */
function linkButton(named, copied) {
  const button = make("button", "", named);
  button.onclick = async () => {
    await copyText(location.href, button);
    setText(button, copied);
    setTimeout(() => setText(button, named), SHOWN);
  };
  return button;
}

/** @param {string} use @param {string} named @param {HTMLElement[]} inside */
function barOf(use, named, inside) {
  const bar = make("div", "bar", [make("span", "quiet", named), ...inside], { role: "group", ariaLabel: named });
  bar.dataset.use = use;
  return bar;
}

/**
 * The matrix of the step that is shown.
 * @param {Store} store @returns {Shown}
 */
function shownIn(store) {
  const { stage } = store,
    [rows, columns] = store.drawnRoles(stage);
  return { stage, at: store.pointed({ hover: null }), rows, columns };
}

/**
 * A file's name: the page, the part of the model, and of a single step that and its head.
 * @param {Store} store @param {string} format  an extension, behind what the file is for
 * @param {string[]} [figure]  what is in a figure for a paper, in place of the head
 */
function nameOf({ trace, stage, head }, format, figure) {
  const page = location.protocol.startsWith("http") ? location.pathname.split("/").at(-1) : "",
    part = new URLSearchParams(location.search).get("part") ?? "",
    [extension, use = ""] = format.split("_").reverse();
  const one = trace.headsOf(stage) > 1 ? [`head-${head + 1}`] : [],
    step = OFFERED.whole.includes(format) ? [] : [stage, ...(figure ?? one)];
  const words = [page || PRODUCT, use === "layers" ? "all-layers" : part, ...step]
    .filter(Boolean)
    .map((word) => word.replace(/[^\p{L}\p{N}_-]+/gu, "-"));
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
