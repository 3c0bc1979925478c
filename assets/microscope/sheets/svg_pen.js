/** @typedef {Record<string, string | number | undefined>} Attributes */

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** @type {Record<string, string>} */
const ANCHORS = { left: "start", center: "middle", right: "end" };
const RGB = /^rgb\((\d+) (\d+) (\d+)\)$/;
const FONT = /^(?:(italic) )?(?:(\d+) )?([\d.]+)px (.+)$/;
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // no XML may hold them

/** @param {number} number */
const plain = (number) => String(Math.round(number * 100) / 100);
/** @param {string} text */
const escaped = (text) =>
  text
    .toWellFormed()
    .replace(UNFIT, "\ufffd")
    .replace(/[&<>"]/g, (sign) => ESCAPED[sign]);

/**
 * The size of a picture in its own pixels.
 * @param {Picture} image
 */
export const sizeOf = (image) =>
  "naturalWidth" in image
    ? { width: image.naturalWidth, height: image.naturalHeight }
    : { width: image.width, height: image.height };

/** Colours along a line; id: by which they are named once they are drawn. */
class SvgGradient {
  /** @type {[offset: number, colour: string][]} */
  stops = [];
  id = "";

  /** @param {Attributes} ends */
  constructor(ends) {
    this.ends = ends;
  }

  /** @param {number} at @param {string} colour */
  addColorStop(at, colour) {
    this.stops.push([at, colour]);
  }
}

/** A pen with as much of a canvas's as a step is drawn with, that writes SVG. */
export class SvgPen {
  /** @type {CanvasPen["fillStyle"]} */
  fillStyle = "#000000";
  /** @type {CanvasPen["strokeStyle"]} */
  strokeStyle = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  /** @type {CanvasTextAlign} */
  textAlign = "left";
  /** @type {CanvasTextBaseline} */
  textBaseline = "alphabetic";
  imageSmoothingEnabled = true;
  /** @type {number[]} */
  dash = [];
  /** @type {string[]} */
  turned = [];
  /** @type {string | null} */
  clipped = null;
  /** @type {object[]} */
  saved = [];
  /** @type {string[]} */
  path = [];
  /** @type {string[]} */
  defs = [];
  /** @type {string[]} */
  drawn = [];
  /** @type {Map<Picture, string>} */
  pictures = new Map();

  /**
   * @param {{ width: number, height: number, face: string, ruler: CanvasRenderingContext2D,
   *   hrefOf(image: Picture): string }} options  ruler: measures texts, for SVG cannot;
   *   hrefOf: gives a picture as the address that is written down, its size in ``width``, ``height``.
   */
  constructor({ width, height, face, ruler, hrefOf }) {
    this.width = width;
    this.height = height;
    this.face = face;
    this.ruler = ruler;
    this.hrefOf = hrefOf;
  }

  save() {
    const { path, defs, drawn, ...state } = this;
    this.saved.push(state);
  }

  restore() {
    Object.assign(this, this.saved.pop());
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.turned = [...this.turned, `translate(${plain(x)} ${plain(y)})`];
  }

  /** @param {number} angle */
  rotate(angle) {
    this.turned = [...this.turned, `rotate(${plain((angle * 180) / Math.PI)})`];
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = [];
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path.push(`M${plain(x)} ${plain(y)}`);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path.push(`L${plain(x)} ${plain(y)}`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path.push(`M${plain(x)} ${plain(y)}h${plain(width)}v${plain(height)}h${plain(-width)}z`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    if (r <= 0) return this.rect(x, y, width, height);
    /** @param {number} right @param {number} down */
    const arc = (right, down) => `a${plain(r)} ${plain(r)} 0 0 1 ${plain(right)} ${plain(down)}`;
    const [across, along] = [width - 2 * r, height - 2 * r].map(plain);
    this.path.push(`M${plain(x + r)} ${plain(y)}h${across}${arc(r, r)}v${along}${arc(-r, r)}`);
    return this.path.push(`h-${across}${arc(-r, -r)}v-${along}${arc(r, -r)}z`);
  }

  fill() {
    this.put("path", { d: this.path.join(""), fill: this.colour(this.fillStyle) });
  }

  stroke() {
    const dash = this.dash.length ? { "stroke-dasharray": this.dash.join(" ") } : {};
    const line = { stroke: this.colour(this.strokeStyle), "stroke-width": plain(this.lineWidth), ...dash };
    this.put("path", { d: this.path.join(""), fill: "none", ...line });
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.apart(() => {
      this.rect(x, y, width, height);
      this.fill();
    });
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.apart(() => {
      this.rect(x, y, width, height);
      this.stroke();
    });
  }

  /**
   * What a canvas draws at once does not touch the path that has begun.
   * @param {() => void} draw
   */
  apart(draw) {
    const { path } = this;
    this.path = [];
    draw();
    this.path = path;
  }

  clip() {
    const id = this.named("clip"),
      outline = element("path", { d: this.path.join(""), ...this.transform() });
    this.defs.push(element("clipPath", { id, ...this.around() }, outline));
    this.clipped = id;
  }

  /** @param {string} text */
  measureText(text) {
    Object.assign(this.ruler, { font: this.font, textBaseline: this.textBaseline });
    return this.ruler.measureText(text);
  }

  /**
   * Not all that shows SVG knows of baselines, so the text is moved to where its own one comes.
   * @param {string} text @param {number} x @param {number} y @param {number} [most] its width at most
   */
  fillText(text, x, y, most = Infinity) {
    const { alphabeticBaseline: down, width } = this.measureText(text);
    const closer = width > most ? { textLength: plain(most), lengthAdjust: "spacingAndGlyphs" } : {};
    const [, italic, weight, size, face] = FONT.exec(this.font) ?? [];
    const style = { "font-style": italic, "font-weight": weight, "font-size": size };
    const family = face === this.face ? {} : { "font-family": face },
      anchor = ANCHORS[this.textAlign];
    const begins = this.textAlign === "left" ? x + this.blank(text) : x;
    const at = { x: plain(begins), y: plain(y - down), "text-anchor": anchor };
    this.put("text", { ...at, ...closer, ...style, ...family, fill: this.colour(this.fillStyle) }, escaped(text));
  }

  /**
   * How wide the space is before a text: in SVG nothing stands there.
   * @param {string} text
   */
  blank(text) {
    return this.measureText(text.slice(0, text.length - text.trimStart().length)).width;
  }

  /**
   * @param {Picture} image @param {number} left @param {number} top @param {number} wide @param {number} high
   * @param {number} x @param {number} y @param {number} width @param {number} height
   */
  drawImage(image, left, top, wide, high, x, y, width, height) {
    const id = this.pictureOf(image),
      part = [left, top, wide, high].map(plain).join(" ");
    const box = { x: plain(x), y: plain(y), width: plain(width), height: plain(height), viewBox: part };
    const style = this.imageSmoothingEnabled ? {} : { style: "image-rendering:pixelated" };
    const whole = element("use", { "xlink:href": `#${id}`, ...style });
    this.put("g", {}, element("svg", { ...box, preserveAspectRatio: "none" }, whole));
  }

  /**
   * Many small pictures are cut from one.
   * @param {Picture} image
   */
  pictureOf(image) {
    if (!this.pictures.has(image)) {
      const id = this.named("picture");
      this.defs.push(element("image", { id, ...sizeOf(image), "xlink:href": this.hrefOf(image) }));
      this.pictures.set(image, id);
    }
    return this.pictures.get(image);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
  createLinearGradient(x1, y1, x2, y2) {
    return new SvgGradient({ x1: plain(x1), y1: plain(y1), x2: plain(x2), y2: plain(y2) });
  }

  /** The picture as SVG text. */
  toString() {
    const [width, height] = [this.width, this.height].map(plain),
      viewBox = `0 0 ${width} ${height}`;
    const page = {
      xmlns: "http://www.w3.org/2000/svg",
      "xmlns:xlink": "http://www.w3.org/1999/xlink", // Inkscape 1.2 knows no other href
      width,
      height,
      viewBox,
      "xml:space": "preserve",
    };
    const defs = element("defs", {}, this.defs.join(""));
    return element("svg", { ...page, "font-family": this.face }, defs + this.drawn.join(""));
  }

  /** @param {string} tag @param {Attributes} attributes @param {string} [inside] */
  put(tag, attributes, inside = "") {
    const opacity = this.globalAlpha < 1 ? { opacity: plain(this.globalAlpha) } : {};
    const drawn = element(tag, { ...attributes, ...opacity, ...this.transform() }, inside);
    this.drawn.push(this.clipped ? element("g", this.around(), drawn) : drawn);
  }

  transform() {
    return this.turned.length ? { transform: this.turned.join(" ") } : {};
  }

  around() {
    return this.clipped ? { "clip-path": `url(#${this.clipped})` } : {};
  }

  /** @param {string} kind */
  named(kind) {
    return `${kind}${this.defs.length + 1}`;
  }

  /**
   * Colours in the notation that every reader of SVG knows; a gradient by its name.
   * @param {CanvasPen["fillStyle"]} style
   * @returns {string}
   */
  colour(style) {
    if (style instanceof SvgGradient) return this.gradient(style);
    const written = String(style),
      parts = RGB.exec(written)?.slice(1);
    return parts ? `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}` : written;
  }

  /** @param {SvgGradient} style */
  gradient(style) {
    if (!style.id) {
      style.id = this.named("gradient");
      /** @param {[offset: number, colour: string]} given */
      const stopOf = ([offset, colour]) => element("stop", { offset, "stop-color": this.colour(colour) });
      const ends = { gradientUnits: "userSpaceOnUse", ...style.ends };
      this.defs.push(element("linearGradient", { id: style.id, ...ends }, style.stops.map(stopOf).join("")));
    }
    return `url(#${style.id})`;
  }
}

/** @param {string} tag @param {Attributes} attributes @param {string} [inside] */
function element(tag, attributes, inside = "") {
  const written = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const opening = [tag, ...written.map(([name, value]) => `${name}="${escaped(String(value))}"`)].join(" ");
  return inside ? `<${opening}>${inside}</${tag}>` : `<${opening}/>`;
}
