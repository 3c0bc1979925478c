import { inOtherWords, phrasesOf } from "./phrases.js";

/** @import { Phrase, Translation } from "./phrases.js" */

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
export function speak(translations) {
  const phrases = phrasesOf(translations),
    watch = new MutationObserver((changes) => changes.forEach((change) => heard(change, phrases)));
  say(document.body, phrases);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: NAMES });
  return () => {
    watch.disconnect();
    say(document.body, phrasesOf(translations.map(([said, instead]) => [instead, said])));
  };
}

/** @param {MutationRecord} change @param {Phrase[]} phrases */
function heard({ type, target, attributeName, addedNodes }, phrases) {
  if (target.parentElement?.closest(CHARTS)) return;
  if (type === "characterData") sayText(target, phrases);
  else if (target instanceof Element && attributeName) sayName(target, attributeName, phrases);
  else for (const node of addedNodes) say(node, phrases);
}

/** @param {Node} node @param {Phrase[]} phrases */
function say(node, phrases) {
  if (!(node instanceof Element)) return sayText(node, phrases);
  for (const element of [node, ...node.querySelectorAll(NAMED)])
    for (const name of NAMES) sayName(element, name, phrases);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) sayText(texts.currentNode, phrases);
}

/** @param {Element} element @param {string} name @param {Phrase[]} phrases */
function sayName(element, name, phrases) {
  const said = element.getAttribute(name),
    instead = said && inOtherWords(said, phrases);
  if (instead) element.setAttribute(name, instead);
}

/** @param {Node} node @param {Phrase[]} phrases */
function sayText(node, phrases) {
  if (node.nodeType !== Node.TEXT_NODE || node.parentElement?.closest(OURS)) return;
  const instead = inOtherWords(node.nodeValue ?? "", phrases);
  if (instead) node.nodeValue = instead;
}
