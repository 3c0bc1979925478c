import { make } from "../../shared/dom.js";

export const SHOWN = 2000; // ms for which “copied” is shown

/** The function that computes the step, where one does.
 *
 * @param {Store} store
 * @returns {ShownPart}
 */
export function code(store) {
  const element = make("div", "code");
  let shown = "";
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (!what.has("trace") && !what.has("selection")) return;
    const content = codeOf(store.trace, store.stage),
      name = JSON.stringify(content);
    if (name === shown) return;
    shown = name;
    element.replaceChildren(...content.notes.map((text) => make("p", "quiet", text)));
    if (content.text) element.append(listing(content, store.trace.sheets.words));
  };
  return { element, changed };
}

/** Notes on the code of a stage, and the code. text: "" where no function makes it.
 *
 * @param {Trace} trace
 * @param {string} key
 * @returns {{ notes: string[], text: string }}
 */
export function codeOf(trace, key) {
  const { code, words } = trace.sheets,
    found = code.functions[code.of[key]];
  if (!found) return { notes: [words.no_code], text: "" };
  const notes = [words.code_is.replace("{file}", found.file)];
  if (code.in_columns) notes.push(words.code_in_rows);
  return { notes, text: found.text };
}

/**
 * Code that can be copied.
 * @param {{ text: string }} given @param {Sheets["words"]} words
 */
export function listing({ text }, { copy, copied, names }) {
  const given = { role: "region", ariaLabel: names.code, tabIndex: 0 }, // long lines are scrolled
    pre = make("pre", "", [make("code", "", text)], given),
    button = make("button", "copy", copy),
    status = make("span", "status", "", { role: "status" });
  button.onclick = async () => {
    await copyText(pre.textContent, pre);
    status.textContent = copied;
    setTimeout(() => status.replaceChildren(), SHOWN);
  };
  return make("div", "listing", [pre, button, status]);
}

/**
 * The clipboard API needs HTTPS; without it the text is selected in a field and copied.
 * @param {string} text @param {HTMLElement} beside
 */
export async function copyText(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = make("textarea", "", text);
    beside.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
