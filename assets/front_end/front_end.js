/* What a page mounts as a component is one line that calls `draw` (views/widgets/component.py). */

/** @type {Record<string, (given: ComponentArgs<unknown>) => unknown>} */
const components = Reflect.get(globalThis, "components"),
  /** @type {Record<string, string>} */
  styles = Reflect.get(globalThis, "styles"),
  /** @type {Map<string, CSSStyleSheet>} */
  sheets = new Map(),
  text = new TextDecoder();

/**
 * Draws a component in its shadow root, with the style of all and its own.
 * @param {string} name @param {ComponentArgs<Uint8Array | null>} given data: JSON, or bytes of the component's own
 */
export function draw(name, given) {
  const root = given.parentElement,
    { data } = given;
  if (root instanceof ShadowRoot) root.adoptedStyleSheets = [sheetOf("common"), sheetOf(name)];
  return components[name]({ ...given, data: data && isJson(data) ? JSON.parse(text.decode(data)) : data });
}

/** As `is_json` of views/widgets/component.py. @param {Uint8Array} data */
const isJson = (data) => data[7] !== 0;

/** @param {string} name */
function sheetOf(name) {
  const sheet = sheets.get(name) ?? new CSSStyleSheet();
  if (!sheets.has(name)) sheet.replaceSync(styles[name]);
  sheets.set(name, sheet);
  return sheet;
}
