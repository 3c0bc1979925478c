import { followInApp, make, setChildren, spans } from "../../shared/dom.js";
import { perCent } from "../engine/numbers.js";
import { fill } from "../engine/readings.js";
import { attentionRow, hasAttention } from "./attention_row.js";
import { sentence } from "./sentence.js";
import { specialNotes, takesMost, tokenName } from "./takes_most.js";
import { threeSteps } from "./three_steps.js";

const MOSTLY = 0.5, // a share of the first token with which little is left for others
  CLEARLY = 0.1, // a share by which another head gives more
  SAME = 0.005; // a share by which no two printed ones differ

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
    hiding = make("p", "hiding"),
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
    make("div", "words-row", [text.element, hiding]),
    notes,
    make("div", "found", [takes, following, head, without]),
    sink,
    steps.element,
    make("div", "way", [opener, opens]),
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
      shown = "";
      text.fill(
        say("tokens")
          .map(({ textContent }) => textContent)
          .join(""),
      );
      notes.replaceChildren(...specialNotes(trace, store.texts).map((note) => make("span", "", note)));
      [origin.textContent] = trace.sheets.origin.split("\n"); // how they are stored is said in the machine, below this line
    }
    const chosen = store.positionOf("weights", "query"),
      row = (drawn = attentionRow(store, pointed ?? chosen));
    const unused = store.texts?.unused[store.head],
      [name, fields] = takesMost(trace, row, store.texts?.rows);
    takes.replaceChildren(...say(unused ?? name, fields));
    following.textContent = store.texts?.following ?? "";
    element.classList.toggle("unused", Boolean(unused));
    setChildren(opener, say(machine ? "close_machine" : "open"));
    opener.ariaExpanded = String(machine);
    element.classList.toggle("folded", machine);
    opens.replaceChildren(...say(machine ? "bridge" : "open_does"));
    if (machine) return; // only the line, the button and what it opens are shown
    text.mark(row);
    setChildren(sink, unused ? [] : wayToLink(attentionRow(store, chosen)));
    head.replaceChildren(...headDoes(row));
    head.hidden = !head.hasChildNodes() && !store.texts?.heads[store.head];
    setChildren(without, withoutHead(unused));
    setChildren(hiding, unused === "off" ? [] : hideWords(attentionRow(store, chosen)));
    const stepped = steps.trail.length ? attentionRow(store, chosen) : row,
      now = [trace.id, store.head, stepped.query, palette.ground, Boolean(trace.photo)].join();
    if (now !== shown || what.has("selection")) steps.show(stepped, say, palette);
    shown = now;
  }

  /**
   * Whether most of a word's weight is left with the first token, and the way to the head that links the word to
   * another, if that gives clearly more to one.
   * @param {AttentionRow} at
   */
  function wayToLink(at) {
    const { query, keys, shares } = at,
      { trace, texts } = store,
      link = texts?.links[query],
      [name, { row }] = takesMost(trace, at, texts?.rows);
    const rests = ["takes_first", "takes_special"].includes(name) && !keys[0] && shares[0] >= MOSTLY,
      said = rests ? [make("span", "", say("sink", { row }))] : [];
    const others = texts?.content.filter((key) => key !== query) ?? [],
      most = Math.max(...others.map((key) => shares[key]));
    if (!link || link.share < most + CLEARLY) return said;
    /** @type {Span} */
    const column = [tokenName(trace, "key", link.key), "key"];
    const { model, layer, head } = link,
      label = say("sink_link", { row, column, share: perCent(link.share) });
    return [...said, wayOn(label, { model, layer, head, row: query + 1 })];
  }

  /** What the head does at this word; nothing where that is seen at others only. @param {AttentionRow} at */
  function headDoes({ query, shares }) {
    const { heads, links, rows } = /** @type {FirstViewTexts} */ (store.texts),
      does = heads[store.head],
      link = links[query];
    if (does?.queries.includes(query)) return [make("span", "", does.text)];
    const isIt = link && link.share - shares[link.key] < SAME;
    return isIt ? say("links_most", { row: [tokenName(store.trace, "query", query, rows), "query"] }) : [];
  }

  /** What the model would predict without the head, and the way to switch it off or on. @param {string} [unused] */
  function withoutHead(unused) {
    const { switches, without } = /** @type {FirstViewTexts} */ (store.texts),
      given = switches[store.head],
      row = store.positionOf("weights", "query") + 1;
    if (!given || unused === "off") return [];
    const label = say(unused ? "switch_on" : "switch_off");
    return [make("span", "", unused ? "" : (without[store.head] ?? "")), wayOn(label, { ...given, row })];
  }

  /**
   * Ways to what comes next if no other word may look at the chosen one, or at the word that this takes most from, if
   * hiding it says nothing; and back to the words that are hidden.
   * @param {AttentionRow} at
   */
  function hideWords({ query, keys }) {
    const { switches, hiding, hidden, content, rows } = /** @type {FirstViewTexts} */ (store.texts),
      given = switches[store.head],
      can = [query, ...keys.filter((key) => content.includes(key)), ...keys].find((word) => word in hiding);
    if (!given || can === undefined) return [];
    return [...new Set([...hidden, can])].map((word) => {
      const row = /** @type {Span} */ ([tokenName(store.trace, "query", word, rows), "key"]),
        label = say(hidden.includes(word) ? "show_word" : "hide_word", { row });
      return wayOn(label, { ...given, change: hiding[word], row: query + 1 });
    });
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
    if (store.machine) store.setMachine(false);
    else if (steps.trail.length) store.openMachineAt(steps.trail);
    else {
      store.move({ positions: { key: attentionRow(store, store.positionOf("weights", "query")).keys[0] } });
      store.setMachine(true);
    }
  }

  const settle = () => {
    if (drawn && !store.machine) text.draw(drawn);
  };
  return { element, changed, settle, destroy: () => resized.disconnect() };
}
