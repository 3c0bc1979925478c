import { memo } from "./engine/memo.js";

/**
 * The palette of the theme of an element, determined by its text colour.
 * @template Colours
 * @param {Element} element @param {{ palettes: { light: Colours, dark: Colours } }} shown
 */
export function paletteOf(element, { palettes }) {
  const text = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return palettes[digitsOn(text) === "#000000" ? "dark" : "light"];
}

/** @type {Map<string, Ramp>} */
const ramps = new Map();
/** @type {Map<string, Paint[]>} */
const paints = new Map();
const LEVELS = 256; // along a scale
export const MASKED = LEVELS; // the paint of a masked cell

/**
 * 256 colours of a scale as [r, g, b].
 * @param {{ kind: ScaleKind }} scale @param {Palette} palette
 */
export function rampOf(scale, palette) {
  const stops = stopsOf(scale, palette);
  return memo(ramps, stops.join(), () => made(stops.map(rgb)));
}

/**
 * The colours of ground and digits of a cell, by its level on the scale.
 * @param {{ kind: ScaleKind }} scale @param {Palette} palette
 */
export function paintsOf(scale, palette) {
  const { masked, ink } = palette,
    name = [...stopsOf(scale, palette), masked, ink].join();
  return memo(paints, name, () =>
    [...rampOf(scale, palette), rgb(masked)].map((colour, level) => ({
      ground: css(colour),
      digits: level === MASKED ? ink : digitsOn(colour),
    })),
  );
}

/** @param {{ kind: ScaleKind }} scale @param {Palette} palette */
function stopsOf({ kind }, palette) {
  if (kind === "flag") return [palette.masked, palette.ground];
  return kind === "number" ? [palette.ground, palette.ground] : palette[kind];
}

/** @param {Colour[]} stops */
function made(stops) {
  return Array.from({ length: LEVELS }, (_, i) => {
    const at = (i / (LEVELS - 1)) * (stops.length - 1),
      low = Math.min(stops.length - 2, Math.floor(at));
    return stops[low].map((part, channel) => Math.round(part + (stops[low + 1][channel] - part) * (at - low)));
  });
}

/**
 * The level of a value on its colour scale, 0 … 255.
 * @param {Scale} scale @param {number} value
 */
export const levelOf = (scale, value) => Math.round(partOf(scale, value) * 255);

/**
 * The position of a value on its colour scale, 0 … 1; Scale.positions in views/figures/scale.py has it × 255.
 * @param {Scale} scale @param {number} value
 */
export function partOf({ kind, low, high, root }, value) {
  const part = Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  if (!root) return part;
  return kind === "signed" ? (1 + Math.sign(part - 0.5) * Math.sqrt(Math.abs(2 * part - 1))) / 2 : Math.sqrt(part);
}

/** @param {string} colour */
export function rgb(colour) {
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}

/** @param {Colour} colour */
export function css([r, g, b]) {
  return `rgb(${r} ${g} ${b})`;
}

/** @param {Colour} colour @param {Colour} other @param {number} part */
export function mixed(colour, other, part) {
  return colour.map((value, i) => Math.round(value + (other[i] - value) * part));
}

/**
 * Black or white, by the higher contrast (WCAG 2.2, 1.4.3): √21 at least.
 * @param {Colour} colour
 */
export function digitsOn(colour) {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05 >= Math.sqrt(1.05 * 0.05) ? "#000000" : "#ffffff";
}
