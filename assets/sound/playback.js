/** What is played: the sound as it is, or as the chosen token looks at it. @typedef {"whole" | "part"} Played */

/**
 * One audio element plays the sound as it is, or as loud as a row of weights says. Nothing plays by
 * itself.
 */
export class Playback {
  audio = new Audio();
  /** @type {Played | null} */
  what = null;
  /** @type {string | null} */
  url = null;
  frame = 0;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    for (const event of ["play", "pause", "ended", "timeupdate"])
      this.audio.addEventListener(event, () => this.follow());
  }

  /**
   * A pressed button stops what it started; another one begins anew.
   * @param {Played} what @param {Sound} sound @param {number[] | null} row
   */
  press(what, sound, row) {
    if (this.what === what && !this.audio.paused) return this.audio.pause();
    this.load(what, row ? weighted(sound, row) : sound.samples, sound.rate);
    this.audio.play().catch(() => this.follow());
  }

  /**
   * Plays the sound as it is from a moment on.
   * @param {Sound} sound @param {number} seconds
   */
  from({ samples, rate }, seconds) {
    if (this.what !== "whole") this.load("whole", samples, rate);
    this.audio.currentTime = seconds;
    this.audio.play().catch(() => this.follow());
  }

  /** @param {Played} what @param {Int16Array<ArrayBuffer>} samples @param {number} rate */
  load(what, samples, rate) {
    this.stop();
    this.url = URL.createObjectURL(wav(samples, rate));
    this.what = what;
    this.audio.src = this.url;
  }

  stop() {
    this.audio.pause();
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = this.what = null;
  }

  get playing() {
    return this.audio.paused ? null : this.what;
  }

  /** Seconds from the beginning; null while nothing plays. */
  get at() {
    return this.playing === null ? null : this.audio.currentTime;
  }

  follow() {
    cancelAnimationFrame(this.frame);
    this.changed();
    if (this.playing !== null) this.frame = requestAnimationFrame(() => this.follow());
  }
}

/**
 * The gain of each sample: proportional to the weight of its token, 1 for the largest.
 * Interpolated linearly between the middles of tokens, to avoid clicks.
 * @param {number[]} row @param {number} span @param {number} count
 */
function gainOf(row, span, count) {
  const largest = row.reduce((a, b) => Math.max(a, b), 0) || 1,
    last = row.length - 1;
  return Float64Array.from({ length: count }, (_, i) => {
    const at = Math.min(last, Math.max(0, (i + 0.5) / span - 0.5)),
      before = Math.floor(at),
      part = at - before;
    return ((1 - part) * row[before] + part * row[Math.min(last, before + 1)]) / largest;
  });
}

/**
 * Samples of 16 bits as a WAV file.
 * @param {Int16Array<ArrayBuffer>} samples @param {number} rate
 */
function wav(samples, rate) {
  const head = new DataView(new ArrayBuffer(44)),
    bytes = samples.length * 2;
  /** @param {number} at @param {string} letters */
  const text = (at, letters) => [...letters].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  head.setUint32(4, 36 + bytes, true);
  text(8, "WAVEfmt ");
  [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, rate, 4],
    [28, rate * 2, 4],
    [32, 2, 2],
    [34, 16, 2],
  ].forEach(([at, value, size]) => (size === 4 ? head.setUint32(at, value, true) : head.setUint16(at, value, true)));
  text(36, "data");
  head.setUint32(40, bytes, true);
  return new Blob([head, samples], { type: "audio/wav" });
}

/**
 * A sound with the gain of a row of weights.
 * @param {Sound} sound @param {number[]} row
 */
function weighted({ samples, hop, pool }, row) {
  const gain = gainOf(row, hop * pool, samples.length);
  return Int16Array.from(samples, (sample, i) => Math.round(sample * gain[i]));
}
