import { decoded, mountComponent, whole } from "../microscope/hosts/mounted.js";
import { byId, pieceOf, textOf } from "../microscope/hosts/pieces.js";

/* A page of the gallery around its microscope (file.js): the language, the components that the app
   mounts on that page, and on the index the search. */
const LANGUAGE_KEY = "attention-microscope language",
  NEEDED = 6000, // ms for which the note that something needs the app is shown
  PLOTLY = "plotly.min.js"; // of 5 MB: the first chart in view loads it
const root = document.documentElement,
  { body } = document,
  /** @type {Record<string, string>} */
  titles = JSON.parse(textOf("titles")),
  hasMicroscope = Boolean(document.getElementById("contents"));
let fading = 0;
const night = matchMedia("(prefers-color-scheme: dark)"),
  /** @type {Record<string, string>} */
  dark = JSON.parse(textOf("dark")),
  arriving = new IntersectionObserver(drawArrived, { rootMargin: "100%" });
/** @type {Promise<{ react: (host: HTMLElement, figure: unknown) => void }> | undefined} */
let plotly;
for (const host of elements(".chart")) arriving.observe(host);
night.addEventListener("change", () => elements(".js-plotly-plot").forEach(drawChart));

begin(chosenLanguage());
new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["lang"] });
addEventListener("hashchange", () => begin(linkedLanguage() ?? root.lang));
for (const link of elements("a.app")) link.addEventListener("click", () => openHere(link));

function linkedLanguage() {
  const language = new URLSearchParams(location.hash.slice(1)).get("lang");
  return language !== null && language in titles ? language : null;
}

/** The language of the link, or else the last one chosen here, or else the browser's. */
function chosenLanguage() {
  const known = Object.keys(titles),
    spoken = navigator.languages.map((tag) => tag.slice(0, 2));
  return linkedLanguage() ?? [storedLanguage(), ...spoken].find((code) => known.includes(code)) ?? root.lang;
}

/** Where a browser keeps nothing for a file, nothing is remembered. */
function storedLanguage(language = "") {
  try {
    if (language) localStorage.setItem(LANGUAGE_KEY, language);
    return localStorage.getItem(LANGUAGE_KEY) ?? "";
  } catch (error) {
    if (error instanceof DOMException) return "";
    throw error;
  }
}

/**
 * The microscope reads the language from the address, and sets that of the page itself.
 * @param {string} language
 */
function begin(language) {
  const params = new URLSearchParams(location.hash.slice(1));
  params.set("lang", language);
  if (hasMicroscope || linkedLanguage()) history.replaceState(null, "", `#${params}`);
  root.lang = language;
  if (hasMicroscope) return show();
  document.title = titles[language];
  for (const button of elements("nav button")) {
    const { language: code = "" } = button.dataset;
    button.setAttribute("aria-pressed", String(code === language));
    button.onclick = () => begin(code);
  }
  show();
}

/**
 * A browser may keep nothing for a file, or not at once: the link to another page says the language too.
 * @param {HTMLElement} link
 */
function takeLanguageAlong(link) {
  const [file, fragment = ""] = (link.getAttribute("href") ?? "").split("#");
  if (fragment && !fragment.includes("=")) return; // an element of that page
  const params = new URLSearchParams(fragment);
  params.set("lang", root.lang);
  link.setAttribute("href", `${file}#${params}`);
}

/** Shows what is in the chosen language; what is not on the page yet is mounted. */
function show() {
  storedLanguage(root.lang);
  for (const link of elements('a[href*=".html"]:not([href*=":"])')) takeLanguageAlong(link);
  const article = `article[data-in="${root.lang}"]`;
  for (const slot of elements(`${article} .slot`)) slot.append(byId("microscope"));
  for (const host of elements(`${article} [data-component]`))
    if (!host.shadowRoot) mountComponent(host, setTriggerValue);
  for (const picture of elements(`${article} img[data-piece]:not([src])`)) drawPicture(picture);
  label();
}

/** @param {HTMLElement} picture */
async function drawPicture(picture) {
  picture.setAttribute("src", decoded(await pieceOf(picture.dataset.piece ?? "")));
}

/** @param {IntersectionObserverEntry[]} entries */
function drawArrived(entries) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || !(target instanceof HTMLElement)) continue;
    arriving.unobserve(target);
    drawChart(target);
  }
}

/**
 * In the colours of the theme; charts are written for a light page.
 * @param {HTMLElement} host
 */
async function drawChart(host) {
  const json = decoded(await pieceOf(host.dataset.chart ?? "")),
    coloured = night.matches ? json.replace(/#[0-9a-f]{6}/g, (colour) => dark[colour] ?? colour) : json,
    figure = await whole(JSON.parse(coloured));
  plotly ??= new Promise((resolve) => {
    const script = Object.assign(document.createElement("script"), { src: PLOTLY });
    script.onload = () => resolve(Reflect.get(globalThis, "Plotly"));
    document.head.append(script);
  });
  (await plotly).react(host, figure);
}

/**
 * What the app would compute anew cannot follow here; a scene of the story can.
 * @param {string} name @param {unknown} value
 */
function setTriggerValue(name, value) {
  if (name === "place") {
    const { scene } = /** @type {{ scene: number }} */ (value);
    return body.classList.toggle("last", String(scene) === body.dataset.last);
  }
  if (name === "rest") return; // where the reader is, which nobody asks here
  const note = byId("needs");
  note.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (note.hidden = true), NEEDED);
}

/** The search of the index. @returns {HTMLInputElement | null} */
function search() {
  return document.querySelector("#search");
}

function label() {
  search()?.setAttribute("placeholder", searchText("hint"));
  search()?.setAttribute("aria-label", searchText("label"));
  search()?.addEventListener("input", find);
  find();
}

/**
 * A text of the search in the chosen language.
 * @param {string} name
 */
function searchText(name) {
  return search()?.getAttribute(`data-${name}-${root.lang}`) ?? "";
}

/** Shows the pages that have every word of the search, in either language. */
function find() {
  const words = search()?.value.toLowerCase().split(/\s+/).filter(Boolean) ?? [],
    entries = elements("[data-find]");
  for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.find?.includes(word));
  for (const group of elements("#gallery section")) group.hidden = !group.querySelector("[data-find]:not([hidden])");
  const n = entries.filter((entry) => !entry.hidden).length,
    found = searchText(n ? "found" : "none")
      .replace("{n}", String(n))
      .replace("{all}", String(entries.length));
  for (const note of elements("#found")) note.textContent = words.length ? found : "";
}

/** @param {string} selector @returns {HTMLElement[]} */
function elements(selector) {
  return [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/**
 * The hosted app opens at what is shown here.
 * @param {HTMLElement} link
 */
function openHere(link) {
  if (!(link instanceof HTMLAnchorElement)) return;
  const address = new URL(link.href);
  new URLSearchParams(location.hash.slice(1)).forEach((value, name) => address.searchParams.set(name, value));
  link.href = address.href;
}
