import { pieceOf } from "./pieces.js";

/* Components of the app in a file: each is an element that names its pieces. `components` is set before this script. */
const APART = "piece of the page: ";

/**
 * Mounts a component with the data that the app had given it.
 * @param {HTMLElement} host @param {(name: string, value: unknown) => void} setTriggerValue
 */
export async function mountComponent(host, setTriggerValue) {
  const { component = "", pieces = "", kind, style = "" } = host.dataset,
    parentElement = host.attachShadow({ mode: "open" }),
    sheet = document.createElement("style");
  /** @type {Record<string, (given: object) => unknown>} */
  const components = Reflect.get(globalThis, "components");
  parentElement.append(sheet);
  sheet.textContent = decoded(await pieceOf(style));
  const parts = new Blob(await Promise.all(pieces.split(" ").map(pieceOf))),
    bytes = new Uint8Array(await parts.arrayBuffer()),
    data = kind === "json" ? await whole(JSON.parse(decoded(bytes))) : bytes;
  components[component]({ data, parentElement, setTriggerValue, setStateValue: setTriggerValue });
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const decoded = (bytes) => new TextDecoder().decode(bytes);

/**
 * Data of a component with the long strings that are stored once.
 * @param {unknown} data @returns {Promise<unknown>}
 */
export async function whole(data) {
  if (typeof data === "string") return data.startsWith(APART) ? decoded(await pieceOf(data.slice(APART.length))) : data;
  if (Array.isArray(data)) return Promise.all(data.map(whole));
  if (data === null || typeof data !== "object") return data;
  const parts = Object.entries(data).map(async ([name, value]) => [name, await whole(value)]);
  return Object.fromEntries(await Promise.all(parts));
}
