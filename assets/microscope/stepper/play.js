import { scrolling } from "../figure/motion.js";

export const SPEEDS = [0.5, 1, 2];
/** @type {Record<string, number>} */
const DURATIONS = { softmax: 4200, product: 4200, other: 2600 },
  HASTY = 700,
  READING = 1600; // ms at speed 1: playing, stepping by hand, resting

/**
 * Plays the steps as an animation, one after another.
 * It runs in the browser alone and only while the reader has not touched the figure.
 * @param {Store} store @param {HTMLElement} frame @param {() => void} redraw
 * @returns {Player}
 */
export function playerOf(store, frame, redraw) {
  /** @type {Player} */
  const player = { animation: null, since: 0, begin, time, toggle: () => (store.playing ? pause() : play()), pause };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function play() {
    store.playing = true;
    store.hover = null;
    store.move({ locked: false, ...(!store.neighbours[1] && { stage: store.steps[0] }) });
    begin(null);
    frame.scrollIntoView({ block: "nearest", behavior: scrolling() });
    store.notify("play");
    requestAnimationFrame(tick);
  }

  function pause() {
    if (!store.playing) return;
    store.playing = false;
    player.animation = null;
    store.notify("play");
    redraw();
  }

  /** @param {number} now */
  function tick(now) {
    if (!store.playing) return;
    if (!store.isHere) player.since = now;
    else if (!player.animation && now - player.since > READING / store.speed) {
      if (!store.neighbours[1]) return pause();
      store.step(1);
    }
    requestAnimationFrame(tick);
  }

  /**
   * A step begins to turn into the next; ``before`` has the boxes that it leaves.
   * @param {Box[] | null} before
   */
  function begin(before) {
    player.since = performance.now();
    if (calm.matches) return;
    const lasts = store.playing ? durationOf(store) / store.speed : HASTY;
    player.animation = { before, start: null, lasts };
    redraw();
  }

  /**
   * How far the animation is, 0 … 1; null when there is none.
   * @param {number} now
   */
  function time(now) {
    const { animation } = player;
    if (!animation) return null;
    animation.start ??= now;
    const part = (now - animation.start) / animation.lasts;
    if (part < 1) return part;
    player.animation = null;
    player.since = performance.now();
    return null;
  }

  return player;
}

/** @param {Store} store */
function durationOf({ trace, stage }) {
  const { layout } = trace.drawing(stage) ?? {};
  return DURATIONS[trace.stage(stage).rule.rule] ?? DURATIONS[layout] ?? DURATIONS.other;
}
