/**
 * The figure of each scene, from the first on; the last one has none.
 *
 * heads: those that have a table of their own. sums: whether scores are written as sums. turns: whether the
 * question can be turned; moves: whether the first score can be moved; even: whether every word gets the same
 * share. asked: the columns that would answer the scene's question, and stay closed until the reader has guessed.
 * @type {{
 *   picture: "arcs" | "plane", columns: Column[], heads?: number[], turns?: boolean, moves?: boolean, even?: boolean,
 *   sums?: boolean, asked?: Column[],
 * }[]}
 */
const FIGURES = [
  { picture: "arcs", columns: ["value", "share", "product"], asked: ["share", "product"], even: true },
  { picture: "plane", columns: ["label", "score"], turns: true },
  { picture: "plane", columns: ["label", "score"], asked: ["score"], sums: true },
  { picture: "arcs", columns: ["label", "score", "share", "largest"], asked: ["share", "largest"], moves: true },
  { picture: "arcs", columns: ["label", "score", "share", "value", "product"], asked: ["product"] },
  { picture: "arcs", columns: ["label", "share", "value"], heads: [0, 1] },
];

/** @param {Story} story */
export const figureOf = ({ scene }) => FIGURES[scene - 1];

/**
 * Whether a column is closed until the reader has guessed.
 * @param {Story} story @param {Column} column
 */
export const isAsked = (story, column) =>
  Boolean(figureOf(story).asked?.includes(column) && !story.guesses.has(story.scene));
