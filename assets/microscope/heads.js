import { make } from "./dom.js";
import { headPicture } from "./pictures.js";
import { roving } from "./roving.js";
import { isReady, listen, move, store, tell } from "./store.js";
import { paletteOf } from "./theme.js";

const SMALL = 76;

// All heads of the step on one colour scale, and what each does. Pointing previews one.
export default function ({ parentElement }) {
  const view = (parentElement.view ??= parentElement.appendChild(make("section")));
  view.stop?.();
  view.stop = listen((what) => (what === "trace" || what === "place") && fill(view));
  fill(view);
  return () => view.stop();
}

function fill(view) {
  if (!view.isConnected) return; // taken from the page, and not yet told so
  const { trace, stage, head, pinned } = store, shown = [trace?.id, stage, head, pinned, trace && paletteOf(view, trace).ground].join();
  if (view.shown === shown) return;
  view.shown = shown;
  const count = isReady() ? trace.size(stage, "head") : 1;
  view.hidden = count < 2 || !trace.drawing(stage);
  if (view.hidden) return;
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", trace.words.heads);
  view.replaceChildren(make("h2", "", trace.words.heads), ...Array.from({ length: count }, (_, head) => one(view, head)));
  roving(view, "button", view.querySelector("[aria-pressed='true']"), { tabbed: true });
}

function one(view, head) {
  const { trace, stage } = store, name = trace.words.head.replace("{number}", String(head + 1));
  const item = make("div", "one"), button = item.appendChild(make("button"));
  button.setAttribute("aria-pressed", String(head === store.head));
  button.append(small(view, trace, stage, head), make("span", "", name));
  button.onclick = () => move({ head });
  button.onpointerenter = button.onfocus = () => preview(head);
  button.onpointerleave = button.onblur = () => preview(null);
  item.append(make("small", "", trace.characters[head] ?? ""), pin(trace, head, name));
  return item;
}

function preview(head) {
  store.previewed = head === store.head ? null : head;
  tell("hover");
}

function pin(trace, head, name) {
  const { pin: put, side_by_side } = trace.words.microscope, pinned = store.pinned === head;
  const button = make("button", "pin", side_by_side);
  button.title = put.replace("{head}", name);
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", String(pinned));
  button.hidden = head === store.head;
  button.onclick = () => {
    store.pinned = pinned ? null : head;
    tell("place");
  };
  return button;
}

function small(view, trace, stage, head) {
  const palette = paletteOf(view, trace), canvas = make("canvas");
  const source = headPicture(trace, stage, head, palette);
  canvas.width = source.width;
  canvas.height = source.height;
  canvas.getContext("2d").drawImage(source, 0, 0);
  const side = SMALL / Math.max(source.width, source.height);
  canvas.style.width = `${Math.max(24, Math.round(source.width * side))}px`;
  canvas.style.height = `${Math.max(12, Math.round(source.height * side))}px`;
  return canvas;
}
