import { keyOf, spaced } from "../classroom/desk.js";
import { prepare, prepared, readLesson } from "../classroom/lesson.js";
import { open } from "../classroom/place.js";
import { questionText } from "../classroom/questions.js";
import { session } from "../classroom/session.js";
import { isRight } from "../classroom/tally.js";
import { filled } from "../microscope/engine/names.js";
import { make, onRemoval, sectionOf, setChildren, viewOf } from "../shared/dom.js";
import { qrCode } from "../shared/qr.js";

const JOIN = "join",
  LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** @typedef {Lesson & { minutes: number }} ReadyLesson */
/** @typedef {{ texts: Record<string, string>, words: ClassWords, lessons: ReadyLesson[] }} Data */

/**
 * The page on which a class begins, and from which the teacher looks over it.
 * @param {ComponentArgs<Data>} args
 */
export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, () => new ClassPage(parentElement));
  view.take(data);
  return onRemoval(parentElement, () => view.destroy());
}

class ClassPage {
  /** @param {Ground} parentElement */
  constructor(parentElement) {
    this.section = sectionOf(parentElement);
    this.session = session();
    this.data = /** @type {Data} */ ({ texts: {}, words: /** @type {ClassWords} */ ({}), lessons: [] });
    this.drawn = "";
    this.hasNames = false;
    this.isEnding = false;
    this.top = make("div", "top");
    this.wall = make("div", "wall");
    this.lesson = make("div", "card lesson");
    this.section.append(this.top, this.wall, this.lesson);
    const changed = () => this.draw(),
      lessonChanged = () => this.drawLesson();
    this.session.addEventListener("change", changed);
    document.addEventListener("class:lesson", lessonChanged);
    this.destroy = () => {
      this.session.removeEventListener("change", changed);
      document.removeEventListener("class:lesson", lessonChanged);
    };
  }

  /** @param {Data} data */
  take(data) {
    this.data = data;
    this.drawn = "";
    this.draw();
    this.drawLesson();
  }

  draw() {
    const { session, data } = this,
      { member, error, isOver } = session,
      drawn = JSON.stringify([member?.code, member?.role, error, isOver, data.texts.title, data.texts.start]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.top.replaceChildren(
        ...(member?.role === "teacher" ? this.invitation() : member ? this.inside() : this.entrance()),
      );
    }
    this.lesson.hidden = member?.role === "student" || (!member && location.hash.includes(JOIN));
    setChildren(this.wall, member?.role === "teacher" ? this.tiles() : []);
  }

  /** Where nobody is in a class yet: to begin one, or to join one. */
  entrance() {
    const { texts, words } = this.data,
      { session } = this,
      given = new URLSearchParams(location.hash.slice(1)).get(JOIN) ?? "";
    const refused = session.error ? [make("p", "error", words.refused[session.error] ?? "", { role: "alert" })] : [],
      over = session.isOver ? [make("p", "over", texts.over)] : [];
    const code = make("input", "code", "", {
        type: "text",
        value: given,
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: false,
        maxLength: 14,
        required: true,
        placeholder: "K7X 2FP",
        ariaLabel: texts.code,
      }),
      name = make("input", "", "", {
        type: "text",
        autocomplete: "off",
        maxLength: 24,
        placeholder: texts.name,
        ariaLabel: texts.name,
      });
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      await session.join(code.value, name.value);
      if (session.member) history.replaceState(history.state, "", location.pathname + location.search);
    };
    const join = make(
        "form",
        "card",
        [
          make("h2", "", texts.join_title),
          make("label", "", [make("span", "", texts.code), code]),
          name,
          make("button", "main", texts.join),
          ...refused,
        ],
        { onsubmit },
      ),
      start = make("button", "main", texts.start, { type: "button", onclick: () => session.start() });
    const teach = make("div", "card", [make("h2", "", texts.teach), make("p", "", texts.teach_about), start]);
    return [...over, ...(given ? [join] : [teach, join])];
  }

  /** A student who has joined. */
  inside() {
    const { code } = /** @type {Member} */ (this.session.member);
    return [make("div", "card", [make("p", "", filled(this.data.texts.student_in, { code: spaced(code) }))])];
  }

  /** The code for the class, and what ends it. */
  invitation() {
    const { texts } = this.data,
      { code, address = "", link = "", modules = [] } = /** @type {Member} */ (this.session.member),
      named = { code: spaced(code) },
      close = make("button", "close", "×", { title: texts.close, ariaLabel: texts.close });
    const shortened = address.replace(/^https?:\/\//, "").replace(/\/$/, "");
    const words = () => [
      make("p", "", filled(texts.open_this, { address: shortened })),
      make("b", "code", spaced(code)),
    ];
    const dialog = make("dialog", "", [close, qrCode(modules, filled(texts.qr, named)), ...words()]);
    close.onclick = () => dialog.close();
    const open = make("button", "open", [qrCode(modules, filled(texts.qr, named)), make("span", "", texts.larger)], {
      type: "button",
      onclick: () => dialog.showModal(),
    });
    const isLocal = LOOPBACK.includes(new URL(link).hostname);
    return [
      make("div", "card invitation", [
        open,
        make("div", "", [...words(), ...(isLocal ? [make("p", "error", texts.local)] : [])]),
        dialog,
      ]),
    ];
  }

  /** A tile a student, and what concerns all of them. */
  tiles() {
    const { texts, words } = this.data,
      { session } = this,
      { me, question, paused } = session.view ?? {};
    if (!me) return [];
    const round = me.rounds.at(-1) ?? {},
      { right } = keyOf(session);
    const tiles = me.students.map(({ seat, number, name, lost, own, at }) => {
      const answer = question ? (round[seat] ?? "") : "",
        isFound = question && answer ? isRight(question.ask, answer, right) : null,
        states = [lost && texts.lost, isFound ? texts.right : answer && texts.answered].filter(Boolean);
      return make("li", [lost && "lost", isFound ? "right" : answer && "answered"].filter(Boolean).join(" "), [
        make("b", "", (this.hasNames && name) || filled(texts.student, { number })),
        make("span", "", own ? at || words.own : texts.follows),
        make("em", "", states.join(" · ")),
      ]);
    });
    /** @param {string} text @param {() => unknown} onclick @param {string} [style] */
    const button = (text, onclick, style = "") => make("button", style, text, { type: "button", onclick });
    const ending = this.isEnding
      ? [
          make("span", "error", texts.end_sure),
          button(texts.end_yes, () => this.end(), "main"),
          button(texts.close, () => this.ending(false)),
        ]
      : [button(texts.end, () => this.ending(true))];
    return [
      make("div", "card", [
        make("h2", "", texts.wall),
        ...(tiles.length ? [make("ol", "", tiles)] : [make("p", "", texts.nobody)]),
        make("div", "row", [
          button(paused ? words.resume : words.pause, () => session.say("pause", { on: !paused })),
          button(this.hasNames ? texts.hide_names : texts.show_names, () => this.names()),
          button(texts.csv, () => this.save()),
          ...ending,
        ]),
      ]),
    ];
  }

  names() {
    this.hasNames = !this.hasNames;
    this.draw();
  }

  /** @param {boolean} isEnding */
  ending(isEnding) {
    this.isEnding = isEnding;
    this.draw();
  }

  async end() {
    this.isEnding = false;
    await this.session.say("end");
    this.session.leave(true);
  }

  async save() {
    const { code = "" } = this.session.member ?? {},
      file = await this.session.csv();
    if (file) download(file, filled(this.data.texts.file, { code: code.slice(0, 6) }));
  }

  drawLesson() {
    const { texts, words, lessons } = this.data,
      { lesson, at } = prepared();
    /** @param {string} text @param {() => unknown} onclick */
    const button = (text, onclick) => make("button", "", text, { type: "button", onclick });
    const ready = lessons.map((one) =>
      button(`${one.title} · ${filled(texts.minutes, { n: one.minutes })}`, () =>
        prepare({ lesson: { title: one.title, steps: one.steps }, at: 0 }),
      ),
    );
    const refused = make("p", "error", "", { role: "alert" }),
      file = make("input", "", "", { type: "file", accept: ".json,application/json", hidden: true });
    file.onchange = async () => {
      try {
        prepare({ lesson: readLesson((await file.files?.[0]?.text()) ?? ""), at: 0 });
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
        refused.textContent = texts.not_lesson;
      }
    };
    const steps = lesson.steps.map((step, i) => {
      const remove = () =>
        prepare({
          lesson: { ...lesson, steps: lesson.steps.filter((_, other) => other !== i) },
          at: Math.min(at, lesson.steps.length - 2),
        });
      const about = step.ask ? questionText(step.ask, words) : "";
      return make("li", i === at ? "here" : "", [
        make("b", "", step.title),
        make("span", "", about === step.title ? "" : about),
        button(texts.open_step, () => this.open(i)),
        make("button", "close", "×", { type: "button", title: texts.remove, ariaLabel: texts.remove, onclick: remove }),
      ]);
    });
    const name = make("input", "", "", {
      type: "text",
      value: lesson.title,
      placeholder: texts.lesson_name,
      ariaLabel: texts.lesson_name,
      maxLength: 60,
      onchange: () => prepare({ lesson: { ...lesson, title: name.value }, at }),
    });
    this.lesson.replaceChildren(
      make("h2", "", texts.lesson_title),
      make("p", "", texts.lesson_about),
      make("div", "row", [make("span", "", texts.ready), ...ready, button(texts.import, () => file.click()), file]),
      refused,
      ...(steps.length
        ? [
            name,
            make("ol", "steps", steps),
            make("div", "row", [
              button(texts.export, () =>
                download(
                  new Blob([JSON.stringify(lesson, null, 1)], { type: "application/json" }),
                  `${lesson.title || "lesson"}.json`,
                ),
              ),
              button(texts.clear, () => prepare({ lesson: { title: "", steps: [] }, at: -1 })),
            ]),
          ]
        : []),
    );
  }

  /** @param {number} at */
  open(at) {
    const { lesson } = prepared();
    prepare({ lesson, at });
    open(this.session, lesson.steps[at].place, null);
  }
}

/** @param {Blob} file @param {string} name */
function download(file, name) {
  const link = make("a", "", "", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
