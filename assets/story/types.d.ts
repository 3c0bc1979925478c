// What the modules of the story name in their comments; nothing of it runs.

/** right: which of the choices is, from 1; 0 where there are none. */
type StoryScene = { title: string; question: string; choices: string[]; right: number; answer: string; hint: string };

type StoryLabel =
  | "progress"
  | "back"
  | "next"
  | "asks"
  | "word"
  | "label"
  | "value"
  | "score"
  | "share"
  | "product"
  | "sum"
  | "largest"
  | "head"
  | "arrow"
  | "closest"
  | "tied"
  | "slider"
  | "asked"
  | "both"
  | "opened"
  | "close"
  | "arcs";

type Column = "label" | "score" | "share" | "largest" | "value" | "product";

type StoryLabels = Record<StoryLabel, string> & { axes: [across: string, up: string]; gloss: string[] };
/** scene: the one that the link names, from 1. */
type StoryWords = { scenes: StoryScene[]; labels: StoryLabels; scene: number };

/** What the word that asks makes of every word, and of all of them. isGiven: nothing was moved by the reader. */
type QueryRow = {
  Q: number[];
  K: number[][];
  values: number[];
  scores: number[];
  weights: number[];
  output: number;
  isGiven: boolean;
};

/**
 * Where a reader is in the story. scene: from 1. guesses: by scene the choice, from 0. Q: the question as it was
 * turned, and score: the first one as it was moved; null where they are as in the trace.
 */
interface Story {
  words: StoryWords;
  trace: Trace;
  scene: number;
  guesses: Map<number, number>;
  Q: number[] | null;
  score: number | null;
  head: number;
  redraw(): void;
  go(scene: number): void;
  open(stage: string, head: number, positions: At): void;
}
