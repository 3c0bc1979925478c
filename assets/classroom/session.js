import { serverUrl } from "../shared/server.js";

const STUDENT = "attention-microscope-student", // in this tab, also after a reload
  TEACHER = "attention-microscope-teacher"; // in this browser alone: the key by which it speaks
const RETRY = 1500; // milliseconds until the server is asked again

/**
 * What this tab has to do with a class: none, a teacher's, or a student's.
 *
 * "change": the class or the connection has changed. What the server shows is `view`, all of it at each
 * change, so that a tab that was asleep finds its place by connecting again.
 */
export class ClassSession extends EventTarget {
  /** @type {Member | null} */
  member = null;
  /** @type {ClassView | null} */
  view = null;
  isAway = false;
  error = ""; // why the last request was refused
  /** @type {EventSource | null} */
  source = null;
  timer = 0;
  /** @type {Record<string, unknown> | null} */
  waiting = null; // an answer that the server does not have yet
  /** @type {{ place: Place, until: number } | null} */
  going = null; // where a step of the lesson leads, until this tab is there
  isOver = false; // the class that this tab was in

  constructor() {
    super();
    const student = sessionStorage.getItem(STUDENT),
      stored = student ?? localStorage.getItem(TEACHER);
    if (stored) this.enter(JSON.parse(stored));
    const wake = () => this.member && document.visibilityState === "visible" && this.connect();
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", () => this.source?.readyState !== EventSource.OPEN && wake());
  }

  get isTeacher() {
    return this.member?.role === "teacher";
  }

  notify() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Member} member */
  enter(member) {
    this.member = member;
    this.isOver = false;
    if (member.role === "teacher") localStorage.setItem(TEACHER, JSON.stringify(member));
    else sessionStorage.setItem(STUDENT, JSON.stringify(member));
    this.connect();
    this.notify();
  }

  /** Begins a class, whose teacher this browser is. */
  async start() {
    const address = serverUrl("").href,
      begun = await this.post("start", { address });
    if (begun) this.enter({ role: "teacher", ...begun });
  }

  /** @param {string} code @param {string} name */
  async join(code, name) {
    const before = JSON.parse(sessionStorage.getItem(STUDENT) ?? "null"),
      joined = await this.post("join", { code, name, key: before?.key });
    if (joined) this.enter({ role: "student", ...joined });
  }

  /**
   * Sends an event of this member; whether the server has taken it.
   * @param {string} what @param {Record<string, unknown>} [given]
   */
  async say(what, given = {}) {
    if (!this.member) return false;
    const { code, key } = this.member;
    return Boolean(await this.post(code, { key, do: what, ...given }));
  }

  /**
   * Sends an answer, again and again while the server cannot be reached.
   * @param {Asked} asked @param {string} answer
   */
  async answer({ number, round }, answer) {
    this.waiting = { question: number, round, answer };
    this.notify();
    await this.sendWaiting();
  }

  async sendWaiting() {
    const { waiting } = this;
    if (!waiting) return;
    const isTaken = await this.say("answer", waiting);
    if (this.waiting === waiting && (isTaken || this.error !== "away")) this.waiting = null;
    this.notify();
  }

  /** The answers as a CSV file, for the teacher. */
  async csv() {
    const { code = "", key = "" } = this.member ?? {};
    return this.post(`${code}/csv`, { key }, (response) => response.blob());
  }

  /**
   * The answer to a request; null if it was refused, and why in `error`.
   * @param {string} path @param {Record<string, unknown>} given
   * @param {(response: Response) => Promise<any>} [read]
   */
  async post(path, given, read = (response) => response.json()) {
    const body = JSON.stringify(given);
    this.error = "";
    try {
      const response = await fetch(serverUrl(`classroom/${path}`), { method: "POST", body });
      if (response.ok) return await read(response);
      const { error } = await response.json();
      this.error = error;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      this.error = "away"; // no network, or a proxy without a server behind it
    }
    if (this.error === "unknown" && path === this.member?.code) this.leave(true);
    this.notify();
    return null;
  }

  connect() {
    clearTimeout(this.timer);
    this.source?.close();
    if (!this.member) return;
    const { code, seat } = this.member,
      source = new EventSource(serverUrl(`classroom/${code}/events?seat=${seat}`));
    this.source = source;
    source.onmessage = ({ data }) => this.show(JSON.parse(data));
    source.onopen = () => {
      this.isAway = false;
      this.sendWaiting();
    };
    source.onerror = () => {
      this.isAway = true;
      this.notify();
      // A server that answers with an error is not asked again by the browser.
      if (source.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.again(), RETRY);
    };
  }

  /** Connects again, unless the class is over. */
  async again() {
    await this.say("at", { at: "" });
    this.connect();
  }

  /** @param {ClassView} view */
  show(view) {
    this.view = view;
    this.isAway = false;
    if (view.ended) this.leave(true);
    this.notify();
  }

  /** @param {boolean} [isOver] whether the class is over for all */
  leave(isOver = false) {
    this.source?.close();
    clearTimeout(this.timer);
    if (this.isTeacher) localStorage.removeItem(TEACHER);
    else sessionStorage.removeItem(STUDENT);
    Object.assign(this, { member: null, view: null, waiting: null, isAway: false, isOver });
    this.notify();
  }
}

/** The session of this tab, the same for all components. */
export const session = () => (document.classSession ??= new ClassSession());
