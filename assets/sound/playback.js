import { wav, weighted } from "./gain.js";

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
