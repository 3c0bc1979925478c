import { label, make, setText } from "../../shared/dom.js";
import { isMoved } from "./pointer.js";
import { smallPicture } from "./pictures.js";
import { roving } from "../stepper/roving.js";

const SMALL = 76;

/**
 * Thumbnails of all heads on one colour scale, with their patterns. Hovering previews a head.
 * @param {Store} store
 */
export function heads(store) {
  const title = make("h2"),
    element = make("section", "heads", [title], { role: "group", hidden: true });
  /** @type {ReturnType<typeof oneHead>[]} */
  const ones = [];
  let shown = "";

  /** @param {Set<What>} what @param {Frame} frame */
  function changed(what, { palette }) {
    if (!what.has("trace") && !what.has("selection") && !what.has("size")) return;
    const { trace, stage, head, pinned } = store,
      now = [trace.id, stage, head, pinned, palette.ground].join();
    if (now !== shown) fill(palette);
    shown = now;
  }

  /** @param {Palette} palette */
  function fill(palette) {
    const { trace, stage, head } = store,
      count = trace.headsOf(stage);
    setText(title, trace.words.heads);
    element.ariaLabel = trace.words.heads;
    element.hidden = count < 2 || !trace.drawing(stage) || store.fixedHead;
    if (element.hidden) return;
    for (let head = ones.length; head < count; head++) ones.push(oneHead(store, element, head));
    for (const { element } of ones.splice(count)) element.remove();
    ones.forEach((one) => one.changed(palette));
    roving(element, "button", ones[head]?.button, { tabbed: true });
  }

  return { element, changed };
}

/** @param {Store} store @param {HTMLElement} root @param {number} head */
function oneHead(store, root, head) {
  const button = make("button", "", "", { onclick: () => store.move({ head }) }),
    name = make("span"),
    pattern = make("small"),
    pin = make("button", "pin"),
    element = root.appendChild(make("div", "one", [button, pattern, pin]));
  button.onpointermove = (event) => isMoved(event) && preview(store, head);
  button.onfocus = () => preview(store, head);
  button.onpointerleave = button.onblur = () => preview(store, null);
  pin.onclick = () => {
    store.pinned = store.pinned === head ? null : head;
    store.notify("selection");
  };

  /** @param {Palette} palette */
  function changed(palette) {
    const { trace, pinned } = store,
      { microscope } = trace.words,
      named = trace.words.head.replace("{number}", String(head + 1));
    button.replaceChildren(sized(smallPicture(store, head, palette)), name);
    setText(name, named);
    setText(pattern, (store.hasWeights && trace.head_patterns[head]) || "");
    label(pin, microscope.side_by_side, microscope.pin.replace("{head}", named));
    button.ariaPressed = String(head === store.head);
    pin.ariaPressed = String(head === pinned);
    pin.hidden = head === store.head;
  }

  return { element, button, changed };
}

/** @param {Store} store @param {number | null} head */
function preview(store, head) {
  const previewed = head === store.head ? null : head;
  if (previewed === store.previewed) return;
  store.previewed = previewed;
  store.notify("hover");
}

/** @param {HTMLCanvasElement} picture */
function sized(picture) {
  const { width, height } = picture,
    side = SMALL / Math.max(width, height);
  picture.style.width = `${Math.max(24, Math.round(width * side))}px`;
  picture.style.height = `${Math.max(12, Math.round(height * side))}px`;
  return picture;
}
