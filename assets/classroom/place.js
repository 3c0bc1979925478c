import { NAMES, paramsOf, selectionOf } from "../microscope/hosts/address.js";
import { openInApp } from "../shared/dom.js";
import { serverUrl } from "../shared/server.js";

const root = document.documentElement,
  HIDDEN = "data-result-hidden",
  BLANK = "data-blank",
  LOADS = 3000, // milliseconds that a page may take
  CLASS_PAGE = "class",
  // The language and the size of the view are each reader's own.
  OWN = ["lang", "present", "hide"];

/** Whether this tab shows the page of the class itself. */
export const isOnClassPage = () => pageHere() === CLASS_PAGE;

/** The page of this tab, by its name in the URL. */
export function pageHere() {
  return location.pathname.slice(serverUrl("").pathname.length).replace(/\/$/, "");
}

/**
 * Where the microscope of this page stands; null on the page of the class itself, which nobody is led to.
 * @param {Store | null} store
 * @returns {Place | null}
 */
export function placeHere(store) {
  const page = pageHere(),
    query = new URLSearchParams(location.search);
  if (isOnClassPage()) return null;
  if (store?.isReady && !store.playing) {
    const params = paramsOf(store);
    for (const name of NAMES) {
      if (name in params) query.set(name, params[name]);
      else query.delete(name);
    }
  }
  for (const name of OWN) query.delete(name);
  return { page, query: String(query), hide: root.hasAttribute(HIDDEN), blank: root.hasAttribute(BLANK) };
}

/**
 * Brings this tab to a place, as a link does; within the page without asking the server.
 * @param {Place} place @param {Store | null} store
 */
export function goTo(place, store) {
  const here = new URLSearchParams(location.search),
    there = new URLSearchParams(place.query),
    lang = here.get("lang");
  if (place.page === pageHere() && rest(here) === rest(there)) return moveTo(place, store);
  if (lang) there.set("lang", lang);
  if (place.hide) there.set("hide", "1"); // from the first sight of the page on
  openInApp(`${serverUrl(place.page).pathname}?${there}`);
}

/**
 * Moves the microscope of this page to a place, if the place is on this page.
 * @param {Place} place @param {Store | null} store
 */
export function moveTo(place, store) {
  const there = new URLSearchParams(place.query),
    here = new URLSearchParams(location.search);
  if (place.page !== pageHere() || rest(here) !== rest(there)) return;
  hide(place.hide, store);
  if (!store?.isReady) return;
  if (there.has("stage") && !store.machine) store.setMachine(true);
  const wanted = { ...selectionOf(there, store), presenting: store.presenting };
  if (isAt(store, wanted)) return;
  store.go(wanted);
  showCell(place, store);
}

/**
 * Brings the figure of a place with a locked cell into sight; a phone or a tablet has much above it.
 * @param {Place} place @param {Store | null} store
 */
export function showCell(place, store) {
  if (store && new URLSearchParams(place.query).has("lock")) requestAnimationFrame(() => inSight(store));
}

/**
 * Brings the teacher's tab to a step of a lesson, and the class at once.
 * @param {ClassSession} session @param {Place} place @param {Store | null} store
 */
export function open(session, place, store) {
  session.going = { place, until: Date.now() + LOADS };
  goTo(place, store);
}

/**
 * Where the class is to be: where this tab goes, until it is there.
 * @param {ClassSession} session @param {Store | null} store
 */
export function placeOfClass(session, store) {
  const { going } = session;
  if (going && Date.now() < going.until) return going.place;
  arrive(session, store);
  return placeHere(store);
}

/**
 * The page of the step is here, with its microscope if it has one.
 * @param {ClassSession} session @param {Store | null} store
 */
export function arrive(session, store) {
  if (session.going) moveTo(session.going.place, store);
  session.going = null;
}

/**
 * Hides the result of this page, or shows it.
 * @param {boolean} isHidden @param {Store | null} store
 */
export function hide(isHidden, store) {
  if (root.hasAttribute(HIDDEN) === isHidden) return;
  if (store) store.hideResult(isHidden);
  else root.toggleAttribute(HIDDEN, isHidden);
}

/** What of a query is not the microscope's. @param {URLSearchParams} query */
function rest(query) {
  const left = new URLSearchParams(query);
  for (const name of [...NAMES, ...OWN]) left.delete(name);
  left.sort();
  return String(left);
}

/** @param {Store} store @param {SelectionState} wanted */
function isAt(store, { stage, head, positions = {}, locked, sheet }) {
  return (
    stage === store.stage &&
    head === store.head &&
    locked === store.locked &&
    (sheet ?? null) === (store.sheet ?? null) &&
    Object.entries(positions).every(([role, position]) => store.positions[role] === position)
  );
}

/**
 * The canvas of the microscope with this store.
 * @param {Store | null} store
 * @returns {HTMLElement | null}
 */
export function canvasOf(store) {
  /** @type {HTMLElement | null} */
  let found = null;
  /** @param {Instance} instance */
  const look = (instance) => {
    if (instance.store === store) found = instance.element.querySelector(".figure > canvas");
  };
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: look }));
  return found;
}

/** @param {Store} store */
function inSight(store) {
  const canvas = canvasOf(store),
    { top = 0, bottom = 0 } = canvas?.getBoundingClientRect() ?? {};
  if (top < 0 || bottom > innerHeight) canvas?.closest(".card")?.scrollIntoView({ block: "start" });
}
