import { make } from "../shared/dom.js";
import { canvasOf } from "./place.js";
import { plain } from "../microscope/engine/numbers.js";

/** @import { Bar, Key } from "./tally.js" */

/**
 * Bars of the answers; what they mean, and which are right, once that is revealed.
 * @param {Ask} ask @param {Bar[]} bars @param {{ isRevealed: boolean, words: ClassWords, all: number }} given
 */
export function chart(ask, bars, { isRevealed, words, all }) {
  const isShare = ask.form === "shares",
    most = Math.max(isShare ? 0.01 : 1, ...bars.flatMap(({ counts }) => counts), isShare ? 0 : all / 2),
    rounds = bars[0]?.counts.length ?? 1;
  const rows = bars.map(({ name, label, counts }) => {
    const meaning = name === "others" ? words.others : isRevealed && name ? words.mistakes[name] : "";
    return make("li", isRevealed && name === "right" ? "right" : "", [
      make("span", "label", label),
      make(
        "span",
        "bars",
        counts.map((count, round) => {
          const bar = make("i", `round${round + 1}`, isShare ? plain(count) : count ? String(count) : "");
          bar.style.setProperty("--length", `${(100 * count) / most}%`);
          return bar;
        }),
      ),
      make("em", "", meaning),
    ]);
  });
  const legend =
    rounds > 1
      ? [make("small", "", [make("i", "round1", words.first_round), " ", make("i", "round2", words.second_round)])]
      : [];
  return make("div", "chart", [...(isShare ? [make("small", "", words.mean)] : []), make("ol", "", rows), ...legend]);
}

/**
 * Where the bars of a row's words stand over the figure itself: of each column the share of the answers.
 * @param {Store | null} store @param {Ask} ask @param {Bar[]} bars
 */
export function overFigure(store, ask, bars) {
  const canvas = canvasOf(store),
    box = store?.layout?.boxes.at(-1);
  if (!store || !canvas || !box || store.stage !== "weights" || !["row", "shares"].includes(ask.asks)) return [];
  const { row } = store.rest,
    { left, top } = canvas.getBoundingClientRect(),
    all = bars.reduce((sum, { counts }) => sum + (counts.at(-1) ?? 0), 0) || 1;
  if (row < box.top || row >= box.bottom || bars.length !== box.plane.columns.size) return [];
  return bars.flatMap(({ counts }, column) => {
    if (column < box.first || column >= box.last) return [];
    const count = counts.at(-1) ?? 0,
      cell = make("i", "cell", ask.form === "shares" ? plain(count) : String(count));
    Object.assign(cell.style, {
      left: `${left + box.x + (column - box.first) * box.cellWidth}px`,
      top: `${top + box.y + (row - box.top) * box.cellHeight}px`,
      width: `${box.cellWidth}px`,
      height: `${box.cellHeight}px`,
    });
    cell.style.setProperty("--amount", `${Math.round((100 * count) / all)}%`);
    return [cell];
  });
}
