import { rgb } from "../microscope/theme.js";

/**
 * @import { Cell } from "./photo.js"
 * @typedef {{ indices: Uint32Array, factors: Float32Array }} Contrast
 */

// Of the light of a screen, what the weight 0 and the largest get: the photo's own contrast goes beyond both.
const FLOOR = 0.03,
  CEILING = 0.75;
const CONTRAST = 0.7,
  DEEPEST = 0.85; // of the mean light of a patch
const NOISE = 0.03; // deviation of the lightness within a patch, 0 … 1, that is hardly drawn

const LINEAR = Float32Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const STEPS = 1 << 14;
const ENCODED = Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS;
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
});

/**
 * The colour of a position on the scale of weights, 0 … 1, as linear light. stops: the colours of the scale.
 * @param {string[]} stops @param {number} part
 */
function lightOf(stops, part) {
  const at = part * (stops.length - 1),
    low = Math.min(stops.length - 2, Math.floor(at)),
    [from, to] = [low, low + 1].map((stop) => rgb(stops[stop]).map((value) => LINEAR[value]));
  return from.map((value, i) => FLOOR + (CEILING - FLOOR) * (value + (to[i] - value) * (at - low)));
}

/** @param {number} light linear, 0 … 1 */
const encoded = (light) => ENCODED[(STEPS * light + 0.5) | 0];

/**
 * The same colour as red, green and blue, 0 … 255.
 * @param {string[]} stops @param {number} part
 */
export const colourOf = (stops, part) => lightOf(stops, part).map(encoded);

/**
 * What a photo leaves of itself in an overlay: by patch its pixels, and a factor for each, of which the mean is 1.
 *
 * A black patch and a white one get as much light, and each shows the contrast within itself.
 * pixels: red, green, blue, alpha. width: of the photo in pixels.
 * @param {Uint8ClampedArray} pixels @param {number} width @param {Cell[]} cells @returns {Contrast[]}
 */
export function contrastOf(pixels, width, cells) {
  return cells.map(({ x, y, wide, high }) => {
    const indices = Uint32Array.from({ length: wide * high }, (_, i) => {
      return (y + Math.floor(i / wide)) * width + x + (i % wide);
    });
    const tones = Float32Array.from(indices, (index) => lightness(pixels, index)),
      mean = meanOf(tones),
      deviation = Math.sqrt(meanOf(tones.map((tone) => (tone - mean) ** 2))),
      bent = tones.map((tone) => CONTRAST * Math.tanh((tone - mean) / (1.5 * (deviation + NOISE)))),
      middle = meanOf(bent),
      [low, most] = bent.reduce(([low, most], one) => [Math.min(low, one), Math.max(most, one)], [0, 0]),
      strength = Math.min(1, DEEPEST / (middle - low || 1), (1 / CEILING - 1) / (most - middle || 1));
    return { indices, factors: bent.map((one) => 1 + strength * (one - middle)) };
  });
}

/**
 * Paints every patch in the light of its weight, whatever the photo; into red, green, blue, alpha.
 *
 * parts: of the weights, by patch, on their scale, 0 … 1.
 * @param {Uint8ClampedArray} pixels @param {Contrast[]} contrasts @param {string[]} stops @param {ArrayLike<number>} parts
 */
export function paint(pixels, contrasts, stops, parts) {
  contrasts.forEach(({ indices, factors }, patch) => {
    const [red, green, blue] = lightOf(stops, parts[patch]);
    for (let i = 0; i < indices.length; i++) {
      const at = 4 * indices[i],
        factor = factors[i];
      pixels[at] = encoded(red * factor);
      pixels[at + 1] = encoded(green * factor);
      pixels[at + 2] = encoded(blue * factor);
      pixels[at + 3] = 255;
    }
  });
}

/** @param {Float32Array} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {Uint8ClampedArray} pixels @param {number} i */
const lightness = (pixels, i) =>
  (0.2126 * pixels[4 * i] + 0.7152 * pixels[4 * i + 1] + 0.0722 * pixels[4 * i + 2]) / 255;
