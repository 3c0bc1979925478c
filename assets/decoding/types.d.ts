// What the parts of a decoding share; nothing of it runs. The data are what pages/see/translation/decoding.py sends.

export type By = "head" | "mean";
/** One head of one layer, or the mean of all of that layer. */
export type Look = { layer: number; head: number; by: By };

export type Decoding = Look & {
  source: string[];
  target: string[];
  ended: boolean;
  forced: boolean;
  /** What is written before the first word, behind it, and so on. */
  sentences: string[];
  /** Pinyin and meaning of each Chinese word; none where nobody needs them. */
  glosses: [pinyin: string, meaning: string][];
  /** By layer, head with the mean behind them, target and source. */
  weights: number[][][][];
  candidates: [word: string, share: number][][];
  /** How many words have no line of their own, and their sum. */
  others: [count: number, share: number][];
  /** best: the likeliest other one. */
  ranks: { probability: number; best: string; rank: number }[];
  signs: Record<string, string>;
  start: string;
  end: string;
  palettes: { light: Palette; dark: Palette };
  words: Record<string, string>;
  position: number;
  /** The step whose attention is shown until the reader moves: one that says more than a full stop. */
  begins: number;
  /** Whether a link asks for a step of this page. */
  named: boolean;
  moves: number;
};

type Parts = Record<
  "headline" | "player" | "scene" | "message" | "marks" | "more" | "candidates" | "heads",
  HTMLElement
>;

/** begins: the step of the data, until the reader moves; hover: the step that the pointer is over; preview: the head that it tries; performing: it plays unasked. */
export type View = Look & {
  root: HTMLElement;
  parts: Parts;
  data: Decoding;
  steps: string[];
  sentence: string;
  words: string;
  position: number;
  moves: number;
  begins: number | null;
  hover: number | null;
  preview: Look | null;
  playing: number;
  performing: boolean;
  resting: number;
  source: HTMLElement[];
  target: HTMLElement[];
  lines: SVGPathElement[][];
  elsewhere(event: KeyboardEvent): void;
  say(): void;
  go(position: number): void;
  choose(look: Look): void;
  point(position: number | null): void;
  try(look: Look | null): void;
  toggle(): void;
};
