/**
 * A text of Streamlit, as it may stand on a page, and its translation.
 * @typedef {{ original: RegExp, translated: string }} Phrase
 * @typedef {[original: string, translated: string]} Translation
 */

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
