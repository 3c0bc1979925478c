import { wav, weighted } from "./gain.js";

// One audio element plays the sound as it is, or as loud as a row of weights says. Nothing plays by
// itself.
export class Hearing {
  constructor(changed) {
    this.audio = new Audio();
    this.changed = changed;
    this.what = null;
    for (const event of ["play", "pause", "ended", "timeupdate"])
      this.audio.addEventListener(event, () => this.follow());
  }

  // A pressed button stops what it started; another one begins anew.
  press(what, sound, row) {
    if (this.what === what && !this.audio.paused) return this.audio.pause();
    this.load(what, row ? weighted(sound, row) : sound.samples, sound.rate);
    this.audio.play().catch(() => this.follow());
  }

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

  // Seconds from the beginning; null while nothing plays.
  get at() {
    return this.playing === null ? null : this.audio.currentTime;
  }

  follow() {
    cancelAnimationFrame(this.frame);
    this.changed();
    if (this.playing !== null) this.frame = requestAnimationFrame(() => this.follow());
  }
}
