/**
 * Values of a page's controls that are too long for its address, in this tab until it is closed.
 * @typedef {{ page: string, values: Record<string, string>, asked: string[] }} LongValues
 */

/**
 * Keeps what a page has, or sends what was asked for and is here, as far as it is.
 * @param {ComponentArgs<LongValues>} args
 */
export default function ({ data: { page, values, asked }, setTriggerValue }) {
  const name = `attention-microscope-long ${page}`;
  if (asked.length) {
    /** @type {LongValues["values"]} */
    const before = JSON.parse(sessionStorage.getItem(name) ?? "{}");
    setTriggerValue("answer", Object.fromEntries(asked.map((one) => [one, before[one] ?? ""])));
  } else if (Object.keys(values).length) sessionStorage.setItem(name, JSON.stringify(values));
}
