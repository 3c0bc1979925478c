import { neighbours, isHere, stepsHere } from "./steps.js";
import { move, store, tell } from "./store.js";

export const SPEEDS = [0.5, 1, 2];
const FLIGHT = { softmax: 4200, product: 4200, other: 2600 }, HASTY = 700, READING = 1600; // ms at speed 1: playing, stepping by hand, resting

// The story: each step is made before the reader's eyes, stands for a while, and the next one comes.
// It runs in the browser alone and only while the reader has not touched the figure.
export function playerOf(view) {
  const player = { flight: null, since: 0 };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  store.toggle = () => (store.playing ? pause() : play());
  store.pause = pause;

  function play() {
    store.playing = true;
    store.hover = null;
    if (!neighbours(store.stage)[1]) move({ stage: stepsHere()[0], locked: false });
    else move({ locked: false });
    begin(null);
    view.frame.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
    tell("play");
    requestAnimationFrame(tick);
  }

  function pause() {
    if (!store.playing) return;
    store.playing = false;
    player.flight = null;
    tell("play");
    view.changed("size");
  }

  function tick(now) {
    if (!store.playing) return;
    if (!isHere()) player.since = now;
    else if (!player.flight && now - player.since > READING / store.speed) next();
    requestAnimationFrame(tick);
  }

  function next() {
    const [, after] = neighbours(store.stage);
    if (after) move({ stage: after });
    else pause();
  }

  // A step begins to turn into the next; ``before`` has the boxes that it leaves.
  function begin(before) {
    player.since = performance.now();
    if (calm.matches) return;
    const lasts = store.playing ? flightOf(store.stage) / store.speed : HASTY;
    player.flight = { before, start: null, lasts };
    view.changed("size");
  }

  // How far the flight is, 0 … 1; null when there is none.
  function time(now) {
    const { flight } = player;
    if (!flight) return null;
    flight.start ??= now;
    const part = (now - flight.start) / flight.lasts;
    if (part < 1) return part;
    player.flight = null;
    player.since = performance.now();
    return null;
  }

  return Object.assign(player, { begin, time });
}

function flightOf(stage) {
  const { layout } = store.trace.drawing(stage) ?? {};
  return FLIGHT[store.trace.stage(stage).rule.rule] ?? FLIGHT[layout] ?? FLIGHT.other;
}
