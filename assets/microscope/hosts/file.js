import { NAMES, paramsOf, selectionOf } from "./address.js";
import { make } from "../../shared/dom.js";
import { mount } from "../mount.js";
import { byId, pieceOf, textOf } from "./pieces.js";
import { debounced } from "./debounce.js";
import { sceneOf } from "../engine/blob.js";
import { Trace } from "../engine/trace.js";

const LANGUAGE = "lang";

/* The microscope in a file of its own: no server, no network. What it shows stands in the page:
   `contents`, JSON, lists the scenes and the pieces of each; a piece is bytes, deflated. */
/**
 * @typedef {{ name: string, title: string, heading: string, facts: [string, string, string][], note: string }} Around
 * @type {{
 *   parts: PartName[], language: string, languages: Record<string, Around>, scenes: Record<string, string[][]>,
 *   held: [head: number | null, steps: string[]][],
 *   start: SelectionState, query: string,
 * }}
 */
const contents = JSON.parse(textOf("contents"));
const headNote = byId("head-note"),
  microscope = byId("microscope");
const instance = mount(microscope.shadowRoot ?? microscope, { name: "main", parts: contents.parts, hints: false }),
  { store } = instance;
store.fixedHead = new Set(contents.held.flatMap(([head]) => head ?? [])).size === 1;
/** held: what each scene has; traces: of the scenes that were needed so far; shown: the index of one.
 * @type {{ language: string, traces: Map<number, Promise<Trace>>, shown: number }} */
const view = { language: "", traces: new Map(), shown: -1 };

await speak(languageAsked() ?? contents.language);
go(new URLSearchParams(contents.query));
go(params());
await keepHere();
instance.on("selection", keepHere);
const { rest } = debounced(write);
instance.on("selection", () => rest());
addEventListener("hashchange", arrive);

function params() {
  return new URLSearchParams(location.hash.slice(1));
}

function languageAsked() {
  const language = params().get(LANGUAGE);
  return language !== null && language in contents.languages ? language : null;
}

/** @param {URLSearchParams} to */
function go(to) {
  if (NAMES.some((name) => to.has(name))) instance.go(selectionOf(to, store));
}

async function arrive() {
  const language = languageAsked();
  if (language && language !== view.language) await speak(language);
  go(params());
}

function write() {
  if (store.playing) return;
  const named = new URLSearchParams({ ...paramsOf(store), [LANGUAGE]: view.language });
  history.replaceState(null, "", `#${named}`);
}

// A step or a head whose numbers are elsewhere: other numbers are brought, or the reader stays with this head.
async function keepHere() {
  if (store.isHere) return;
  const { stage, head } = store,
    withStep = contents.held.flatMap(([, steps], i) => (steps.includes(stage) ? [i] : []));
  const here = withStep.find((i) => [null, head].includes(contents.held[i][0]));
  await bring(here ?? withStep[0] ?? 0);
  headNote.classList.toggle("asked", here === undefined);
}

/** @param {number} index @param {SelectionState} [start] */
async function bring(index, start) {
  const trace = await traceOf(index);
  if (!start && store.isHere) return; // the reader has gone back meanwhile
  view.shown = index;
  instance.show(trace, start);
  if (!start && trace.head !== null && trace.head !== store.head) instance.go({ head: trace.head });
}

/** @param {number} index */
function traceOf(index) {
  const made =
    view.traces.get(index) ?? sceneFrom(contents.scenes[view.language][index]).then((scene) => new Trace(scene));
  view.traces.set(index, made);
  return made;
}

/** @param {string} language */
async function speak(language) {
  Object.assign(view, { language, traces: new Map() });
  if (view.shown < 0) await bring(0, contents.start);
  else instance.show(await traceOf(view.shown));
  label(contents.languages[language]);
}

/** @param {string[]} names */
async function sceneFrom(names) {
  const pieces = await Promise.all(names.map(pieceOf));
  return sceneOf(new Uint8Array(await new Blob(pieces).arrayBuffer()));
}

/**
 * Sets the texts around the microscope; never markup.
 * @param {Around} around
 */
function label({ title, heading, facts, note }) {
  document.documentElement.lang = view.language;
  document.title = title;
  headNote.textContent = note;
  document.querySelector("h1")?.replaceChildren(heading);
  document.querySelector("dl")?.replaceChildren(...facts.flatMap(fact));
  document
    .querySelector("nav")
    ?.replaceChildren(...Object.entries(contents.languages).map(([code, { name }]) => choice(code, name)));
}

/** @param {[string, string, string]} given */
function fact([name, text, address]) {
  const value = address ? make("a", "", text, { href: address }) : make("span", "", text);
  return [make("dt", "", name), make("dd", "", [value])];
}

/** @param {string} code @param {string} name */
function choice(code, name) {
  const onclick = async () => {
    await speak(code);
    write();
  };
  return make("button", "", name, { lang: code, ariaPressed: String(code === view.language), onclick });
}
