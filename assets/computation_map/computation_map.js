import { connect } from "../microscope/connect.js";
import { make } from "../microscope/dom.js";
import { roving } from "../microscope/roving.js";
import { setIn } from "../microscope/symbols.js";

const LONG = 4; // letters that fit a small box
const SVG = "http://www.w3.org/2000/svg";

// Every stage as a box and a way to it; the one that the microscope shows is marked.
export default function ({ data, parentElement }) {
  const section = (parentElement.section ??= parentElement.appendChild(make("section")));
  section.stop?.();
  section.setAttribute("aria-label", data.label);
  const sheet = make("article");
  sheet.style.width = `${data.width}px`;
  sheet.style.height = `${data.height}px`;
  sheet.append(lines(data), ...data.boxes.map((box) => button(section, box)));
  section.replaceChildren(sheet);
  const follow = (store) => {
    section.store = store;
    mark(section);
    return store.listen((what) => (what === "place" || what === "trace") && mark(section));
  };
  const stops = [connect("main", follow), centred(section)];
  section.stop = () => stops.forEach((stop) => stop());
  return () => section.stop();
}

function lines({ width, height, lines }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  for (const { path, source, target } of lines) {
    const line = svg.appendChild(document.createElementNS(SVG, "path"));
    line.setAttribute("d", path);
    Object.assign(line.dataset, { source, target });
  }
  return svg;
}

function button(section, { key, symbol, name, sizes, place: [x, y, width, height], given, heads }) {
  const element = make("button", `${given ? "given" : "stage"} ${heads ? "deck" : ""}`), line = make("span", "symbol");
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  element.title = `${name} (${sizes.map(([role, size]) => `${role} ${size}`).join(", ")})`;
  element.dataset.key = key;
  if (given && key.length > LONG) element.classList.add("long");
  line.append(...symbol.map(([kind, content]) => make(kind, "", content)));
  element.append(line);
  if (!given) element.append(make("span", "name", name), ...sizes.map(([role, size]) => setIn(make("span", `size ${role}`), `${role} ${size}`)));
  element.onclick = () => section.store.move({ stage: key });
  return element;
}

function mark(section) {
  const { store } = section;
  for (const box of section.querySelectorAll("button")) {
    if (box.dataset.key === store.stage) box.setAttribute("aria-current", "step");
    else box.removeAttribute("aria-current");
  }
  for (const line of section.querySelectorAll("path")) line.classList.toggle("now", [line.dataset.source, line.dataset.target].includes(store.stage));
  roving(section, "button", section.querySelector("[aria-current]"));
  centre(section);
}

function centre(section) {
  const now = section.querySelector("[aria-current]");
  if (now) section.scrollLeft = now.offsetLeft - (section.clientWidth - now.clientWidth) / 2;
}

// The map has no width while its tab is closed, so it is centred when it gets one.
function centred(section) {
  const observer = new ResizeObserver(() => centre(section));
  observer.observe(section);
  return () => observer.disconnect();
}
