import { indexAt } from "./figure/look.js";

// Axis roles that name the same token; a frame may be one too, see meaning().
/** @type {Record<string, string>} */
const SAME = { token: "query", memory: "key" };
const CHANGED = "changed",
  FIRST_VIEW = "";

/** The state of one microscope: the trace, the chosen cell, and the hovered cell. */
export class Store extends EventTarget {
  // null until the first one is set; until then the store is not ready.
  trace = /** @type {Trace} */ (/** @type {unknown} */ (null));
  stage = "";
  head = 0;
  // The number of heads of the whole model, of which the trace may be a part without heads.
  heads = 1;
  // Whether no head can be brought but the one that the trace has, if it has one.
  fixedHead = false;
  /** @type {At} */
  positions = {};
  locked = false;
  /** @type {Hover | null} */
  hover = null;
  /** @type {string | null} */
  lit = null;
  /** @type {Visited[]} */
  trail = [];
  /** @type {number | null} */
  pinned = null;
  /** @type {number | null} */
  previewed = null;
  playing = false;
  resultHidden = false;
  isLed = false; // a class decides whether the result is hidden
  // Whether the steps, matrices and shapes are shown, or only the first view of the words.
  machine = true;
  /** @type {FirstViewTexts | null} */
  texts = null;
  speed = 1;
  presenting = false;
  /** @type {string | null} */
  sheet = null;
  /** @type {Layout | null} */
  layout = null;
  /** @type {Sound | null} */
  sound = null;
  part = ""; // which part of a model the trace is, in words
  moves = 0;
  reportedMoves = 0; // those that the server knows of

  /**
   * A listener is called with what has changed: "trace", "selection", "hover", "play", "photo", "part".
   * @param {(what: What) => void} listener
   */
  listen(listener) {
    /** @param {Event} event */
    const hear = (event) => listener(/** @type {CustomEvent<What>} */ (event).detail);
    this.addEventListener(CHANGED, hear);
    return () => this.removeEventListener(CHANGED, hear);
  }

  /** @param {What} what */
  notify(what) {
    this.dispatchEvent(new CustomEvent(CHANGED, { detail: what }));
  }

  /** Whether there is a step to show. */
  get isReady() {
    return Boolean(this.trace?.stage(this.stage));
  }

  /** Whether the numbers of the chosen step and head are loaded. */
  get isHere() {
    const { trace, stage, head } = this;
    return Boolean(trace?.drawing(stage)) && (trace.head === null || trace.head === head);
  }

  /** Whether the steps are shown. The first view alone is of attention: another part of a model has them at once. */
  get showsMachine() {
    return this.machine || !this.trace?.stage("weights");
  }

  /** Whether the result of the chosen head is not taken over, so that its weights do nothing. */
  get isUnused() {
    return Boolean(this.texts?.unused[this.head]);
  }

  /** The steps of the stepper that this trace has, in order. */
  get steps() {
    return this.trace.steps.map((step) => step.key).filter((key) => key in this.trace.stages);
  }

  /** Whether there are weights by now: at the step that makes them, behind it, or off the stepper. */
  get hasWeights() {
    const { steps, stage } = this,
      at = steps.indexOf(stage);
    return at < 0 || at >= steps.indexOf("weights");
  }

  /**
   * The step before and the step after; from what is given, the step that first reads it.
   * @returns {[before: string | null, after: string | null]}
   */
  get neighbours() {
    const { steps, stage, trace } = this,
      at = steps.indexOf(stage);
    if (at >= 0) return [steps[at - 1] ?? null, steps[at + 1] ?? null];
    return [null, steps.find((key) => reads(trace.stage(key).rule, stage)) ?? null];
  }

  /**
   * Where a step back and a step on lead: the neighbours, and in presentation mode the first view before all of them.
   * @returns {[before: string | null, after: string | null]}
   */
  get ways() {
    const { steps, stage, trace, presenting, texts, showsMachine, neighbours } = this;
    if (!showsMachine) return [null, steps[0]];
    const isFirst = presenting && texts && stage === steps[0] && trace.stage("weights");
    return isFirst ? [FIRST_VIEW, neighbours[1]] : neighbours;
  }

  /** @param {0 | 1} side */
  step(side) {
    const { [side]: stage } = this.ways;
    if (stage === null) return;
    this.move({ stage: stage || "weights" }); // of which the first view is
    if (this.showsMachine !== (stage !== FIRST_VIEW)) this.setMachine(stage !== FIRST_VIEW);
  }

  /**
   * What rows and columns of a step's result stand for.
   * @param {string} key
   * @returns {[row: string | null, column: string | null]}
   */
  drawnRoles(key) {
    const result = this.trace.drawing(key)?.planes.at(-1);
    return [result?.rows.role || null, result?.columns.role || null];
  }

  /**
   * The selected position along an axis of a stage, clipped to its size.
   * @param {string} key @param {string} role
   */
  positionOf(key, role) {
    const { trace, positions, head } = this;
    if (role === "batch") return trace.sample;
    if (role === "head") return Math.min(head, trace.size(key, role) - 1);
    if (role === "kv_head") return trace.headPositions(key, head).kv_head;
    return Math.max(0, Math.min(positions[this.meaning(role, key)] ?? 0, trace.size(key, role) - 1));
  }

  /** The chosen row and column of the step. */
  get rest() {
    const [row, column] = this.drawnRoles(this.stage);
    return {
      row: row ? this.positionOf(this.stage, row) : 0,
      column: column ? this.positionOf(this.stage, column) : 0,
    };
  }

  /**
   * A position for every role at which the step's planes are drawn: first those of the hovered cell.
   * @param {{ hover?: Hover | null, previewed?: number | null }} [given]
   * @returns {At}
   */
  pointed({ hover = this.hover, previewed = this.previewed } = {}) {
    const { trace, stage, head } = this,
      planes = trace.drawing(stage)?.planes ?? [],
      result = planes.at(-1);
    /** @type {At} */
    const at = { ...this.positions, batch: trace.sample, head };
    for (const role of trace.stage(stage).roles) at[role] = this.positionOf(stage, role);
    if (previewed !== null && trace.head === null) Object.assign(at, trace.headPositions(stage, previewed));
    if (hover && result && hover.plane === planes.length - 1) {
      if (result.rows.role) at[result.rows.role] = hover.row;
      if (hover.column !== null) at[result.columns.role] = hover.column;
    }
    return at;
  }

  /** The cell that is explained: the hovered one, or the chosen one. */
  get spot() {
    const { trace, stage, hover, rest } = this,
      { planes } = trace.drawing(stage);
    const spot = hover ? { ...hover, column: hover.column ?? rest.column } : { plane: planes.length - 1, ...rest };
    const plane = planes[spot.plane];
    return { ...spot, key: plane.stage, index: indexAt(trace, plane, this.pointed(), spot.row, spot.column) };
  }

  /** The symbol that is lit: the one pointed at in words, or that of the plane pointed at. */
  get meant() {
    const { trace, stage, hover, lit } = this;
    return lit ?? (hover && trace.drawing(stage) ? trace.drawing(stage).planes[hover.plane].stage : null);
  }

  /**
   * Moves to a step, a cell of it or a head. positions: by role, those that change.
   * @param {SelectionState} selection
   */
  move({ stage = this.stage, head = this.head, positions = {}, locked = this.locked }) {
    Object.assign(this, { stage, head, locked, hover: null, moves: this.moves + 1 });
    for (const [role, position] of Object.entries(positions)) this.choose(this.meaning(role, stage), position);
    this.notify("selection");
  }

  /**
   * Goes to a selection of a link, the page or the server. positions: by the name of `meaning`.
   * @param {SelectionState} selection
   */
  go({
    stage = this.stage,
    head = this.head,
    positions = {},
    locked = this.locked,
    presenting = this.presenting,
    sheet = this.sheet,
  }) {
    const hover = stage === this.stage && head === this.head ? this.hover : null;
    Object.assign(this, {
      stage,
      head,
      locked,
      presenting,
      sheet,
      hover,
      positions: { ...this.positions, ...positions },
    });
    this.notify("selection");
  }

  /**
   * Shows another trace, on the same step where it has that, else on the one that it begins with.
   * @param {Trace} trace @param {SelectionState | null} [selection]
   */
  setTrace(trace, selection = null) {
    const hover = this.isStillThere(trace) ? this.hover : null;
    const trail = this.trail.every(({ stage }) => trace.stage(stage)) ? this.trail : []; // else it leads through another part
    if (this.trace !== trace) this.trace?.maker?.close();
    trace.arrived = () => this.trace === trace && this.notify("selection");
    Object.assign(this, { trace, hover, trail, layout: null, previewed: null });
    if (trace.heads > 1) this.head = Math.min(this.head, trace.heads - 1);
    if (selection) this.go(selection);
    this.notify("trace");
  }

  /** @param {Hover | null} hover */
  point(hover) {
    if (same(hover, this.hover)) return;
    this.hover = hover;
    this.notify("hover");
  }

  /** @param {string | null} means */
  light(means) {
    if (means === this.lit) return;
    this.lit = means;
    this.notify("hover");
  }

  /** Hides or reveals the result, as the reader wants it. */
  toggleResult() {
    if (!this.isLed) this.hideResult(!this.resultHidden);
  }

  /** @param {boolean} isHidden @param {boolean} [isLed] */
  hideResult(isHidden, isLed = this.isLed) {
    if (this.resultHidden === isHidden && this.isLed === isLed) return;
    Object.assign(this, { resultHidden: isHidden, isLed });
    this.notify("play");
  }

  /**
   * Shows all of the machine below the first view, or closes it.
   * @param {boolean} machine
   */
  setMachine(machine) {
    this.machine = machine;
    this.moves += 1;
    this.notify("machine");
  }

  /**
   * Turns presentation mode on or off.
   * @param {boolean} on
   */
  present(on) {
    this.presenting = on;
    this.moves += 1;
    this.notify("selection");
  }

  /**
   * Opens one of the sheets below the step.
   * @param {string} sheet
   */
  openSheet(sheet) {
    this.sheet = sheet;
    this.moves += 1;
    this.notify("selection");
  }

  /** @param {CellLink} link */
  follow(link) {
    this.trail.push({ stage: this.stage, head: this.head, positions: { ...this.positions }, locked: this.locked });
    this.moveTo(link);
  }

  /**
   * Opens the machine at the last of these cells, each of which was followed from the one before it.
   * @param {CellLink[]} links
   */
  openMachineAt([first, ...links]) {
    this.trail = [];
    this.moveTo(first);
    for (const link of links) this.follow(link);
    this.setMachine(true);
  }

  /** @param {CellLink} link */
  moveTo({ stage, index }) {
    const { roles } = this.trace.stage(stage);
    /** @type {At} */
    const positions = {};
    roles.forEach((role, axis) => {
      if (!["batch", "head", "kv_head"].includes(role)) positions[role] = index[axis];
    });
    this.move({ stage, head: this.headAt(stage, index), positions, locked: true });
  }

  /**
   * The head that a cell belongs to: of those that share it the chosen one, else the first.
   * @param {string} stage @param {number[]} index
   */
  headAt(stage, index) {
    const { trace, head } = this,
      { roles } = trace.stage(stage);
    if (roles.includes("head")) return index[roles.indexOf("head")];
    if (!roles.includes("kv_head")) return head;
    const shared = index[roles.indexOf("kv_head")];
    if (trace.headPositions(stage, head).kv_head === shared) return head;
    return shared * Math.round(trace.heads / trace.size(stage, "kv_head"));
  }

  /** @param {number} step */
  goBackTo(step) {
    const { stage, head, positions, locked } = this.trail[step];
    this.trail.length = step;
    this.move({ stage, head, positions, locked });
  }

  /** @param {string} role @param {string} key */
  meaning(role, key) {
    const { trace } = this,
      isToken = role === "frame" && trace.size(key, role) === trace.size("X", "token");
    return isToken ? "query" : (SAME[role] ?? role);
  }

  /**
   * A chosen patch and the token that it became are one choice, and so are a frame and the token that
   * it shares with others.
   * @param {string} meant @param {number} position
   */
  choose(meant, position) {
    const {
      positions,
      trace: { before, hops },
    } = this;
    positions[meant] = position;
    if (hops && meant === "frame") positions.query = Math.floor(position / hops);
    if (hops && meant === "query" && Math.floor((positions.frame ?? -1) / hops) !== position)
      positions.frame = position * hops;
    if (before === null) return;
    if (meant === "patch") positions.query = position + before;
    if (meant === "query" && position >= before) positions.patch = position - before;
  }

  /**
   * More numbers of the same step leave the pointer over the same cell.
   * @param {Trace} trace
   */
  isStillThere(trace) {
    const { stage, hover } = this,
      [old, plane] = [this.trace, trace].map((one) => hover && one?.drawing(stage)?.planes[hover.plane]);
    /** @param {Side} one @param {Side} other */
    const isSame = (one, other) => one.size === other.size && one.role === other.role;
    return Boolean(old && plane && isSame(old.rows, plane.rows) && isSame(old.columns, plane.columns));
  }
}

/** @param {Hover | null} one @param {Hover | null} other */
function same(one, other) {
  return (
    one === other || (one && other && one.plane === other.plane && one.row === other.row && one.column === other.column)
  );
}

/**
 * Whether a rule, or any that it is made of, reads a stage.
 * @param {Rule} rule @param {string} stage
 * @returns {boolean}
 */
function reads(rule, stage) {
  if (rule.rule === "operand") return rule.stage === stage;
  return Object.values(rule)
    .flat()
    .some((part) => part?.rule && reads(part, stage));
}
