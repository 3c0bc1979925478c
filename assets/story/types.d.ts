// What the modules of the story name in their comments; nothing of it runs.

/**
 * A scene's texts, and what it shows. term: says what a word of the field means, where it is first met. right: which of
 * the choices is, from 1. short: whether the short way has it.
 *
 * Of the tiny model, columns: of its table. asked: those of them that the choices ask about. opens: the clue's number
 * that is open. side: what stands beside the table. arcs: whether the sentence has them. turns: where the question points
 * before it is turned. slides: the clue's score moves. switches: between the two sentences. learns: goes through the
 * training. splits: the reader splits one head's weight. shrinks: the
 * clue's value can be made smaller. bridge: what who is on the short way is told of the scenes that are left out.
 * objection: follows the answer, with the shares of both heads.
 */
type StoryScene = {
  title: string;
  claim: string;
  term?: string;
  choices?: string[];
  answer?: string;
  objection?: string;
  hint: string;
  figure: "twins" | "distance" | "tiny" | "own";
  short?: boolean;
  right?: number;
  columns?: StoryColumn[];
  asked?: StoryColumn[];
  opens?: OpenedNumber["of"];
  side?: "question" | "products" | "meaning";
  arcs?: boolean;
  turns?: number[];
  slides?: boolean;
  switches?: boolean;
  learns?: boolean;
  splits?: boolean;
  shrinks?: boolean;
  bridge?: string;
};

/** Of the labels, those that are lists; every other one is a text. */
type StoryLists = { ways: string[]; steps: string[]; meanings: string[]; heads: string[]; formula: string[] };
type StoryLabels = Record<string, string> & StoryLists;

/** Recorded from a pretrained model: see ``core/models/meanings.py``. */
type Meanings = {
  title: string;
  word: string;
  d_model: number;
  clues: string[];
  sentences: string[];
  meanings: number[];
  points: [number, number][][];
  cosines: number[][][];
  stripes: number[][][];
  without: number[][];
  beginnings: string[];
  next: Likely[][];
  next_without: Likely[];
};
type Likely = [token: string, probability: number];

/**
 * What the word that asks makes of every word of a sentence. By head: Q (d_k), K and V (word, d_k), scores and
 * weights (word), mixed (d_k). X: (word, d_model).
 */
type TinyRow = {
  X: number[][];
  Q: number[][];
  K: number[][][];
  V: number[][][];
  scores: number[][];
  weights: number[][];
  mixed: number[][];
};
/** The tiny model at a step of its training. W_Q, W_K, W_V: (head, d_model, d_k). */
type TinyStep = Record<"W_Q" | "W_K" | "W_V", number[][][]> & { step: number; accuracy: number; sentences: TinyRow[] };

/**
 * A sentence in a decoder. rows: of each word its weights (key) in the head that is named in heads. query: the word to
 * begin with. touch: a word to go on with. following: what is changed, and what the model then says next.
 */
type OwnSentence = {
  names: string[];
  rows: number[][];
  heads: string[];
  query: number;
  touch: string;
  now: Comparison;
  hidden: (Comparison | null)[];
};

/** What is changed, and what the model says then; said: "" if the first says all. */
type Comparison = [what: string, said: string];

/**
 * scene, short: that the link names, from 1, and whether on the short way. names: of the words of both sentences; query: which of them asks.
 */
type StoryWords = {
  scenes: StoryScene[];
  labels: StoryLabels;
  scene: number;
  short: boolean;
  meanings: Meanings;
  names: string[][];
  query: number;
  steps: TinyStep[];
  vocabulary: number;
  own: OwnSentence | null;
};

/** One head's row of the word that asks; isGiven: nothing was moved by the reader. */
type QueryRow = { Q: number[]; K: number[][]; V: number[][]; scores: number[]; weights: number[]; mixed: number[] };

type StoryColumn = "label" | "score" | "weight" | "largest" | "value" | "product";

/** A number that is explained below the picture. word, d: which one, where there are several. */
type OpenedNumber = {
  of: "Q" | "K" | "V" | "score" | "weight" | "product" | "mixed";
  head: number;
  word: number;
  d: number;
};

/** What scene 1 needs, in the story or on the home page: see ``Story``. */
interface Twins {
  words: { labels: StoryLabels; meanings: Meanings };
  scene: number;
  reached: Set<number>;
  layer: number;
  isOn: boolean;
  redraw(): void;
  /** After a gesture: the picture is drawn anew, and the hint has been followed. */
  moved(): void;
}

/**
 * Where a reader is in the story, and what was moved. scene: from 1. followed, reached: scenes in which something was
 * moved, and in which that showed what the hint asks for. guesses: by scene the choice, from 0. sentence:
 * 0 or 1. step: of the training, as an index. Q: the question as it was turned, score: the clue's as it was moved, and
 * split: what a single head gives to the second of the words that matter; null where they are as trained. layer, isOn:
 * of scene 1. way, between: of scene 2; tried: the ways that were chosen there. size: by which the clue's value was shrunk. word: that was chosen. isShort: on the short way.
 */
interface Story extends Twins {
  words: StoryWords;
  guesses: Map<number, number>;
  followed: Set<number>;
  sentence: number;
  step: number;
  word: number;
  Q: number[] | null;
  score: number | null;
  split: number | null;
  opened: OpenedNumber | null;
  way: number;
  tried: Set<number>;
  between: number;
  size: number;
  isShort: boolean;
  go(scene: number): void;
  /** The scene that lies so many on or back: on the short way, of those that it has. */
  beside(by: number): number;
  guess(choice: number): void;
}
