import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { chart, overFigure } from "./chart.js";
import { prepare, prepared } from "./lesson.js";
import { goTo, hide, isOnClassPage, open, pageHere, placeHere, placeOfClass } from "./place.js";
import { answerText, headQuestion, ownQuestion, questionsAt, questionText } from "./questions.js";
import { tally } from "./tally.js";

/** @import { Prepared } from "./questions.js" */
/** @import { Key } from "./tally.js" */

const COMPUTED = ["cell", "row", "shares"]; // what is asked there is computed from the figure
const ASKED = "attention-microscope-asked"; // what is right, which the server learns when it is revealed
/** @type {Key} */
const UNKNOWN = { right: null, mistakes: {} };

/** What is right of the question with this number, which only this browser knows. @param {ClassSession} session */
export function keyOf({ member, view }) {
  const stored = JSON.parse(localStorage.getItem(ASKED) ?? "null");
  const isOfThis = stored?.code === member?.code && stored?.number === view?.question?.number;
  return /** @type {Key} */ (isOfThis ? stored.key : UNKNOWN);
}

/** The teacher's bar, and what opens above it: what can be asked, or the answers. */
export class Desk {
  /** @param {ClassSession} session @param {() => Store | null} store */
  constructor(session, store) {
    this.session = session;
    this.store = store;
    this.isAsking = false;
    this.at = ""; // the page and the query that the class has
    this.sent = ""; // the place that the class has
    this.page = "";
    this.isSending = false;
    this.isHiding = false;
    this.note = "";
    this.words = /** @type {ClassWords} */ ({});
    this.changed = () => {};
  }

  /** Sends the place of this tab where it has changed; the last one wins. */
  async lead() {
    const page = pageHere();
    if (page !== this.page) {
      this.page = page;
      this.changed();
    }
    const place = placeOfClass(this.session, this.store()),
      text = place && JSON.stringify(place);
    if (!text || text === this.sent || this.isSending || document.hidden) return;
    this.isSending = true;
    if (await this.session.say("place", { place })) this.sent = text;
    this.isSending = false;
    const at = `${place.page}?${place.query}`,
      { question } = this.session.view ?? {};
    // What was answered and revealed is put away as soon as the lesson goes on.
    if (at !== this.at && question && !question.open) this.session.say("close");
    this.at = at;
  }

  /** Hides the result, or shows it, without opening what can be asked. @param {boolean} isHidden */
  hide(isHidden) {
    this.isHiding = true;
    hide(isHidden, this.store());
    this.isHiding = false;
  }

  /** H on a cell opens what can be asked of it; a link that hides it, before the class has been found, does not. */
  hid() {
    const { view } = this.session;
    if (this.isHiding || !view || view.question?.open) return;
    this.isAsking = true;
    this.changed();
  }

  /** @returns {HTMLElement[]} */
  bar() {
    const { words, session } = this,
      { me, paused } = session.view ?? {},
      students = me?.students ?? [],
      lost = students.filter((student) => student.lost).length,
      { lesson, at } = prepared(),
      step = lesson.steps[at];
    /** @param {string} text @param {() => unknown} onclick @param {Partial<HTMLButtonElement>} [more] */
    const button = (text, onclick, more) => make("button", "", text, { type: "button", onclick, ...more });
    const code = session.member?.code.slice(0, 6) ?? "";
    const home = make("a", "", filled(words.code, { code: spaced(code) }), {
      href: "class",
      onclick: (event) => this.toClass(event),
    });
    const parts = [
      home,
      make("span", "", filled(words.here, { here: students.length })),
      ...(lost ? [make("b", "lost", filled(words.lost_count, { lost }))] : []),
      button(words.ask, () => this.toggleAsking(), { ariaExpanded: String(this.isAsking), disabled: isOnClassPage() }),
      button(paused ? words.resume : words.pause, () => session.say("pause", { on: !paused }), {
        ariaPressed: String(Boolean(paused)),
      }),
    ];
    if (lesson.steps.length && at >= 0)
      parts.push(
        make("span", "lesson", [
          button("‹", () => this.step(-1), { title: words.before, ariaLabel: words.before, disabled: at < 1 }),
          make("span", "", filled(words.lesson, { n: at + 1, all: lesson.steps.length }), { title: step?.title ?? "" }),
          button("›", () => this.step(1), {
            title: words.after,
            ariaLabel: words.after,
            disabled: at >= lesson.steps.length - 1,
          }),
        ]),
      );
    const question = session.view?.question?.open ? null : this.questionOf(step);
    if (question) {
      const text = filled(words.prepared, { question: questionText(question.ask, words) });
      const now = () => this.questionOf(prepared().lesson.steps[prepared().at]);
      parts.push(button(text, () => pass(now(), (one) => this.ask(one)), { className: "main" }));
    }
    return parts;
  }

  /**
   * The question of the lesson's step; of a cell or a row it is about what the figure shows now.
   * @param {LessonStep | undefined} step
   * @returns {Prepared | null}
   */
  questionOf(step) {
    if (!step?.ask) return null;
    const { ask, right } = step,
      store = this.store();
    if (!COMPUTED.includes(ask.asks)) return { ask, key: { right, mistakes: {} } };
    return (store?.isReady && questionsAt(store).find((one) => one.ask.asks === ask.asks)) || null;
  }

  /** @param {MouseEvent} event */
  toClass(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo({ page: "class", query: "", hide: false, blank: false }, null);
  }

  /** @param {number} by */
  step(by) {
    const { lesson, at } = prepared(),
      step = lesson.steps[at + by];
    if (!step) return;
    prepare({ lesson, at: at + by });
    open(this.session, step.place, this.store());
    this.changed();
  }

  toggleAsking() {
    this.isAsking = !this.isAsking;
    this.changed();
  }

  /** @param {Prepared} given */
  async ask({ ask, key }) {
    const { session } = this,
      number = (session.view?.asked ?? 0) + 1; // also after the last one has been put away
    if (ask.about.length) this.hide(true);
    localStorage.setItem(ASKED, JSON.stringify({ code: session.member?.code, number, key }));
    this.isAsking = false;
    await session.say("ask", { ask });
    this.changed();
  }

  /** @param {Ask} ask */
  add(ask, right = /** @type {string | null} */ (null)) {
    const { lesson, at } = prepared(),
      place = placeHere(this.store());
    if (!place) return;
    const title = questionText(ask, this.words) || document.title.split(" · ")[0];
    const steps = [...lesson.steps, { title, place, ask, right }];
    prepare({ lesson: { ...lesson, steps }, at });
    this.note = filled(this.words.added, { n: steps.length });
    this.changed();
  }

  /** What stands above the bar. @returns {HTMLElement[]} */
  card() {
    const { question } = this.session.view ?? {};
    if (isOnClassPage()) return []; // its tiles and buttons would lie below
    if (this.isAsking) return this.asking();
    return question ? this.answers(question) : [];
  }

  asking() {
    const { words } = this,
      store = this.store();
    /** @param {Prepared} prepared @param {string} text */
    const row = (prepared, text) =>
      make("div", "row", [
        make("button", "main", text, { type: "button", onclick: () => this.ask(prepared) }),
        make("button", "", words.add, { type: "button", onclick: () => this.add(prepared.ask, prepared.key.right) }),
      ]);
    const rows = (store?.isReady ? questionsAt(store) : []).map((prepared) => row(prepared, this.nameOf(prepared.ask)));
    const text = make("input", "", "", {
        type: "text",
        placeholder: words.text,
        ariaLabel: words.text,
        maxLength: 300,
      }),
      lines = make("textarea", "", "", { placeholder: words.options, ariaLabel: words.options, rows: 3 }),
      look = make("input", "", "", {
        type: "text",
        placeholder: words.head_text,
        ariaLabel: words.head_text,
        maxLength: 300,
      });
    /** @param {() => Prepared | null} of */
    const both = (of) => [
      make("button", "main", words.send, { type: "button", onclick: () => pass(of(), (one) => this.ask(one)) }),
      make("button", "", words.add, {
        type: "button",
        onclick: () => pass(of(), (one) => this.add(one.ask, one.key.right)),
      }),
    ];
    const heads = store?.isReady ? Math.max(store.trace.heads, store.heads) : 1,
      ofHeads =
        heads > 1 && heads <= 16 && store
          ? [
              make("details", "", [
                make("summary", "", words.ask_head),
                look,
                make(
                  "div",
                  "row",
                  both(() => headQuestion(store, look.value)),
                ),
              ]),
            ]
          : [];
    return [
      this.head(words.ask_title, () => this.toggleAsking()),
      ...(rows.length ? rows : [make("p", "", words.no_figure)]),
      ...ofHeads,
      make(
        "details",
        "",
        [
          make("summary", "", words.ask_choice),
          text,
          lines,
          make(
            "div",
            "row",
            both(() => ownQuestion(text.value, lines.value)),
          ),
        ],
        { open: !rows.length },
      ),
      ...(this.note ? [make("p", "note", this.note)] : []),
    ];
  }

  /** @param {Ask} ask */
  nameOf({ asks, about: [stage, row, column] }) {
    return filled(this.words[`ask_${asks}`], { stage, row, column });
  }

  /** @param {string} title @param {() => void} close */
  head(title, close) {
    const { words } = this;
    const button = make("button", "close", "×", {
      type: "button",
      title: words.close,
      ariaLabel: words.close,
      onclick: close,
    });
    return make("header", "", [make("h2", "", title), button]);
  }

  /** @param {Asked} question */
  answers({ ask, round, open, right }) {
    const { words, session } = this,
      { me } = /** @type {ClassView} */ (session.view),
      key = keyOf(session),
      bars = tally(ask, me.rounds, key),
      isRevealed = !open && right !== null;
    const say = (/** @type {string} */ what) =>
      make("button", what === "reveal" ? "main" : "", words[what], {
        type: "button",
        onclick: () => this.finish(what),
      });
    const n = Object.keys(me.rounds.at(-1) ?? {}).length;
    return [
      this.head(questionText(ask, words), () => session.say("close")),
      make("p", "count", filled(words.answered, { n, all: me.students.length })),
      chart(ask, bars, { isRevealed, words, all: n }),
      ...(isRevealed ? [make("p", "right", filled(words.right_is, { answer: answerText(ask, right) }))] : []),
      make("div", "row", [
        ...(isRevealed || key.right === null ? [] : [say("reveal")]),
        ...(round === 1 && (n || !open) ? [say("again")] : []),
      ]),
    ];
  }

  /** @param {string} what */
  async finish(what) {
    const { question } = this.session.view ?? {};
    if (!question) return;
    if (question.ask.about.length) this.hide(what !== "reveal");
    await this.session.say(what, what === "reveal" ? { right: keyOf(this.session).right } : {});
  }

  /** The answers over the figure itself. */
  cells() {
    const { question, me } = this.session.view ?? {};
    if (!question || !me || this.isAsking) return [];
    return overFigure(this.store(), question.ask, tally(question.ask, me.rounds, keyOf(this.session)));
  }
}

/** A code as it is read out: K7X 2FP. @param {string} code */
export const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3, 6)}`;

/** @param {Prepared | null} prepared @param {(prepared: Prepared) => unknown} then */
function pass(prepared, then) {
  if (prepared) then(prepared);
}
