/**
 * A text of Streamlit, as it may stand on a page, and its translation.
 * @typedef {{ original: RegExp, translated: string }} Phrase
 * @typedef {[original: string, translated: string]} Translation
 */

const NAMES = ["aria-label", "title", "placeholder"];
const NAMED = NAMES.map((name) => `[${name}]`).join();
// What the page itself says, and what changes many times a second.
const OURS = ["Markdown", "CaptionContainer", "Code", "Table", "Button", "ButtonGroup", "PageLink", "Html"]
  .map((part) => `[data-testid="st${part}"]`)
  .join();
const CHARTS = ".js-plotly-plot";

/**
 * Says in other words what Streamlit says, now and as it comes; a text stays the same node, which
 * is Streamlit's own. Returns what ends it and says all as it was.
 * @param {Translation[]} translations
 */
export function translatePage(translations) {
  const phrases = phrasesOf(translations),
    watch = new MutationObserver((changes) => changes.forEach((change) => onChange(change, phrases)));
  translateAll(document.body, phrases);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: NAMES });
  return () => {
    watch.disconnect();
    translateAll(document.body, phrasesOf(translations.map(([original, translated]) => [translated, original])));
  };
}

/** @param {MutationRecord} change @param {Phrase[]} phrases */
function onChange({ type, target, attributeName, addedNodes }, phrases) {
  if (target.parentElement?.closest(CHARTS)) return;
  if (type === "characterData") translateText(target, phrases);
  else if (target instanceof Element && attributeName) translateName(target, attributeName, phrases);
  else for (const node of addedNodes) translateAll(node, phrases);
}

/** @param {Node} node @param {Phrase[]} phrases */
function translateAll(node, phrases) {
  if (!(node instanceof Element)) return translateText(node, phrases);
  for (const element of [node, ...node.querySelectorAll(NAMED)])
    for (const name of NAMES) translateName(element, name, phrases);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) translateText(texts.currentNode, phrases);
}

/** @param {Element} element @param {string} name @param {Phrase[]} phrases */
function translateName(element, name, phrases) {
  const original = element.getAttribute(name),
    translated = original && inOtherWords(original, phrases);
  if (translated) element.setAttribute(name, translated);
}

/** @param {Node} node @param {Phrase[]} phrases */
function translateText(node, phrases) {
  if (node.nodeType !== Node.TEXT_NODE || node.parentElement?.closest(OURS)) return;
  const translated = inOtherWords(node.nodeValue ?? "", phrases);
  if (translated) node.nodeValue = translated;
}

/** @param {Translation[]} translations @returns {Phrase[]} */
export function phrasesOf(translations) {
  return translations.map(([original, translated]) => {
    const literal = original.replace(/[.*+?^$()|[\]\\/]/g, "\\$&");
    return { original: new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s"), translated };
  });
}

/**
 * A text in other words, with its space around; null where it is none of the phrases.
 * @param {string} text @param {Phrase[]} phrases
 */
export function inOtherWords(text, phrases) {
  const core = text.trim();
  for (const { original, translated } of core ? phrases : []) {
    const found = original.exec(core);
    if (found)
      return text.replace(core, () => translated.replace(/\{(\w+)\}/g, (_, name) => found.groups?.[name] ?? ""));
  }
  return null;
}
