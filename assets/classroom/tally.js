// What the answers to a question say, counted; nothing of it is drawn here.

import { plain } from "../microscope/engine/numbers.js";

const NEAR = 0.01, // of the value: rounding on the way
  SLACK = 1e-9,
  MOST = 6; // bars of numbers that no known mistake explains
/** @type {Record<string, string>} */
const WRITTEN = { "−": "-", "–": "-", "，": ".", ",": ".", "。": ".", "／": "/" };

/**
 * What only the teacher's browser knows of a question: what is right, and what known mistakes would give.
 * @typedef {{ right: string | null, mistakes: Record<string, number> }} Key
 * name: of the mistake, "right", or "" for what nothing explains. label: what was answered. counts: one a round.
 * @typedef {{ name: string, label: string, counts: number[] }} Bar
 */

/**
 * A number as somebody types it, and the value of its last digit; null for what is none.
 * @param {string} typed
 */
export function numberOf(typed) {
  const text = [...typed.normalize("NFKC").replaceAll(" ", "")].map((sign) => WRITTEN[sign] ?? sign).join("");
  if (/^-(∞|inf|infinity)$/i.test(text)) return { value: -Infinity, unit: 0 };
  const [whole, above, below] = /^([+-]?\d{1,12})\/(\d{1,12})$/.exec(text) ?? [];
  if (whole) return Number(below) ? { value: Number(above) / Number(below), unit: 0 } : null;
  const [match, number, percent] = /^([+-]?(?:\d+\.?\d*|\.\d+))(%?)$/.exec(text) ?? [];
  if (!match) return null;
  const scale = percent ? 100 : 1,
    unit = 10 ** -(number.split(".")[1]?.length ?? 0);
  return { value: Number(number) / scale, unit: unit / scale };
}

/**
 * Whether a typed number agrees with a value, to the digits given or within what rounding explains.
 * @param {string} typed @param {number} value
 */
export function agrees(typed, value) {
  const guess = numberOf(typed);
  if (!guess) return false;
  if (!Number.isFinite(guess.value) || !Number.isFinite(value)) return guess.value === value;
  return Math.abs(guess.value - value) <= Math.max(guess.unit / 2, NEAR * Math.abs(value)) + SLACK;
}

/**
 * Whether an answer is right; null where nothing is, as for shares, which are only more or less near.
 * @param {Ask} ask @param {string} answer @param {string | null} right
 */
export function isRight(ask, answer, right) {
  if (right === null || ask.form === "shares") return null;
  return ask.form === "pick" ? answer === right : agrees(answer, Number(right));
}

/**
 * The bars of a question's answers, in the order in which they are shown.
 * @param {Ask} ask @param {Record<string, string>[]} rounds @param {Key} key
 * @returns {Bar[]}
 */
export function tally(ask, rounds, key) {
  const answers = rounds.map((round) => Object.values(round));
  if (ask.form === "pick")
    return ask.options.map((label, i) => ({
      name: String(i) === key.right ? "right" : "",
      label,
      counts: answers.map((all) => all.filter((answer) => answer === String(i)).length),
    }));
  if (ask.form === "shares")
    return ask.options.map((label, i) => ({
      name: "",
      label,
      counts: answers.map((all) => mean(all.map((answer) => Number(answer.split(",")[i])))),
    }));
  return numbers(answers, key);
}

/** @param {string[][]} answers @param {Key} key @returns {Bar[]} */
function numbers(answers, { right, mistakes }) {
  const known = Object.entries({ ...(right !== null && { right: Number(right) }), ...mistakes });
  /** @type {Map<string, Bar>} */
  const bars = new Map();
  answers.forEach((all, round) => {
    for (const answer of all) {
      const [name, value] = known.find(([, value]) => agrees(answer, value)) ?? ["", numberOf(answer)?.value],
        label = value === undefined ? answer : plain(value),
        bar = bars.get(`${name} ${label}`) ?? { name, label, counts: answers.map(() => 0) };
      bar.counts[round] += 1;
      bars.set(`${name} ${label}`, bar);
    }
  });
  const all = [...bars.values()].sort((one, other) => total(other) - total(one)),
    shown = all.filter((bar, i) => bar.name || i < MOST),
    left = all.filter((bar) => !shown.includes(bar));
  if (!left.length) return shown;
  return [
    ...shown,
    { name: "others", label: "", counts: answers.map((_, i) => sum(left.map((bar) => bar.counts[i]))) },
  ];
}

/** @param {Bar} bar */
const total = ({ counts }) => sum(counts);

/** @param {number[]} values */
const sum = (values) => values.reduce((all, value) => all + value, 0);

/** @param {number[]} values */
const mean = (values) => (values.length ? sum(values) / values.length : 0);
