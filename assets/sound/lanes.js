import { make, penOf } from "../shared/dom.js";
import { css, mixed, rampOf, rgb } from "../microscope/theme.js";
import { pixelsOf } from "../shared/pixels.js";
import { along, gradient } from "../shared/scale.js";

/**
 * A frame's row of weights on their scale, and which of them a mask allows; of all frames, also those not drawn.
 * Without a row no moment is faded.
 * @typedef {{ largest: number, root: boolean, printed: string }} WeightScale
 * @typedef {{ row: ArrayLike<number> | null, allowed: Uint8Array | null, scale: WeightScale }} Looked
 */

// Heights in pixels, from the top: waveform, spectrogram, strip of weights, seconds.
const LANES = { wave: 48, bands: 76, strip: 14, ticks: 17 };
const GAP = 5;
const HEIGHT = LANES.wave + LANES.bands + LANES.strip + LANES.ticks + 2 * GAP;
const FAINT = 0.2; // what is left of a moment that is not looked at
const HATCH = 5;
const BAR_STOPS = 13;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const NARROWEST = 52; // between two seconds that are written

/**
 * Draws all lanes of the time axis, faded by the weights.
 * @param {HTMLCanvasElement} canvas @param {Sound} sound @param {Looked} looked @param {Palette} palette
 */
export function draw(canvas, sound, { row, allowed, scale }, palette) {
  const ratio = window.devicePixelRatio || 1,
    width = canvas.clientWidth,
    pen = penOf(canvas);
  if (!width) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  pen.scale(ratio, ratio);
  const parts = row ? Array.from({ length: sound.tokens }, (_, i) => along(scale, row[i])) : [],
    card = palette.card;
  const tops = { wave: 0, bands: LANES.wave + GAP, strip: LANES.wave + LANES.bands + 2 * GAP };
  wave(pen, sound, width, palette);
  bands(pen, sound, tops.bands, width, palette);
  fade(
    pen,
    parts,
    card,
    [
      [0, LANES.wave],
      [tops.bands, LANES.bands],
    ],
    width,
  );
  strip(pen, parts, tops.strip, width, rampOf({ kind: "share" }, palette));
  hatchMasked(pen, allowed?.subarray(0, sound.tokens) ?? null, width, palette, tops.strip);
  seconds(pen, sound, width, palette);
}

/**
 * The colours of the weights as a bar, and the frequencies at the ends of the spectrogram, over the lanes.
 * @returns {{
 *   bar: HTMLElement, hertz: HTMLElement, name(scale: WeightScale, title: string): void,
 *   draw(sound: Sound, scale: WeightScale, palette: Palette): void,
 * }}
 */
export function legend() {
  const ramp = make("div"),
    end = make("small"),
    bar = make("div", "bar", [make("small", "", "0"), ramp, end]),
    hertz = make("div", "hertz");
  hertz.style.top = `${LANES.wave + GAP}px`;
  hertz.style.height = `${LANES.bands}px`;
  return {
    bar,
    hertz,
    name({ printed }, title) {
      end.textContent = printed;
      bar.title = title;
    },
    draw({ names }, scale, { share }) {
      ramp.style.background = gradient(BAR_STOPS, (part) => {
        return share[Math.min(4, Math.round(4 * along(scale, scale.largest * part)))];
      });
      hertz.replaceChildren(...[names.at(-1), names[0]].map((name) => make("small", "", name)));
    },
  };
}

/**
 * Lays a mark over a token of the lanes, and hides it for none.
 * @param {HTMLElement} mark @param {Sound} sound @param {number | null} token
 */
export function layOver(mark, { tokens }, token) {
  mark.hidden = token === null || token >= tokens;
  if (token === null) return;
  mark.style.left = `${(100 * token) / tokens}%`;
  mark.style.width = `max(2px, ${100 / tokens}%)`;
}

/**
 * Moves the line of what is heard, and hides it in silence. at: in seconds.
 * @param {HTMLElement} head @param {Sound | null | undefined} sound @param {number | null} at
 */
export function moveHead(head, sound, at) {
  head.hidden = at === null;
  if (at !== null && sound)
    head.style.left = `${Math.min(100, (100 * at * sound.rate) / (sound.tokens * sound.pool * sound.hop))}%`;
}

/** @param {CanvasRenderingContext2D} pen @param {Sound} sound @param {number} width @param {Palette} palette */
function wave(pen, sound, width, { ink }) {
  const { samples, hop, pool, tokens, loudest } = sound,
    middle = LANES.wave / 2,
    each = (hop * pool * tokens) / width;
  pen.fillStyle = ink;
  for (let x = 0; x < width; x++) {
    const from = Math.floor(x * each),
      to = Math.min(samples.length, Math.max(from + 1, Math.floor((x + 1) * each)));
    if (from >= samples.length) break;
    let low = samples[from],
      high = low;
    for (let i = from; i < to; i++) [low, high] = [Math.min(low, samples[i]), Math.max(high, samples[i])];
    const top = middle - (high / loudest) * (middle - 1),
      bottom = middle - (low / loudest) * (middle - 1);
    pen.fillRect(x, top, 1, Math.max(1, bottom - top));
  }
}

/**
 * Draws the spectrogram, low bands at the bottom.
 * @param {CanvasRenderingContext2D} pen @param {Sound} sound @param {number} top @param {number} width @param {Palette} palette
 */
function bands(pen, sound, top, width, palette) {
  const { levels, bands: count, frames } = sound,
    ramp = rampOf({ kind: "signed" }, palette);
  const picture = pixelsOf(frames, count, (i) => {
    const band = count - 1 - Math.floor(i / frames);
    return ramp[128 + (levels[(i % frames) * count + band] >> 1)];
  });
  pen.imageSmoothingEnabled = frames > width;
  pen.drawImage(picture, 0, top, width, LANES.bands);
}

/**
 * @param {CanvasRenderingContext2D} pen @param {number[]} parts @param {string} card
 * @param {[top: number, height: number][]} lanes @param {number} width
 */
function fade(pen, parts, card, lanes, width) {
  const ground = rgb(card);
  each(pen, parts.length, width, (i, x, wide) => {
    pen.fillStyle = `rgb(${ground.join(" ")} / ${(1 - FAINT) * (1 - parts[i])})`;
    for (const [top, height] of lanes) pen.fillRect(x, top, wide, height);
  });
}

/** @param {CanvasRenderingContext2D} pen @param {number[]} parts @param {number} top @param {number} width @param {Ramp} ramp */
function strip(pen, parts, top, width, ramp) {
  each(pen, parts.length, width, (i, x, wide) => {
    pen.fillStyle = css(ramp[Math.round(255 * parts[i])]);
    pen.fillRect(x, top, wide, LANES.strip);
  });
}

/**
 * Hatches masked frames in every lane.
 * @param {CanvasRenderingContext2D} pen @param {Uint8Array | null} allowed @param {number} width @param {Palette} palette
 * @param {number} stripTop
 */
function hatchMasked(pen, allowed, width, { masked, hatch }, stripTop) {
  if (!allowed) return;
  const veil = mixed(rgb(masked), rgb(hatch), 0.2);
  each(pen, allowed.length, width, (i, x, wide) => {
    if (allowed[i]) return;
    pen.fillStyle = `rgb(${veil.join(" ")} / .62)`;
    pen.fillRect(x, 0, wide, LANES.wave + GAP + LANES.bands);
    pen.fillStyle = masked;
    pen.fillRect(x, stripTop, wide, LANES.strip);
  });
  pen.save();
  pen.beginPath();
  each(pen, allowed.length, width, (i, x, wide) => !allowed[i] && pen.rect(x, stripTop, wide, LANES.strip));
  pen.clip();
  pen.beginPath();
  for (let x = -LANES.strip; x < width; x += HATCH) {
    pen.moveTo(x, stripTop + LANES.strip);
    pen.lineTo(x + LANES.strip, stripTop);
  }
  pen.strokeStyle = hatch;
  pen.stroke();
  pen.restore();
}

/** @param {CanvasRenderingContext2D} pen @param {Sound} sound @param {number} width @param {Palette} palette */
function seconds(pen, { hop, pool, tokens, rate }, width, { soft }) {
  const whole = (tokens * pool * hop) / rate,
    step = STEPS.find((one) => (one / whole) * width >= NARROWEST) ?? 10;
  pen.font = `11px ${getComputedStyle(pen.canvas).fontFamily}`;
  pen.fillStyle = soft;
  pen.textBaseline = "bottom";
  for (let i = 0; i * step < whole; i++) {
    const x = ((i * step) / whole) * width,
      text = `${Number((i * step).toFixed(2))} s`;
    pen.fillRect(Math.round(x), HEIGHT - LANES.ticks, 1, 4);
    if (x + pen.measureText(text).width <= width) pen.fillText(text, x + 3, HEIGHT - 1);
  }
}

/**
 * Each token from its first pixel to the next one's, so that no line of ground is left between.
 * @param {CanvasRenderingContext2D} pen @param {number} count @param {number} width @param {(i: number, x: number, wide: number) => void} paint
 */
function each(pen, count, width, paint) {
  const ratio = pen.getTransform().a;
  /** @param {number} i */
  const edge = (i) => Math.round((i / count) * width * ratio) / ratio;
  for (let i = 0; i < count; i++) paint(i, edge(i), Math.max(edge(i + 1) - edge(i), 1 / ratio));
}
