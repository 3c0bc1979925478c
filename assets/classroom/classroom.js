import { connect } from "../microscope/hosts/connect.js";
import { debounced } from "../microscope/hosts/debounce.js";
import { make, onRemoval, sectionOf, setChildren, viewOf } from "../shared/dom.js";
import { Desk } from "./desk.js";
import { arrive } from "./place.js";
import { session } from "./session.js";
import { Student } from "./student.js";

const LOOK = 100; // milliseconds between two looks at the address

/**
 * The bar of a class on every page: the teacher leads and asks, students follow and answer, without a run.
 * @param {ComponentArgs<ClassWords>} args
 */
export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, () => new ClassBar(parentElement));
  view.take(data);
  return onRemoval(parentElement, () => view.destroy());
}

class ClassBar {
  /** @param {Ground} parentElement */
  constructor(parentElement) {
    this.section = sectionOf(parentElement);
    this.card = make("div", "card");
    this.bar = make("div", "bar");
    this.over = make("div", "over"); // answers over the figure, or a blank screen
    this.message = make("p", "feedback", "", { role: "status" });
    this.section.append(this.over, make("div", "dock", [this.message, this.card, this.bar]));
    this.section.popover = "manual";
    this.session = session();
    /** @type {Store | null} */
    this.store = null;
    this.words = /** @type {ClassWords} */ ({});
    this.drawn = "";
    this.wasAsking = false;
    this.isHidden = false;
    this.redraw = debounced(() => this.draw()); // a lesson's question is about what the figure shows
    this.higher = debounced(() => this.raise());
    const found = () => this.store;
    this.desk = new Desk(this.session, found);
    this.student = new Student(this.session, found);
    this.desk.changed = () => this.draw();
    const changed = () => this.draw(),
      key = (/** @type {KeyboardEvent} */ event) => this.session.member?.role === "student" && this.student.key(event);
    const raised = new MutationObserver(() => this.higher.rest(LOOK));
    raised.observe(document.documentElement, { attributeFilter: ["data-presenting"] });
    this.session.addEventListener("change", changed);
    document.addEventListener("class:lesson", changed);
    document.addEventListener("keydown", key, true);
    const timer = setInterval(() => this.look(), LOOK),
      deaf = connect("main", (store) => this.meet(store));
    this.destroy = () => {
      clearInterval(timer);
      this.redraw.stop();
      this.higher.stop();
      deaf();
      raised.disconnect();
      this.session.removeEventListener("change", changed);
      document.removeEventListener("class:lesson", changed);
      document.removeEventListener("keydown", key, true);
    };
  }

  /** @param {ClassWords} words */
  take(words) {
    this.words = words;
    this.desk.words = this.student.words = words;
    this.draw();
  }

  /** A page has a microscope. @param {Store} store */
  meet(store) {
    this.store = store;
    this.student.moves = store.moves;
    this.lead();
    const deaf = store.listen((what) => {
      if (!this.session.member) return;
      if (what === "trace" && this.session.isTeacher) arrive(this.session, store);
      if (what === "trace" && !this.session.isTeacher) this.student.settle();
      if (what === "selection" && !this.session.isTeacher) this.student.tapped();
      if (what !== "hover" && this.session.isTeacher) {
        this.desk.lead(); // not only at the next look
        this.redraw.rest(0);
      }
      if (what === "play" && store.resultHidden !== this.isHidden) {
        this.isHidden = store.resultHidden;
        if (this.session.isTeacher && this.isHidden) this.desk.hid();
      }
    });
    return () => {
      deaf();
      if (this.store === store) this.store = null;
    };
  }

  /** While a student follows, what is hidden is the teacher's to show. */
  lead() {
    const { store, student } = this;
    document.documentElement.toggleAttribute("data-led", student.isLed);
    store?.hideResult(store.resultHidden, student.isLed);
  }

  look() {
    const { member } = this.session;
    if (!member) return;
    if (member.role === "teacher") {
      this.desk.lead();
      this.over.replaceChildren(...this.desk.cells());
    } else this.student.tell();
  }

  draw() {
    const { session, section, bar, card, message, over, words } = this,
      { member, view } = session,
      isStudent = member?.role === "student";
    document.documentElement.toggleAttribute("data-class", Boolean(member));
    this.lead();
    if (!member) {
      if (section.matches(":popover-open")) section.hidePopover();
      return;
    }
    if (!section.matches(":popover-open")) section.showPopover();
    section.className = member.role;
    setChildren(bar, (isStudent ? this.student : this.desk).bar());
    message.textContent = session.isAway ? words.away : isStudent && view?.paused ? words.paused : "";
    if (isStudent) {
      this.student.draw(card);
      this.student.follow();
      over.replaceChildren();
      over.classList.toggle("blank", Boolean(view?.place?.blank) && !view?.me.own);
    } else this.drawDesk();
  }

  /** What somebody types into the card stays there while answers come. */
  drawDesk() {
    const { desk, card, session } = this,
      drawn = JSON.stringify(
        desk.isAsking ? [desk.page, this.store?.stage, this.store?.rest, desk.note, this.words.send] : session.view,
      );
    if (desk.isAsking && drawn === this.drawn) return;
    this.drawn = drawn;
    if (desk.isAsking || this.wasAsking) card.replaceChildren(...desk.card());
    else setChildren(card, desk.card());
    this.wasAsking = desk.isAsking;
  }

  /** What opens over the whole page, such as presentation mode, stays below the bar. */
  raise() {
    if (!this.section.matches(":popover-open")) return;
    this.section.hidePopover();
    this.section.showPopover();
  }
}
