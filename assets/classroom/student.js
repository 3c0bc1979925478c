import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";
import { answerForm } from "./forms.js";
import { goTo, moveTo, pageHere, showCell } from "./place.js";
import { answerText, inLanguage, markOf, questionText } from "./questions.js";

/** @import { AnswerForm } from "./forms.js" */

/** A student's bar, and the question above it. */
export class Student {
  /** @param {ClassSession} session @param {() => Store | null} store */
  constructor(session, store) {
    this.session = session;
    this.store = store;
    this.words = /** @type {ClassWords} */ ({});
    this.at = ""; // the place that was gone to last
    this.told = ""; // the place that the teacher knows of
    this.asked = ""; // question and round of the form
    /** @type {AnswerForm | null} */
    this.form = null;
    this.moves = 0;
  }

  /** Whether this tab is where the teacher's is, with what is hidden there. */
  get isLed() {
    const { member, view } = this.session;
    return member?.role === "student" && Boolean(view?.place && !view.me.own);
  }

  /** Goes where the teacher is, unless the student is on their own. */
  follow() {
    const { view } = this.session;
    if (!view?.place || view.me.own) return;
    const at = JSON.stringify(view.place);
    if (at !== this.at) goTo(view.place, this.store());
    this.at = at;
  }

  /** After another page has come, its microscope goes where the teacher's is. */
  settle() {
    const { view } = this.session;
    if (!view?.place || view.me.own) return;
    moveTo(view.place, this.store());
    showCell(view.place, this.store());
  }

  /** Tells the teacher's wall which step this is, where it is another one. */
  tell() {
    const store = this.store(),
      at = [pageHere(), store?.isReady ? store.stage : ""].filter(Boolean).join(" · ");
    if (at === this.told || document.hidden || !this.session.view?.me.own) return;
    this.told = at;
    this.session.say("at", { at });
  }

  /** A word of the row in question, tapped in the figure, is the answer. */
  tapped() {
    const store = this.store(),
      question = this.session.view?.question;
    if (!store || store.moves === this.moves) return;
    this.moves = store.moves;
    if (question?.open && question.ask.asks === "row" && store.stage === "weights" && store.locked)
      this.session.answer(question, String(store.rest.column));
  }

  /** Number keys pick an option. @param {KeyboardEvent} event */
  key(event) {
    const question = this.session.view?.question,
      [target] = event.composedPath();
    if (!question?.open || question.ask.form !== "pick" || !/^[1-9]$/.test(event.key)) return;
    if (target instanceof Element && target.matches("input, textarea")) return;
    const option = Number(event.key) - 1;
    if (option >= question.ask.options.length) return;
    event.stopPropagation();
    this.session.answer(question, String(option));
  }

  /** @returns {HTMLElement[]} */
  bar() {
    const { words, session } = this,
      { me, place } = session.view ?? {};
    if (!me) return [];
    /** @param {string} text @param {() => unknown} onclick @param {boolean} [pressed] */
    const button = (text, onclick, pressed = false) =>
      make("button", "", text, { type: "button", onclick, ariaPressed: String(pressed) });
    const says = me.own ? words.alone : place ? words.follows : words.waits;
    return [
      make("span", me.own ? "alone" : "", says),
      button(me.own ? words.back : words.own, () => this.own(!me.own)),
      button(me.lost ? words.found : words.lost, () => session.say("lost", { lost: !me.lost }), me.lost),
      make("button", "quiet", words.leave, { type: "button", onclick: () => session.leave() }),
    ];
  }

  /** @param {boolean} own */
  async own(own) {
    if (!own) this.at = "";
    await this.session.say("own", { own });
  }

  /** The question, whose form stays as it is while it is the same. @param {HTMLElement} card */
  draw(card) {
    const { session, words } = this,
      { view } = session,
      question = view?.question ?? null,
      asked = question ? `${question.number}.${question.round}.${words.send}` : "";
    if (!question || !view || (!question.open && question.right === null)) {
      this.asked = "";
      card.replaceChildren();
      return;
    }
    const { open, right, round } = question,
      ask = inLanguage(question.ask),
      stored = view.me.answers[round - 1] ?? "",
      waits = session.waiting,
      isWaiting = waits?.question === question.number && waits?.round === round,
      answer = isWaiting ? String(waits?.answer) : stored;
    if (this.asked !== asked) {
      this.asked = asked;
      this.form = answerForm(ask, words, (given) => session.answer(question, given));
      card.replaceChildren(make("h2", "", questionText(ask, words)), this.form.element, make("p", "status"));
      if (view.place && !view.me.own) showCell(view.place, this.store()); // what is asked about
    }
    if (!this.form) return;
    this.form.mark(answer);
    this.form.element.hidden = !open;
    const said = answerText(ask, answer),
      status = isWaiting ? words.sending : open ? (answer ? filled(words.sent, { answer: said }) : "") : words.closed;
    const lines = [status];
    if (right !== null) {
      lines.splice(0, 1, filled(words.right_is, { answer: answerText(ask, right) }));
      view.me.answers
        .filter(Boolean)
        .forEach((one) => lines.push(markOf(ask, one, right) + filled(words.yours, { answer: answerText(ask, one) })));
    }
    card.lastElementChild?.replaceChildren(...lines.map((line) => make("span", "", line)));
  }
}
