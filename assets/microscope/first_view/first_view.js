import { followInApp, make, spans } from "../../shared/dom.js";
import { fill } from "../engine/readings.js";
import { attentionRow, hasAttention } from "./attention_row.js";
import { sentence } from "./sentence.js";
import { isSpecial, takesMost, tokenName } from "./takes_most.js";
import { threeSteps } from "./three_steps.js";

const MOSTLY = 0.5; // a share of the first token with which little is left for others

/** Whether a name is shown cut off. @param {string} shown @param {string} name */
const isCut = (shown, name) => shown.endsWith("…") && name.startsWith(shown.slice(0, -1));

/**
 * What stands above the machine: the words and who takes most from whom, then score, share and mix of the word
 * that was touched, and the way into the machine. Nothing of it asks the server.
 * @param {Store} store @param {{ request(what: What): void }} given
 */
export function firstView(store, { request }) {
  const takes = make("p", "takes", "", { ariaLive: "polite" }),
    following = make("p", "following"),
    head = make("p", "head-does"),
    without = make("p", "without"),
    notes = make("p", "notes"),
    sink = make("p", "sink"),
    opener = make("button", "open", "", { onclick: () => open() }),
    opens = make("small"),
    origin = make("p", "notes"),
    steps = threeSteps(store);
  /** @type {number | null} */
  let pointed = null;
  /** @param {number | null} word */
  const point = (word) => {
    if (pointed === word) return;
    pointed = word;
    request("hover");
  };
  const choose = (/** @type {number} */ query) => {
    steps.reset();
    store.move({ positions: { query } });
  };
  const text = sentence(store, { point, choose }),
    resized = new ResizeObserver(() => request("size"));
  resized.observe(text.row);
  const element = make("section", "first-view", [
    text.element,
    make("div", "found", [takes, following, head, without]),
    sink,
    steps.element,
    make("div", "way", [opener, opens]),
    notes,
    origin,
  ]);
  /** @type {AttentionRow | null} */
  let drawn = null,
    shown = "";

  /** @param {string} name @param {Record<string, string | Span>} [fields] */
  const say = (name, fields) => spans(fill(store.texts?.says[name] ?? [], fields));

  /** @param {Set<What>} what @param {Frame} frame */
  function changed(what, { palette }) {
    const { trace, machine } = store;
    element.hidden = !store.texts || !hasAttention(store);
    drawn = null;
    if (element.hidden) return;
    if (what.has("trace")) {
      steps.reset();
      text.fill(
        say("tokens")
          .map(({ textContent }) => textContent)
          .join(""),
      );
      notes.replaceChildren(...specialNotes());
      [origin.textContent] = trace.sheets.origin.split("\n"); // how they are stored is said in the machine, on pointing at this line
    }
    const chosen = store.positionOf("weights", "query"),
      row = (drawn = attentionRow(store, pointed ?? chosen));
    const unused = store.texts?.unused[store.head],
      [name, fields] = takesMost(trace, row, store.texts?.rows);
    takes.replaceChildren(...say(unused ?? name, fields));
    following.textContent = store.texts?.following ?? "";
    element.classList.toggle("unused", Boolean(unused));
    opener.replaceChildren(...say(machine ? "close_machine" : "open"));
    opener.ariaExpanded = String(machine);
    element.classList.toggle("folded", machine);
    opens.replaceChildren(...say(machine ? "bridge" : "open_does"));
    if (machine) return; // only the line, the button and what it opens are shown
    text.mark(row);
    sink.replaceChildren(...(unused ? [] : sinkOf(attentionRow(store, chosen))));
    head.textContent = store.texts?.heads[store.head] ?? "";
    without.replaceChildren(...withoutHead(unused));
    const stepped = steps.opened() ? attentionRow(store, chosen) : row,
      now = [trace.id, store.head, stepped.query, palette.ground, Boolean(trace.photo)].join();
    if (now !== shown || what.has("selection")) steps.show(stepped, say, palette);
    shown = now;
  }

  /**
   * That most of a word's weight is left with the first token, and the way to the head that links the word to another.
   * @param {AttentionRow} at
   */
  function sinkOf(at) {
    const { query, keys, shares } = at,
      { trace, texts } = store,
      link = texts?.links[query],
      [name, { row }] = takesMost(trace, at, texts?.rows);
    if (!["takes_first", "takes_special"].includes(name) || keys[0] || shares[0] < MOSTLY) return [];
    const said = make("span", "", say("sink", { row }));
    if (!link) return [said];
    /** @type {Span} */
    const column = [tokenName(trace, "key", link.key), "key"];
    const { model, layer, head, share } = link;
    return [said, wayOn(say("sink_link", { row, column, share }), { model, layer, head, row: query + 1 })];
  }

  /** What the model would predict without the head, and the way to switch it off or on. @param {string} [unused] */
  function withoutHead(unused) {
    const { switches, without } = /** @type {FirstViewTexts} */ (store.texts),
      given = switches[store.head];
    if (!given || unused === "off") return [];
    const label = say(unused ? "switch_on" : "switch_off");
    return [make("span", "", unused ? "" : (without[store.head] ?? "")), wayOn(label, given)];
  }

  /** A link to what these parameters show on this page; those that are empty are left out. @param {HTMLElement[]} text @param {Record<string, string | number>} given */
  function wayOn(text, given) {
    const address = new URL(location.href);
    address.searchParams.delete("part");
    for (const [name, value] of Object.entries(given)) {
      if (value) address.searchParams.set(name, String(value));
      else address.searchParams.delete(name);
    }
    const way = make("a", "way-on", text, { href: address.href });
    way.onclick = (event) => followInApp(event, way);
    return way;
  }

  /** Opens the machine at the number that was read last, of which the reader knows what it is; or closes it. */
  function open() {
    const cell = steps.opened();
    if (store.machine) store.setMachine(false);
    else {
      if (cell) store.follow({ stage: cell.key, index: cell.index });
      else store.move({ positions: { key: attentionRow(store, store.positionOf("weights", "query")).keys[0] } });
      store.setMachine(true);
    }
  }

  /** What special tokens of this text are. */
  function specialNotes() {
    const { trace, texts } = store,
      tokens = [...Array(trace.size("weights", "key")).keys()].filter((token) => isSpecial(trace, token)),
      names = new Set(tokens.map((token) => tokenName(trace, "key", token)));
    return Object.entries(texts?.special ?? {})
      .filter(([name]) => [...names].some((shown) => name === shown || isCut(shown, name)))
      .map(([, note]) => make("span", "", note));
  }

  const settle = () => {
    if (drawn && !store.machine) text.draw(drawn);
  };
  return { element, changed, settle, destroy: () => resized.disconnect() };
}
