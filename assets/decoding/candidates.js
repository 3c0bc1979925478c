import { make } from "../shared/dom.js";
import { short } from "../microscope/engine/numbers.js";
import { signed } from "./shown_weights.js";

/** @import { Decoding, View } from "./types.d.ts" */

const SHOWN = 4; // words of what was read; of a longer text the last ones

/**
 * The likeliest words of the step, the chosen or given one among them, and the sum of all others.
 * @param {View} view
 */
export function fillCandidates(view) {
  const { data, position, steps, parts } = view,
    { words } = data,
    found = data.candidates[position],
    { probability, rank } = data.ranks[position];
  const [count, left] = data.others[position];
  const [before, after] = words.after.split("{read}"),
    title = make("h3", "", [before, make("span", "query", read(data, position)), after]);
  const list = make(
    "ol",
    "",
    found.map(([word, share]) => line(signed(data, word), share, word === steps[position] ? "chosen" : "")),
  );
  if (rank > found.length)
    list.append(
      line(signed(data, steps[position]), probability, "chosen given", words.rank.replace("{rank}", String(rank))),
    );
  const others = make("p", "", [words.others.replace("{count}", String(count)), make("b", "", short(left))]);
  parts.candidates.replaceChildren(title, list, others, make("p", "prefix", words.prefix));
}

/** @param {Decoding} data @param {number} position */
function read(data, position) {
  const all = [data.start, ...data.target.slice(0, position)].map((word) => signed(data, word));
  return all.length > SHOWN ? `… ${all.slice(-SHOWN).join(" ")}` : all.join(" ");
}

/** @param {string} word @param {number} share @param {string} name @param {string} [note] */
function line(word, share, name, note = "") {
  const bar = make("i");
  bar.style.setProperty("--share-of-one", `${100 * share}%`);
  const after = note ? [make("small", "", note)] : [];
  return make("li", name, [make("span", "query", word), bar, make("b", "", short(share)), ...after]);
}
