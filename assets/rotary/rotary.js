import { filled } from "../microscope/engine/names.js";
import { plain, short } from "../microscope/engine/numbers.js";
import { isModified, make, viewOf } from "../shared/dom.js";
import { curveOf } from "./curve.js";
import { dialOf } from "./dial.js";
import { rulerOf } from "./ruler.js";
import { pairOf, partOf, scoreOf } from "./rotation.js";

/** @import { Positions } from "./ruler.js" */

/**
 * q, k: one query and one key, not turned. freq: radians a position, by pair. at: their positions.
 * received: the number of moves that the server knows of.
 * @typedef {{
 *   q: number[], k: number[], freq: number[], names: [string, string], at: [number, number], pair: number,
 *   last: number, words: Record<string, string>, received: number,
 * }} Turning
 * @typedef {{
 *   data: Turning, shown: string, positions: Positions, pair: number, sent: number, timer: number,
 *   say: ComponentArgs<Turning>["setTriggerValue"], update: () => void,
 * }} View
 */

const PAUSE = 400,
  DIGITS = 6;

/**
 * Two tokens on a line of positions, and what moving them does to their arrows and to their score.
 * @param {ComponentArgs<Turning>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, () => begun(data, setTriggerValue)),
    { received, at, pair, ...given } = data,
    shown = JSON.stringify(given);
  Object.assign(view, { data, say: setTriggerValue });
  const other = view.shown !== shown;
  if (other || received >= view.sent) {
    clearTimeout(view.timer);
    Object.assign(view, { sent: received, pair, positions: { m: at[0], n: at[1], last: data.last } });
  }
  if (other) Object.assign(view, { shown, update: build(view, parentElement) });
  view.update();
}

/** @param {Turning} data @param {View["say"]} say @returns {View} */
function begun(data, say) {
  const positions = { m: 0, n: 0, last: data.last };
  return { data, shown: "", positions, pair: 0, sent: 0, timer: 0, say, update: () => {} };
}

/**
 * Draws everything once; what it returns shows where the reader is.
 * @param {View} view @param {Ground} parent
 */
function build(view, parent) {
  const { q, k, freq, names, last, words } = view.data;
  /** @param {Partial<View>} change */
  const change = (change) => {
    Object.assign(view, change);
    view.update();
    commit(view);
  };
  const ruler = rulerOf(words, names, last, (positions) => change({ positions })),
    dial = dialOf(true),
    curve = curveOf(words.curve, words.across),
    head = make("h3"),
    facts = make("dl"),
    check = make("p", "check", "", { ariaLive: "polite" }),
    clocks = freq.map((each, pair) => clockOf(words, each, pair, () => change({ pair })));

  const buttons = clocks.map(({ button }) => button),
    grid = make("div", "clocks", buttons, { role: "radiogroup", ariaLabel: words.pairs });
  grid.onkeydown = (event) => {
    const to = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!to || isModified(event)) return;
    event.preventDefault();
    const pair = (view.pair + to + freq.length) % freq.length;
    change({ pair });
    buttons[pair].focus();
  };
  const one = make("div", "one", [head, dial.svg, facts]),
    every = make("div", "every", [make("h3", "", words.pairs), grid]);
  parent.querySelector("section")?.remove();
  parent.append(make("section", "", [ruler.root, check, one, every, curve.root]));

  return () => {
    const { positions, pair } = view,
      { m, n } = positions,
      along = Array.from({ length: last + 1 }, (_, distance) => distance);
    ruler.show(positions);
    dial.show(pairOf(q, pair), pairOf(k, pair), m * freq[pair], n * freq[pair]);
    clocks.forEach(({ button, show }, each) => {
      show(pairOf(q, each), pairOf(k, each), m * freq[each], n * freq[each]);
      button.ariaChecked = String(each === pair);
      button.tabIndex = each === pair ? 0 : -1;
    });
    head.textContent = filled(words.pair, { pair: pair + 1, pairs: freq.length });
    const part = partOf(q, k, freq, pair, m, n),
      score = scoreOf(q, k, freq, m, n),
      nearest = scoreOf(q, k, freq, m - n, 0);
    facts.replaceChildren(
      ...rows([
        [words.frequency, short(freq[pair])],
        [words.turn, plain((2 * Math.PI) / freq[pair], 1)],
        [words.query_angle, short(m * freq[pair])],
        [words.key_angle, short(n * freq[pair])],
        [words.between, short((m - n) * freq[pair])],
        [words.part, short(part)],
      ]),
    );
    check.textContent = filled(words.check, {
      m,
      n,
      score: plain(score, DIGITS),
      distance: m - n,
      nearest: plain(nearest, DIGITS),
      apart: score === nearest ? "0" : short(Math.abs(score - nearest)),
    });
    const whole = along.map((distance) => scoreOf(q, k, freq, distance, 0)),
      single = along.map((distance) => partOf(q, k, freq, pair, distance, 0));
    curve.show(whole, single, m - n);
  };
}

/** @param {[string, string][]} pairs */
const rows = (pairs) => pairs.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]);

/**
 * A small dial of one pair, and how many positions its arrows take for a turn.
 * @param {Record<string, string>} words @param {number} frequency @param {number} pair @param {() => void} choose
 */
function clockOf(words, frequency, pair, choose) {
  const { svg, show } = dialOf(false),
    length = (2 * Math.PI) / frequency,
    turn = plain(length, length < 100 ? 1 : 0);
  const given = { role: "radio", ariaLabel: filled(words.clock, { pair: pair + 1, turn }), onclick: choose };
  return { button: make("button", "clock", [svg, make("small", "", turn)], given), show };
}

/** Several moves are one message; answers to earlier ones are ignored. @param {View} view */
function commit(view) {
  view.sent += 1;
  clearTimeout(view.timer);
  view.timer = setTimeout(() => {
    const { positions, pair, sent } = view;
    view.say("moved", { at: [positions.m, positions.n], pair, sent });
  }, PAUSE);
}
