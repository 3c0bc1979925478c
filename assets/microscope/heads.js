import { make, penOf } from "../shared/dom.js";
import { headPicture } from "./pictures.js";
import { roving } from "./roving.js";

const SMALL = 76;

/**
 * Thumbnails of all heads on one colour scale, with their patterns. Hovering previews a head.
 * @param {Store} store
 */
export function heads(store) {
  const element = make("section", "heads");
  let shown = "";
  element.hidden = true;
  /** @param {Set<What>} what @param {Frame} frame */
  const changed = (what, { palette }) => {
    if (!what.has("trace") && !what.has("place") && !what.has("size")) return;
    const { trace, stage, head, pinned } = store,
      now = [trace.id, stage, head, pinned, palette.ground].join();
    if (now !== shown) fill(element, store, palette);
    shown = now;
  };
  return { element, changed };
}

/** @param {HTMLElement} view @param {Store} store @param {Palette} palette */
function fill(view, store, palette) {
  const { trace, stage } = store;
  const count = trace.headsOf(stage);
  view.hidden = count < 2 || !trace.drawing(stage);
  if (view.hidden) return;
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", trace.words.heads);
  view.replaceChildren(
    make("h2", "", trace.words.heads),
    ...Array.from({ length: count }, (_, head) => one(store, head, palette)),
  );
  roving(view, "button", view.querySelector("[aria-pressed='true']"), { tabbed: true });
}

/** @param {Store} store @param {number} head @param {Palette} palette */
function one(store, head, palette) {
  const { trace } = store,
    name = trace.words.head.replace("{number}", String(head + 1));
  const item = make("div", "one"),
    button = item.appendChild(make("button"));
  button.setAttribute("aria-pressed", String(head === store.head));
  button.append(small(headPicture(store, head, palette)), make("span", "", name));
  button.onclick = () => store.move({ head });
  button.onpointerenter = button.onfocus = () => preview(store, head);
  button.onpointerleave = button.onblur = () => preview(store, null);
  item.append(make("small", "", (store.hasWeights && trace.head_patterns[head]) || ""), pin(store, head, name));
  return item;
}

/** @param {Store} store @param {number | null} head */
function preview(store, head) {
  store.previewed = head === store.head ? null : head;
  store.notify("hover");
}

/** @param {Store} store @param {number} head @param {string} name */
function pin(store, head, name) {
  const { pin: put, side_by_side } = store.trace.words.microscope,
    pinned = store.pinned === head;
  const button = make("button", "pin", side_by_side);
  button.title = put.replace("{head}", name);
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", String(pinned));
  button.hidden = head === store.head;
  button.onclick = () => {
    store.pinned = pinned ? null : head;
    store.notify("place");
  };
  return button;
}

/** @param {HTMLCanvasElement} source */
function small(source) {
  const canvas = make("canvas");
  canvas.width = source.width;
  canvas.height = source.height;
  penOf(canvas).drawImage(source, 0, 0);
  const side = SMALL / Math.max(source.width, source.height);
  canvas.style.width = `${Math.max(24, Math.round(source.width * side))}px`;
  canvas.style.height = `${Math.max(12, Math.round(source.height * side))}px`;
  return canvas;
}
