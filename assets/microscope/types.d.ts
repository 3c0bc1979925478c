// The types that modules of the microscope name in their comments; nothing of it runs. The header of
// a scene is as views/scene/schema.json has it, a rule as core/rules.py writes it.

/** A list that is never empty. */
interface Filled<One> extends Array<One> {
  at(index: -1): One;
  at(index: number): One | undefined;
}

/** Text with the role that colours it; a link also has the cell that it leads to. */
type Span = [text: string, role: string];
type LinkSpan = [text: string, role: string, to?: CellLink];
type CellLink = { stage: string; index: number[] };

/** An element of MathML, what it holds, and the stage or axis that it stands for. */
type Formula = [tag: string, children: (string | Formula)[], means: string | null];

/** A letter and what hangs on it, each with the element that sets it. */
type Symbol_ = [tag: "span" | "sup" | "sub", text: string][];

/** A position along an axis: a name, a number, or an expression over them. */
type Index =
  | string
  | number
  | ["look_up", string, Index[]]
  | ["join", Index, number, Index]
  | ["div" | "mod" | "minus", Index, number];

type Given = { rule: "given"; what: string };
type Operand = { rule: "operand"; stage: string; index: Index[] };
type Constant = { rule: "constant"; value: number; symbol: string };
type Dot = { rule: "dot"; left: Operand; right: Operand; over: string; size: number };
type Sum = { rule: "sum"; parts: Rule[] };
type Total = { rule: "total"; of: Rule; over: string; size: number };
type Product = { rule: "product"; factors: Rule[] };
type Mask = { rule: "mask"; of: Rule; allowed: Operand[] };
/** sink: one more logit, whose weight is dropped. */
type Softmax = { rule: "softmax"; of: Operand; along: string; size: number; sink: Operand | null };
type Normalise = { rule: "normalise"; of: Operand; along: string; size: number; epsilon: number };
type RMSNorm = { rule: "rmsnorm"; of: Operand; along: string; size: number; epsilon: number };
type Rotate = { rule: "rotate"; of: Operand; partner: Operand; cos: Operand; sin: Operand; second: Index };
type Activation = { rule: "activation"; function: FunctionName; of: Rule };
type Stack = { rule: "stack"; along: string; parts: Operand[]; lengths: number[] };
type Half = "float16" | "bfloat16";
type Round = { rule: "round"; of: Rule; to: Half };
type Rule =
  | Given
  | Operand
  | Constant
  | Dot
  | Sum
  | Total
  | Product
  | Mask
  | Softmax
  | Normalise
  | RMSNorm
  | Rotate
  | Activation
  | Stack
  | Round;
/** Rules whose cells share what is found from a whole row. */
type OfRow = Softmax | Normalise | RMSNorm;
type FunctionName =
  | "relu"
  | "gelu"
  | "gelu_tanh"
  | "quick_gelu"
  | "silu"
  | "log"
  | "cos"
  | "sin"
  | "tanh"
  | "inverse_root"
  | Slope;
/** The derivative of a function. */
type Slope =
  | "relu_slope"
  | "gelu_slope"
  | "gelu_tanh_slope"
  | "quick_gelu_slope"
  | "silu_slope"
  | "log_slope"
  | "tanh_slope";

/** Of many cells at once: one position that all share, or one a cell. */
type Positions = number | Int32Array | Float64Array;
type AtMany = Record<string, Positions>;
/** Looks up what stands in a stage. */
type Read = (stage: string, index: Positions[]) => Positions;

/** A position for every role. */
type At = Record<string, number>;

type ScaleKind = "share" | "signed" | "flag" | "number";
type Scale = { kind: ScaleKind; low: number; high: number; root: boolean; clipped: boolean; ticks: number[] };

type Stage = {
  kind: string;
  roles: Filled<string>;
  shape: Filled<number>;
  names: (number | null)[];
  kinds: (number | null)[];
  type: "b1" | "f4" | "f8" | "i4" | "i8";
  rule: Rule;
  order: number[];
  name: Symbol_;
  symbol: Symbol_;
  formula: Formula;
  latex: string;
  masked_by: string | null;
  called: string;
  title: (string | Formula)[];
  does: Span[];
  scale: Scale;
  ticks: Filled<string>;
  reading: ReadingName | null;
  facts: Facts;
};

type ReadingName =
  | "projection"
  | "largest"
  | "shrinks"
  | "allowed"
  | "looks"
  | "dropped"
  | "takes"
  | "from_head"
  | "contributions"
  | "shift"
  | "unchanged";

/** What a reading needs that is not in the numbers: another stage, a size, counts as they are printed. */
type Facts = { of: string; d_v: number } & Record<string, string | number>;

type Side = { role: string; names: number | null; kinds: number | null; size: number };
type Plane = {
  stage: string;
  index: Index[];
  rows: Side;
  columns: Side;
  mark: [Index | null, Index | null];
  marked_when: [Index, number, number] | null;
  transposed: boolean;
  head: number | null;
};
type Arranged = { width: number; height: number; boxes: [x: number, y: number, width: number, height: number][] };
/** Whether names of a plane are left out, which stand beside or above another one. */
type Unnamed = { rows: boolean; columns: boolean };
type Design = Arranged & { isProduct: boolean; unnamed?: Unnamed[] };
type Drawing = { layout: "product" | "beside" | "alone"; planes: Filled<Plane>; wide: Arranged; narrow: Arranged };

type StepperStep = {
  key: string;
  group: string;
  symbol: Symbol_;
  called: string;
  absent: string;
  sizes: [role: string, size: number][];
};

type Palette = {
  ground: string;
  card: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  masked: string;
  hatch: string;
  roles: Record<string, string>;
  signed: string[];
  share: string[];
};

/** Red, green and blue, each 0 … 255. */
type Colour = number[];
type Ramp = Colour[];
/** How a cell is painted: its ground, and digits that can be read on it. */
type Paint = { ground: string; digits: string };

type Words = {
  code: string;
  opened: OpenedWords;
  microscope: MicroscopeWords;
  contributions: string;
  contribution: string;
  list_mark: string;
  head: string;
  kv_head: string;
  partner: string;
  heads: string;
  channel: string;
  stepper: string;
  groups: Record<string, { name: string; does: string }>;
  patch: string;
  axes?: Record<string, string>;
  reading: Record<string, Span[]>;
  does: string;
  reads: string;
};
type OpenedWords = Record<
  | "copied"
  | "rounding"
  | "rounded"
  | "terms"
  | "half"
  | "softmax_empty"
  | "softmax_sum"
  | "masked"
  | "passed"
  | "normalised"
  | "rms_normalised",
  string
> & { given: Record<string, string>; activations: Record<string, string>; softmax_columns: string[] };
/**
 * The sentences of the first view, by name, what heads do and at which queries, which tokens are words with a content,
 * what special tokens are, what comes next, what would without a head, and of unused heads why; links: to the head that
 * links a word most; switches: to a head switched off or on; hiding: by words the changes that hide one or show it again;
 * hidden: those that are.
 */
type FirstViewTexts = {
  says: Record<string, Span[]>;
  heads: Record<number, { text: string; queries: number[] }>;
  content: number[];
  rows: string[];
  glosses: string[];
  special: Record<string, string>;
  following: string;
  without: Record<number, string>;
  switches: Record<number, { model: string; layer: number; head: number; change: string }>;
  hiding: Record<number, string>;
  hidden: number[];
  unused: Record<number, string>;
  links: Record<number, { key: number; model: string; layer: number; head: number; share: number }>;
};
type MicroscopeWords = Record<string, string> & { hints: string[]; touch_hints: string[] };

type Box4 = [x: number, y: number, width: number, height: number];
type ShapeRow = {
  key: string;
  sizes: [role: string, size: number][];
  values: string;
  multiply_adds: string;
  bytes: string;
};
type HeadsCost = { title: string; columns: string[]; rows: { name: Span[]; counts: string[] }[] };
type Sheets = {
  map: {
    width: number;
    height: number;
    boxes: { key: string; box: Box4; given: boolean }[];
    lines: { path: string; source: string; target: string }[];
  };
  shapes: {
    columns: string[];
    rows: ShapeRow[];
    total: { name: string; values: string; multiply_adds: string; bytes: string };
    heads: HeadsCost | null;
  };
  code: { functions: { name: string; file: string; text: string }[]; of: Record<string, number>; in_columns: boolean };
  terms: Record<string, [name: string, address: string][]>;
  weighted: string[];
  origin: string;
  words: Record<string, string> & { names: Texts; take: Texts; take_for: Texts; paper: Texts };
};

type Texts = Record<string, string>;
/** later: where the array of the exact numbers is, if it is fetched only when they are read. */
type Stored = {
  begins: number[];
  form: "numbers" | "levels" | "table" | "runs" | "diagonals";
  later?: { url: string; type: NumberType; shape: number[] };
};
type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;
type NumberType = "f2" | "f4" | "f8" | "i4" | "u1";
type PositionKind = "" | "word" | "piece" | "patch" | "frame" | "special" | "cls" | "filling";

/** A sound whose frames tokens are, and its spectrogram. */
type Sound = {
  id: number;
  samples: Int16Array<ArrayBuffer>;
  levels: Numbers;
  bands: number;
  frames: number;
  rate: number;
  tokens: number;
  of: number;
  pool: number;
  hop: number;
  names: string[];
  loudest: number;
};

/** What travels: the header of a scene, and its arrays beside it. */
type Header = {
  version: number;
  sample: number;
  head: number | null;
  heads: number;
  hidden: number[];
  filled: boolean[] | null;
  before: number | null;
  hops: number;
  photo_checksum: number | null;
  stages: Record<string, Stage>;
  drawings: Record<string, Drawing>;
  steps: StepperStep[];
  head_patterns: string[];
  names: string[][];
  kinds: (PositionKind | PositionKind[])[];
  stored: Record<string, Stored>;
  palettes: { light: Palette; dark: Palette };
  words: Words;
  sheets: Sheets;
};
type Scene = Header & { id: number; arrays: Record<string, { shape: number[]; values: Numbers }> };

type Trace = import("./engine/trace.js").Trace;
type Store = import("./store.js").Store;
type AttentionRow = ReturnType<typeof import("./first_view/attention_row.js").attentionRow>;

/** The photo whose patches tokens are, in so many rows and columns. */
type Photo = { image: HTMLImageElement; grid: [rows: number, columns: number] };

/** What is in the cells of a plane; numbers are null where only levels of the colour scale were sent. */
type Cells = {
  numbers: ArrayLike<number> | null;
  levels: ArrayLike<number>;
  masked: ArrayLike<number>;
  texts?: string[];
  widest?: number;
  bitmaps?: Map<Palette, HTMLCanvasElement>;
};

/** A large plane, computed where it comes into sight. */
type TiledCells = { tiles: Tiles };
type Tiles = import("./figure/tiles.js").Tiles;
type TileMaker = import("./figure/tile_maker.js").TileMaker;

/** Where a tile begins, and how many cells along a side each of its samples stands for. */
type Corner = { top: number; left: number; step: number };
/** Rows and columns whose numbers are printed. */
type CellWindow = { top: number; bottom: number; first: number; last: number };
/** What is wanted of one plane, in place of what was wanted before: tiles that are not fine, and numbers. */
type TileAsk = { id: number; plane: Plane; at: At; tiles: (Corner & { isThere: boolean })[]; cells: CellWindow | null };
/** A tile or the numbers of cells, row by row. */
type TileAnswer = {
  id: number;
  paints: Uint16Array<ArrayBuffer>;
  tile?: Corner & { isFine: boolean };
  cells?: CellWindow & { numbers: Float64Array<ArrayBuffer> };
};

/** A cell by its stage and index, with the labels of the index. */
type Address = { stage: string; index: number[]; readonly labels: string[] };
type Operation =
  | "given"
  | "cell"
  | "constant"
  | "dot"
  | "sum"
  | "product"
  | "mask"
  | "softmax"
  | "exponential"
  | "normalise"
  | "rmsnorm"
  | "activation"
  | "round";
type Term = {
  operation: Operation;
  value: number;
  parts: Term[];
  address: Address | null;
  symbol: string;
  chosen: number;
  facts: Record<string, number>;
};
type Explained = { address: Address; value: number; made_by: Term };

/** Goes to the cell of a link. */
type Follow = (address: CellLink) => void;

/** One term of a sum as it is printed. */
type PrintedTerm = { amount: number; readonly made: LinkSpan[]; readonly value: LinkSpan[] };
type PrintedRows = { length: number; at(index: number): LinkSpan[][] };

/** A cell in words: what microscope/engine/opened.js makes and microscope/words/sum.js shows. */
type Opened = {
  title: LinkSpan[];
  total: string;
  whole?: string;
  relation: string;
  sign: string;
  terms: PrintedTerm[];
  columns: Span[][];
  rows: PrintedRows;
  chosen: number;
  notes: LinkSpan[][];
  amount: number;
  digits: number;
  shown: number[];
  left: number;
};

/** A row and a column; null: all of them. */
type Spot = { row: number | null; column: number | null };
type CellSpot = { row: number; column: number };
/** A cell of one of the planes of a step. */
type Hit = CellSpot & { plane: number };

/** What the pointer is over; without a column a whole row. */
type Hover = { plane: number; row: number; column: number | null };

/** Where a microscope stands; what is left out stays as it is. */
type SelectionState = {
  stage?: string;
  head?: number;
  positions?: At;
  locked?: boolean;
  presenting?: boolean;
  sheet?: string | null;
};
type Visited = { stage: string; head: number; positions: At; locked: boolean };
type What = "trace" | "selection" | "hover" | "play" | "photo" | "sound" | "part" | "machine" | "size" | "animation";

type Rectangle = { x: number; y: number; width: number; height: number };
/** Rows and columns of a plane in sight, and how large their cells are. */
type Sight = { top: number; bottom: number; first: number; last: number; cellWidth: number; cellHeight: number };
type Box = Rectangle & Sight & { plane: Plane; unnamed?: Unnamed; hides?: boolean };
type Windows = Record<string, [first: number, last: number]>;
/**
 * Pixels by those of the design: of planes, at least and at most; textScale: of titles and names, and the room for them,
 * at least. digits: the largest in a cell, in pixels.
 */
type Scales = { smallest: number; largest: number; textScale?: number; digits?: number };
type Layout = {
  boxes: Filled<Box>;
  /** Of the planes, and of titles and names: pixels by those of the design. */
  scale: number;
  textScale: number;
  digits: number;
  width: number;
  height: number;
  narrow: boolean;
};
/** Some rows and columns of a plane. */
type Part = { row: number; column: number; rows: number; columns: number };
/** Cells of an operand that stay side by side on their way into the result. */
type Run = { from: Part; to: Part };

/** All that a step is drawn from. */
type Step = {
  trace: Trace;
  drawing: Drawing;
  layout: Layout;
  at: At;
  lit: (Spot | undefined)[] | null;
  rest: (Spot | undefined)[];
  chosen: CellSpot;
  palette: Palette;
  means: string | null;
  /** Asks for another frame once more tiles of a large plane have come; a picture to save has none and waits for none. */
  redraw?: () => void;
};

/** Draws a result as it is made, at a time 0 … 1. */
type Maker = (pen: CanvasPen, step: Step, operands: Box[], result: Box, time: number) => void;

/** What a step at rest is drawn with. face: the font of what it writes. */
type Pen = CanvasPen | import("./sheets/svg_pen.js").SvgPen;
type CanvasPen = CanvasRenderingContext2D & { face: string };
type Picture = HTMLImageElement | HTMLCanvasElement;

type StepAnimation = { before: Box[] | null; start: number | null; lasts: number };
type Player = {
  animation: StepAnimation | null;
  since: number;
  begin(before: Box[] | null): void;
  time(now: number): number | null;
  toggle(): void;
  pause(): void;
};

/** A part of the page: changed() is called with all that has changed since the last frame. */
/** What all parts draw a frame with; now: its time, in milliseconds; face: the fonts. */
type Frame = { now: number; face: string; palette: Palette };
type ShownPart = {
  element: HTMLElement;
  /** Keyboard shortcuts that are for this part. */
  keys?: Keys;
  changed(what: Set<What>, frame: Frame): void;
  /** Comes a frame later, when the page is laid out and can be measured at no cost. */
  settle?(what: Set<What>): void;
  destroy?(): void;
};
/** What each key does; false where it does nothing. */
type Keys = Record<string, () => unknown>;
/** A file that a page has made; size: as it is printed; refused: why there is none, or "". */
type MadeFile = { bytes: Uint8Array<ArrayBuffer>; size: string; refused: string };
/**
 * The files that a page makes, by format. offered: about how large each is, and what of it; the page's title; whether
 * others can reach its address.
 */
type PageFiles = {
  ask(format: string, more: Record<string, unknown>): Promise<MadeFile>;
  offered(): { offers: Record<string, string>; title: string; hosted: boolean };
};
/** What mount() passes to its parts. */
type PartContext = { request(what: What): void; hints: boolean; page?: PageFiles };
type PartName = "first_view" | "stepper" | "chips" | "words" | "sheets";

/** What mount() gives. */
type Instance = {
  element: HTMLElement;
  store: Store;
  name: string;
  player: Player;
  readonly selection: Required<SelectionState>;
  show(trace: Trace, selection?: SelectionState | null): void;
  go(selection: SelectionState): void;
  on(event: What, listener: () => void): () => void;
  destroy(): void;
};

/** How microscopes of a page and what stands around them find one another. */
interface DocumentEventMap {
  "microscope:find": CustomEvent<(instance: Instance) => void>;
  "microscope:mounted": CustomEvent<Instance>;
  "microscope:removed": CustomEvent<Instance>;
  "microscope:touched": CustomEvent<Instance>;
  "microscope:run": CustomEvent<Sent>;
  "microscope:run-wanted": CustomEvent<null>;
  "microscope:weights": CustomEvent<Sent>;
  "microscope:weights-wanted": CustomEvent<null>;
}

/** What a run of the server sends to the microscope, and the way back. */
type SentName = "run" | "weights";
type Sent = Omit<ComponentArgs<Uint8Array<ArrayBuffer>>, "parentElement">;

/** What the parts of a figure share. */
type View = {
  store: Store;
  hints: boolean;
  root: HTMLElement;
  title: HTMLElement;
  buttons: ReturnType<typeof import("./stepper/player.js").playerButtons>;
  shapes: HTMLElement;
  trail: HTMLElement;
  frame: HTMLElement;
  canvas: HTMLCanvasElement;
  channels: HTMLElement;
  loading: HTMLElement;
  pair: HTMLElement;
  tools: { element: HTMLElement; changed(layout: Layout | undefined): void };
  find?: { element: HTMLElement; changed(): void };
  sum: HTMLElement;
  live: HTMLElement;
  windows: Windows;
  changed(what: What): void;
  redraw(): void;
  zoom(times: number): void;
  player: Player;
  layout?: Layout;
  stage?: string;
  greeted?: boolean;
  hint?: HTMLElement;
  shownSum?: string;
  follows?: boolean;
  tapped?: boolean;
  sumTimer?: number;
};
