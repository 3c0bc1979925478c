/**
 * What the board shows of each scene, from the first on; the last one has no board.
 *
 * heads: those that have a table of their own. sums: whether scores are written as sums. turns: whether the question can be turned; moves: whether the first score can be
 * moved; even: whether every word gets the same share.
 * @type {{
 *   picture: "arcs" | "plane", columns: Column[], heads?: number[], turns?: boolean, moves?: boolean, even?: boolean,
 *   sums?: boolean,
 * }[]}
 */
const BOARDS = [
  { picture: "arcs", columns: ["value", "share", "product"], even: true },
  { picture: "plane", columns: ["label", "score"], turns: true },
  { picture: "plane", columns: ["label", "score"], sums: true },
  { picture: "arcs", columns: ["label", "score", "share", "largest"], moves: true },
  { picture: "arcs", columns: ["label", "score", "share", "value", "product"] },
  { picture: "arcs", columns: ["share", "value"], heads: [0, 1] },
];

/** @param {Story} story */
export const boardOf = ({ scene }) => BOARDS[scene - 1];
