import { roving } from "../microscope/roving.js";
import { draw } from "../picture/photo.js";

// The same picture lit by every head, small: all on one scale, so that one sees which head looks.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  root.lang = data.language;
  root.style.setProperty("--columns", data.columns);
  root.replaceChildren(...data.groups.map((group) => groupOf(group, data)));
  roving(root, "button", root.querySelector("[aria-pressed='true']"));
  root.onclick = ({ target }) => {
    const name = target.closest("button")?.value;
    if (name) setTriggerValue("choose", name);
  };
  const photo = new Image(), drawAll = () => root.querySelectorAll("button").forEach((button) => draw({ ...button.drawn, photo }));
  photo.onload = drawAll;
  photo.src = data.photo;
  root.resized?.disconnect();
  root.resized = new ResizeObserver(() => photo.complete && drawAll());
  root.resized.observe(root);
  return () => root.resized.disconnect();
}

function groupOf({ called, looks }, data) {
  const group = document.createElement("div"), title = group.appendChild(document.createElement("h3"));
  group.className = "group";
  title.textContent = called;
  group.append(...looks.map((look) => buttonOf(look, called, data)));
  group.style.setProperty("--count", Math.min(looks.length, data.columns));
  return group;
}

function buttonOf({ name, called, weights, largest, root }, group, { grid, size, chosen }) {
  const button = document.createElement("button"), canvas = button.appendChild(document.createElement("canvas"));
  button.value = name;
  button.ariaPressed = name === chosen;
  button.ariaLabel = `${group} · ${called}`;
  button.appendChild(document.createElement("span")).textContent = called;
  button.drawn = { canvas, frame: canvas, data: { grid, size, weights: floats(weights), largest, root } };
  return button;
}

function floats(text) {
  return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}
