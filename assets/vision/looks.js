import { connect } from "../microscope/connect.js";
import { make } from "../microscope/dom.js";
import { filled } from "../microscope/names.js";
import { roving } from "../microscope/roving.js";
import { draw } from "../picture/photo.js";
import { lookedFrom, nameOf } from "./looked.js";

const BRIGHTEST = 255; // of a byte

// The same picture lit by every head, small: all on one scale, so that one sees which head looks.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(make("section"));
  root.stop?.();
  root.lang = data.language;
  root.style.setProperty("--columns", data.columns);
  const title = make("h2"),
    groups = data.groups.map((group) => groupOf(group, data));
  root.replaceChildren(title, ...groups);
  const view = { root, data, title, buttons: [...root.querySelectorAll("button")], photo: new Image(), query: null };
  root.onclick = ({ target }) => choose(view, target.closest("button")?.value, setTriggerValue);
  view.photo.onload = () => drawAll(view);
  view.photo.src = data.photo;
  const resized = new ResizeObserver(() => drawAll(view));
  const deaf = connect("main", (store) => {
    view.store = store;
    show(view);
    return store.listen((what) => (what === "place" || what === "trace") && show(view));
  });
  show(view);
  resized.observe(root);
  roving(root, "button", root.querySelector("[aria-pressed='true']"));
  root.stop = () => {
    deaf();
    resized.disconnect();
  };
  return () => root.stop();
}

// A head of the layer that is open in the microscope is a move there; all else is another part.
function choose({ data: { open, by_name: names }, store }, name, setTriggerValue) {
  const head = names.indexOf(name);
  if (!name) return;
  if (open && head >= 0 && store?.isReady) store.move({ head });
  else setTriggerValue("choose", name);
}

function show(view) {
  const { data, title, buttons, store } = view,
    [, query] = lookedFrom(store, { ...data, by_head: false });
  const chosen = (store?.isReady && data.by_name[store.head]) || data.chosen;
  for (const button of buttons) button.ariaPressed = button.value === chosen;
  if (view.query === query) return;
  view.query = query;
  title.textContent = filled(data.title, { query: nameOf(data.names, query + data.begins[1]) });
  drawAll(view);
}

function drawAll({ data: { grid, size }, buttons, photo, query }) {
  if (!photo.complete) return;
  const patches = grid[0] * grid[1];
  for (const { canvas, bytes } of buttons) {
    const weights = bytes.subarray(query * patches, (query + 1) * patches);
    draw({ canvas, photo, frame: canvas, data: { grid, size, weights, largest: BRIGHTEST, root: false } });
  }
}

function groupOf({ called, looks }, { columns }) {
  const group = make("div", "group");
  group.append(make("h3", "", called), ...looks.map((look) => buttonOf(look, called)));
  group.style.setProperty("--count", Math.min(looks.length, columns));
  return group;
}

function buttonOf({ name, called, light }, group) {
  const button = make("button"),
    canvas = button.appendChild(make("canvas"));
  button.value = name;
  button.ariaLabel = `${group} · ${called}`;
  button.append(make("span", "", called));
  return Object.assign(button, { canvas, bytes: Uint8Array.from(atob(light), (c) => c.charCodeAt(0)) });
}
