import { make, onRemoval, sectionOf, viewOf, within } from "../shared/dom.js";
import { serverUrl } from "../shared/server.js";
import { LastInput } from "./last_input.js";

const CONNECTION = "data-test-connection-state",
  SCRIPT = "data-test-script-state";
const LOST = ["PINGING_SERVER", "CONNECTING"]; // of Streamlit's states: it tries again by itself
const GRACE = 700; // milliseconds: to go to another replica takes less
const PATIENCE = 3000; // milliseconds from an input to the question whether the server is there
const LIMIT = 4000; // milliseconds for its answer
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * away: while the server cannot be reached. here: how to start it, where it is the reader's own.
 * waits: at the input that it has not answered. titles: of Streamlit's dialog on the same.
 * @typedef {{ away: string, here: string, waits: string, titles: string[] }} Words
 */

/**
 * Shows a message while the server cannot be reached, marks the input that waits for it, and reruns the
 * page once the server is back.
 *
 * Streamlit reconnects but reruns nothing until the user acts. A restarted server would then take the URL for a new
 * link and discard the last input.
 * @param {ComponentArgs<Words>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const connection = viewOf(parentElement, () => new Connection(parentElement));
  connection.take(data, () => setTriggerValue("again", Date.now()));
  return onRemoval(parentElement, () => connection.destroy());
}

class Connection {
  /** @param {Ground} parentElement */
  constructor(parentElement) {
    this.section = sectionOf(parentElement);
    this.section.role = "status";
    this.app = within(document, `[${CONNECTION}]`);
    this.state = this.app.getAttribute(CONNECTION);
    this.isLost = false;
    this.isSilent = false; // connected, but an input gets no answer
    this.isBack = false; // until the first run after that
    /** @type {Words} */
    this.words = { away: "", here: "", waits: "", titles: [] };
    this.again = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.input = new LastInput(() => this.expect());
    this.watch = new MutationObserver((changes) => this.look(changes));
    this.watch.observe(this.app, { attributeFilter: [CONNECTION, SCRIPT] });
    this.dialogs = new MutationObserver(() => this.closeDialog());
  }

  /** @param {Words} words @param {() => void} again */
  take(words, again) {
    Object.assign(this, { words, again });
    this.draw();
  }

  /** @param {MutationRecord[]} changes */
  look(changes) {
    const state = this.app.getAttribute(CONNECTION) ?? "";
    if (LOST.includes(state) && this.state === "CONNECTED") this.lose();
    else if (state === "CONNECTED" && this.state !== state) this.find();
    this.state = state;
    if (!this.isRunning() && changes.some(({ attributeName }) => attributeName === SCRIPT)) this.answered();
  }

  lose() {
    this.wait(() => this.set({ isLost: true }), GRACE);
    this.dialogs.observe(document.body, { childList: true, subtree: true });
  }

  find() {
    clearTimeout(this.timer);
    this.dialogs.disconnect();
    this.set({ isLost: false, isSilent: false, isBack: true });
    this.again();
  }

  answered() {
    const { isBack } = this;
    this.set({ isSilent: false, isBack: false });
    if (isBack) this.input.repeat();
    else this.input.forget();
  }

  /** Gives the server some time to answer an input. */
  expect() {
    if (this.state === "CONNECTED") this.wait(() => void this.ask(), PATIENCE);
  }

  async ask() {
    const isSilent = !(await isThere());
    if (this.state !== "CONNECTED" || !this.input.container) return;
    this.set({ isSilent });
    if (isSilent || this.isRunning()) this.expect();
  }

  isRunning() {
    return this.app.getAttribute(SCRIPT) !== "notRunning";
  }

  /** @param {() => void} then @param {number} milliseconds */
  wait(then, milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }

  /** @param {Partial<Pick<Connection, "isLost" | "isSilent" | "isBack">>} now */
  set(now) {
    Object.assign(this, now);
    this.draw();
  }

  draw() {
    const { away, here, waits } = this.words,
      isAway = this.isLost || this.isSilent,
      sentences = !isAway ? [] : LOOPBACK.includes(location.hostname) ? [away, here] : [away];
    if (this.section.textContent !== sentences.join(""))
      this.section.replaceChildren(...sentences.map((sentence) => make("p", "", sentence)));
    document.documentElement.toggleAttribute("data-away", isAway);
    this.input.mark(isAway ? waits : "");
  }

  /** Streamlit's dialog says the same in its own words, and lies over a page that can be used. */
  closeDialog() {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const title = dialog.querySelector('[slot="title"]')?.textContent ?? "";
      if (this.words.titles.includes(title)) within(dialog, "button").click();
    }
  }

  destroy() {
    clearTimeout(this.timer);
    this.input.destroy();
    this.watch.disconnect();
    this.dialogs.disconnect();
  }
}

/** Whether the server answers at all: its connection may be open and lead to nothing. */
async function isThere() {
  const asked = fetch(serverUrl("_stcore/health"), { cache: "no-store", signal: AbortSignal.timeout(LIMIT) });
  return asked.then(
    ({ ok }) => ok,
    () => false,
  );
}
