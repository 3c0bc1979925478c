import { NAMES, paramsOf, selectionOf } from "./address.js";
import { make } from "../../shared/dom.js";
import { mount } from "../mount.js";
import { mountComponent } from "./mounted.js";
import { byId, pieceOf, textOf } from "./pieces.js";
import { debounced } from "./debounce.js";
import { sceneOf } from "../engine/blob.js";
import { Trace } from "../engine/trace.js";

const LANGUAGE = "lang",
  PART = "part";

/* The microscope in a file of its own: no server, no network. What it shows stands in the page:
   `contents`, JSON, lists the scenes of each part and the pieces of each; a piece is bytes, deflated. Of several layers
   of a model each is a part. */
/**
 * @typedef {{ name: string, title: string, heading: string, facts: [string, string, string][], note: string }} Around
 * @typedef {{
 *   parts: PartName[], languages: Record<string, Around>, scenes: Record<string, string[][]>,
 *   held: [head: number | null, steps: string[]][],
 *   start: SelectionState, query: string,
 * }} Part
 * @type {{ language: string, part: number, parts: Part[], choice?: Record<string, string> }}
 */
const contents = JSON.parse(textOf("contents"));
const headNote = byId("head-note"),
  microscope = byId("microscope");
/** held: what each scene has; traces: of the scenes of this part that were needed so far; shown: the index of one.
 * @type {{ language: string, part: Part, traces: Map<number, Promise<Trace>>, shown: number }} */
const view = { language: "", part: contents.parts[partAsked() ?? contents.part], traces: new Map(), shown: -1 };
const instance = mount(microscope.shadowRoot ?? microscope, { name: "main", parts: view.part.parts, hints: false }),
  { store } = instance;

await speak(languageAsked() ?? contents.language);
if (partAsked() === null) go(new URLSearchParams(view.part.query));
go(params());
await keepHere();
instance.on("selection", keepHere);
for (const host of document.querySelectorAll(".beside [data-component]"))
  if (host instanceof HTMLElement) mountComponent(host, () => {}); // no server hears what they tell
const { rest } = debounced(write);
instance.on("selection", () => rest());
addEventListener("hashchange", arrive);

function params() {
  return new URLSearchParams(location.hash.slice(1));
}

/** The part that the address names, from 1, or null. */
function partAsked() {
  const part = Number(params().get(PART)) - 1;
  return part in contents.parts ? part : null;
}

function languageAsked() {
  const language = params().get(LANGUAGE);
  return language !== null && language in view.part.languages ? language : null;
}

/** @param {URLSearchParams} to */
function go(to) {
  if (NAMES.some((name) => to.has(name))) instance.go(selectionOf(to, store));
}

async function arrive() {
  const language = languageAsked();
  if (language && language !== view.language) await speak(language);
  const part = contents.parts[partAsked() ?? contents.part];
  if (part !== view.part) await turnTo(part);
  go(params());
}

function write() {
  if (store.playing) return;
  const part = contents.parts.length > 1 && { [PART]: String(contents.parts.indexOf(view.part) + 1) };
  const named = new URLSearchParams({ ...paramsOf(store), ...part, [LANGUAGE]: view.language });
  history.replaceState(null, "", `#${named}`);
}

// A step or a head whose numbers are elsewhere: other numbers are brought, or the reader stays with this head.
async function keepHere() {
  if (store.isHere) return;
  const { stage, head } = store,
    { held } = view.part,
    withStep = held.flatMap(([, steps], i) => (steps.includes(stage) ? [i] : []));
  const here = withStep.find((i) => [null, head].includes(held[i][0]));
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
    view.traces.get(index) ?? sceneFrom(view.part.scenes[view.language][index]).then((scene) => new Trace(scene));
  view.traces.set(index, made);
  return made;
}

/** @param {string} language */
async function speak(language) {
  Object.assign(view, { language, traces: new Map() });
  if (view.shown < 0) await open(view.part.start);
  else instance.show(await traceOf(view.shown));
  label(view.part.languages[language]);
}

/** Shows the part from its beginning. @param {SelectionState} start */
async function open(start) {
  store.fixedHead = new Set(view.part.held.flatMap(([head]) => head ?? [])).size === 1;
  await bring(0, start);
}

/**
 * Shows another part, at the same step where that has it.
 * @param {Part} part
 */
async function turnTo(part) {
  const { stage, head, positions } = store,
    has = part.held.some(([, steps]) => steps.includes(stage));
  Object.assign(view, { part, traces: new Map() });
  await open(has ? { stage, head, positions } : part.start);
  await keepHere();
  label(part.languages[view.language]);
  write();
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
    ?.replaceChildren(...Object.entries(view.part.languages).map(([code, { name }]) => choice(code, name)));
  document.querySelector("#part")?.replaceChildren(...partChoice());
}

/** Of several parts, the choice of one. */
function partChoice() {
  const { parts, choice } = contents;
  if (parts.length < 2) return [];
  const options = parts.map(({ languages }, i) =>
    make("option", "", languages[view.language].heading, { value: String(i), selected: parts[i] === view.part }),
  );
  const onchange = () => turnTo(parts[Number(select.value)]),
    select = make("select", "", options, { ariaLabel: choice?.[view.language] ?? "", onchange });
  return [select];
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
