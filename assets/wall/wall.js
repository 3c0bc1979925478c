import { connect } from "../microscope/hosts/connect.js";
import { all, label, make, onRemoval, sectionOf, setText, viewOf, within } from "../shared/dom.js";
import { serverUrl } from "../shared/server.js";
import { Control } from "./control.js";
import { ARROWS, pressOf, STEPS } from "./press.js";

const SCRIPT = "data-test-script-state",
  SHOWN = "data-wall", // by this page's own figure
  PRESENTING = "data-presenting", // by its microscope
  HIDDEN = "data-result-hidden",
  BLANK = "data-blank", // which a class follows, as it does the one before (assets/classroom/place.js)
  LED = "data-led"; // by a class, which then decides what is hidden
const ALWAYS = ["wall", "classroom", "connection", "lead", "learnt", "notices", "error"];
const FOLDED = "details:not([open]):has(.st-key-microscope) > summary"; // what would hide it in presenter view, too
const ELEMENTS = ["stElementContainer", "stLayoutWrapper", "stColumn"].map((id) => `[data-testid="${id}"]`).join();
const CHARTS = '[data-testid="stElementContainer"]:has(> * > [data-testid="stPlotlyChart"])';
const NARROWEST = 150; // pixels of a chart: Streamlit draws none that is narrower, and cuts it
const HIGH = "--high", // of a chart, before it is enlarged
  ZOOM = "--wall-zoom";
// Of a screen with 1080 lines: the smallest type of a page has 13 pixels, of the story 15, and the last row reads 20.
const SCREEN = [1440, 1080],
  READ = 20,
  [SMALLEST, OF_STORY] = [13, 15],
  [WHOLE, NEARLY] = [0.75, 0.85], // of its size: a scene, another page, where it is then whole on a small screen
  MOST = 3,
  FINER = 0.1;
const ALONE = ["Shift", "Control", "Alt", "Meta"];

/**
 * path: of the page, "" for the first one. figure, control: keys of its elements. guess: it opens with its result hidden.
 * linked: what its link says, null unless one was just opened.
 * @typedef {{
 *   path: string, figure: string[], control: string[], guess: boolean, words: Record<string, string>, arrival: number,
 *   linked: { present: boolean, hide: boolean } | null,
 * }} Given
 */

/**
 * Presenter view of every page: its headline, one figure, the control of that and what it teaches, as large as the screen
 * allows; on a page without such a figure, that of the microscope. Both are in the address, written by the browser.
 * @param {ComponentArgs<Given>} args
 */
export default function ({ data, parentElement }) {
  const wall = viewOf(parentElement, () => new Wall(parentElement));
  wall.take(data);
  return onRemoval(parentElement, () => wall.destroy());
}

class Wall {
  given = /** @type {Given} */ (/** @type {unknown} */ ({ figure: [], control: [], guess: false, words: {} }));
  root = document.documentElement;
  sheet = new CSSStyleSheet();
  /** @type {Store | null} */
  store = null;
  isLedOn = false; // by a link that a key has followed in presenter view
  isLeft = false; // at Back, until the server has run the page
  isNew = true; // a link was followed; a server that is back says once more what the address was
  isWanted = false; // by P, before the page had its microscope
  opens = false; // the link opens the microscope in presenter view, which it is not yet
  /** @type {Press[]} */
  waiting = [];
  control = new Control();
  wait = () => {
    this.isLeft = this.isNew = true;
    this.control.forget();
  };
  settle = () => this.control.settle();

  /** @param {Ground} parentElement */
  constructor(parentElement) {
    const section = sectionOf(parentElement);
    /** @param {string} name @param {() => void} onclick */
    const button = (name, onclick) => make("button", name, "", { onclick });
    this.enter = section.appendChild(button("enter", () => this.present(true)));
    this.previous = button("previous", () => this.control.move(-1));
    this.next = button("next", () => this.control.move(1));
    this.hide = button("hide", () => this.toggleResult());
    this.leave = button("leave", () => this.present(false));
    this.bar = section.appendChild(make("div", "bar", [this.previous, this.next, this.hide, this.leave]));
    this.black = section.appendChild(make("div", "black", "", { popover: "manual", onclick: () => this.blank(false) }));
    document.adoptedStyleSheets.push(this.sheet);
    this.page = within(document, '[data-testid="stMain"]');
    this.path = "";
    this.fitted = this.zoom = 0; // the height of the page after the last fit, and how much it was enlarged
    this.app = within(document, `[${SCRIPT}]`);
    this.watch = new MutationObserver((changes) => this.look(changes));
    this.watch.observe(this.app, { attributeFilter: [SCRIPT] });
    this.watch.observe(this.root, { attributeFilter: [SHOWN, PRESENTING, HIDDEN, LED] });
    const { pressed, stop } = document.earlyKeys ?? {};
    this.waiting.push(...(pressed ?? []));
    stop?.();
    document.addEventListener("keydown", this.press, true);
    document.addEventListener("pointerdown", this.touch, true);
    addEventListener("resize", this.fit);
    addEventListener("popstate", this.wait);
    document.addEventListener("settings", this.settle);
    globalThis.navigation?.addEventListener("navigate", this.leavePage);
    globalThis.navigation?.addEventListener("currententrychange", this.moved);
    this.resized = new ResizeObserver(() => {
      if (this.page.scrollHeight !== this.fitted || [...all(document, CHARTS)].some(isNew)) this.fit();
      this.settle(); // what the control draws may just have come
    });
    this.resized.observe(within(document, '[data-testid="stMainBlockContainer"]'));
    this.disconnect = connect("main", (store) => this.follow(store));
  }

  /** @param {Given} given */
  take(given) {
    const { arrival } = this.given,
      { figure, control, words, linked } = given,
      path = serverUrl(given.path).pathname; // a run of the page before may come after its address is gone
    this.given = given;
    this.isNew ||= path !== this.path;
    this.isWanted &&= path === this.path;
    this.path = path;
    this.control.take(control);
    const shown = [...ALWAYS, ...figure, ...control]
      .map((key) => `.st-key-${key}`)
      .concat("h1")
      .join();
    this.sheet.replaceSync(
      `[${SHOWN}] [data-testid="stMainBlockContainer"] :is(${ELEMENTS}):not(:is(${shown}), :is(${shown}) *, :has(:is(${shown}))) { display: none; }`,
    );
    if (linked && this.isNew && given.arrival !== arrival && path === location.pathname) {
      this.isNew = this.isLeft = false;
      this.root.toggleAttribute(SHOWN, (linked.present || this.isLedOn) && figure.length > 0);
      this.isLedOn = false;
      this.opens = linked.present && !figure.length;
      if (this.store) this.store.hideResult(this.isToHide);
      else this.root.toggleAttribute(HIDDEN, this.isToHide);
      this.keep(); // a short run may have changed nothing that is looked at
    }
    setText(this.enter, words.presenter);
    this.enter.title = words.shortcuts;
    label(this.previous, "‹", words.previous);
    label(this.next, "›", words.next);
    setText(this.leave, words.leave);
    this.black.ariaLabel = words.blank;
    this.draw();
    this.catchUp();
  }

  /** Takes the keys that were pressed while this page was not there yet. */
  catchUp() {
    if (this.root.hasAttribute(PRESENTING)) this.opens = false;
    if (!this.isReady) return;
    for (const press of this.waiting.splice(0)) {
      if (press.path === this.path && !this.isPressed(press)) hand(press);
    }
  }

  /** For keys: until then they wait. */
  get isReady() {
    return this.path === location.pathname && !this.opens;
  }

  /** The result of a microscope is hidden as the link says. @param {Store} store */
  follow(store) {
    this.store = store;
    store.hideResult(this.isToHide);
    const deaf = store.listen((what) => what === "trace" && this.isWanted && setTimeout(() => this.enterWanted()));
    return () => {
      deaf();
      this.store = null;
    };
  }

  /** After the microscope has gone where its link leads. */
  enterWanted() {
    if (this.isWanted) this.present(true);
    this.isWanted = false;
  }

  /** @param {MutationRecord[]} changes */
  look(changes) {
    if (this.app.getAttribute(SCRIPT) === "notRunning") this.isLeft = false;
    if (changes.some(({ target }) => target === this.root)) this.write();
    else this.keep();
    this.draw();
    this.catchUp();
  }

  /** The server writes the address without them. */
  keep() {
    if (!this.isLeft && (this.isPresenting || this.isHidden)) this.write();
  }

  /**
   * Another address of this page, which need not come with a change of the script's state.
   * @param {NavigationCurrentEntryChangeEvent} event
   */
  moved = ({ navigationType }) => {
    if (navigationType !== "traverse" && location.pathname === this.path) this.keep();
  };

  draw() {
    const { figure, control, words } = this.given,
      isShown = this.root.hasAttribute(SHOWN);
    this.enter.hidden = isShown || !figure.length;
    this.bar.hidden = !isShown;
    this.previous.hidden = this.next.hidden = !control.length;
    this.hide.disabled = this.root.hasAttribute(LED);
    setText(this.hide, this.isHidden ? words.show : words.hide);
    if (!this.isPresenting) this.blank(false);
    this.fit();
  }

  /** The largest type with which all fits the screen, and never less than the last row reads. */
  fit = () => {
    const { page, root } = this;
    if (!root.hasAttribute(SHOWN)) return void root.style.removeProperty(ZOOM);
    const isStory = this.given.figure.includes("story"),
      smallest = isStory ? OF_STORY : SMALLEST,
      [wide, high] = isStory && innerHeight > innerWidth ? SCREEN.toReversed() : SCREEN, // its figure is below what is said
      least = Math.max(isStory ? WHOLE : NEARLY, (READ / smallest) * Math.min(innerWidth / wide, innerHeight / high)),
      most = isStory ? least : MOST; // all scenes have one size
    /** @param {Element} one */
    const isCut = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1;
    const charts = [...all(document, CHARTS)];
    for (const chart of charts) chart.style.setProperty(HIGH, `${chart.clientHeight}px`);
    /** @param {Element} chart */
    const isNarrow = ({ clientWidth }) => clientWidth > 0 && clientWidth < NARROWEST;
    const frames = this.given.figure.flatMap((key) => framesIn(key));
    /** @param {number} zoom */
    const fitsAcross = (zoom) => {
      root.style.setProperty(ZOOM, String(zoom));
      return ![page, ...frames].some(isCut) && !charts.some(isNarrow);
    };
    /** @param {number} zoom */
    const fits = (zoom) => fitsAcross(zoom) && page.scrollHeight <= page.clientHeight;
    // From the last size on, which is mostly still the right one: to try each costs a layout.
    this.zoom = Math.min(most, Math.max(this.zoom, least));
    while (this.zoom > least && !fits(this.zoom)) this.zoom = Math.max(least, this.zoom - FINER);
    // What must be scrolled in any case is read as on the page itself.
    if (!isStory && this.zoom < 1 && !fits(this.zoom)) this.zoom = 1;
    while (this.zoom < most && fits(this.zoom + FINER)) this.zoom += FINER;
    // Rather small than cut at the right.
    while (this.zoom > WHOLE && !fitsAcross(this.zoom)) this.zoom -= FINER;
    root.style.setProperty(ZOOM, String(this.zoom));
    this.fitted = page.scrollHeight;
  };

  get isPresenting() {
    return this.root.hasAttribute(SHOWN) || this.root.hasAttribute(PRESENTING);
  }

  /** As the link says, or a class that has gone on since it led this tab here. */
  get isToHide() {
    const { linked } = this.given,
      isLed = this.root.hasAttribute(LED);
    return Boolean(isLed ? document.classSession?.view?.place?.hide : linked?.hide);
  }

  get isHidden() {
    return this.root.hasAttribute(HIDDEN);
  }

  /** @param {boolean} on */
  present(on) {
    const { figure, guess } = this.given;
    this.isNew = false; // done after the link was followed
    if (guess && !this.root.hasAttribute(LED)) this.root.toggleAttribute(HIDDEN, on);
    if (figure.length) this.root.toggleAttribute(SHOWN, on);
    else {
      if (on) all(document, FOLDED).forEach((summary) => summary.click());
      this.store?.present(on);
    }
    this.page.scrollTo(0, 0);
  }

  toggleResult() {
    this.isNew = false;
    if (this.store) this.store.toggleResult();
    else if (!this.root.hasAttribute(LED)) this.root.toggleAttribute(HIDDEN);
  }

  /** @param {boolean} on */
  blank(on) {
    if (this.black.matches(":popover-open") === on) return;
    this.black.togglePopover(on);
    this.root.toggleAttribute(BLANK, on);
  }

  /**
   * Before the microscope hears it, which has keys of its own. Presenter view hears none of another component.
   * @param {KeyboardEvent} event
   */
  press = (event) => {
    if (!event.isTrusted || ALONE.includes(event.key)) return;
    const press = pressOf(event),
      isBlank = this.black.matches(":popover-open");
    if (!press) this.control.forget(); // the reader does something else
    if (isBlank) this.blank(false);
    else if (!press) return;
    else if (press.path !== this.path || !this.isReady) this.waiting.push(press);
    else if (!this.isPressed(press)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** @param {PointerEvent} event */
  touch = (event) => {
    if (!event.composedPath().includes(this.bar)) this.control.forget();
  };

  /** Whether a key was for presenter view. @param {Press} press */
  isPressed({ name }) {
    const isShown = this.root.hasAttribute(SHOWN),
      by = STEPS[name] ?? ARROWS[name];
    if (isShown && by) this.control.move(by);
    else if (name === "b" && this.isPresenting) this.blank(true);
    else if (name === "p" && (this.given.figure.length || this.store)) this.present(!this.isPresenting);
    else if (name === "p") this.isWanted = !this.isWanted;
    else if (name === "h") this.toggleResult();
    else if (name === "Escape" && isShown) this.present(false);
    else return false;
    return true;
  }

  /** @param {NavigateEvent} event */
  leavePage = (event) => {
    const path = new URL(event.destination.url).pathname;
    if (event.navigationType !== "push" || path === location.pathname) return;
    // Streamlit names the page of a run that began before the reader left it, and it comes late.
    if (path === this.path && !document.isOpening) event.preventDefault();
    else this.isLedOn = this.root.hasAttribute(SHOWN) && !this.root.hasAttribute(LED);
  };

  write() {
    const query = new URLSearchParams(location.search);
    const written = { hide: this.isHidden, ...(this.given.figure.length && { present: this.isPresenting }) };
    for (const [name, is] of Object.entries(written)) {
      if (is) query.set(name, "1");
      else query.delete(name);
    }
    const search = query.size ? `?${query}` : "";
    if (search !== location.search) history.replaceState(history.state, "", location.pathname + search);
  }

  destroy() {
    this.watch.disconnect();
    this.resized.disconnect();
    this.disconnect();
    document.removeEventListener("keydown", this.press, true);
    document.removeEventListener("pointerdown", this.touch, true);
    removeEventListener("resize", this.fit);
    removeEventListener("popstate", this.wait);
    document.removeEventListener("settings", this.settle);
    globalThis.navigation?.removeEventListener("navigate", this.leavePage);
    globalThis.navigation?.removeEventListener("currententrychange", this.moved);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
    this.root.removeAttribute(SHOWN);
  }
}

/** Whether a chart was drawn anew, without the room for its larger picture. @param {HTMLElement} chart */
const isNew = ({ style, clientHeight }) => clientHeight > 0 && style.getPropertyValue(HIGH) !== `${clientHeight}px`;

/** What scrolls sideways inside an element, in components too. @param {string} key */
function framesIn(key) {
  const roots = [...all(document, `.st-key-${key}, .st-key-${key} *`)].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return roots.flatMap((root) => [...root.querySelectorAll(".scrolls, .chain")]);
}

/** A key that was not for presenter view goes to the microscope. @param {Press} press */
const hand = ({ name }) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
