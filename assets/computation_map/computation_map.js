const LONG = 4; // letters that fit a small box
const SVG = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement, setTriggerValue }) {
  const section = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  section.setAttribute("aria-label", data.label);
  const sheet = document.createElement("article");
  sheet.style.width = `${data.width}px`;
  sheet.style.height = `${data.height}px`;
  sheet.append(lines(data), ...data.boxes.map((box) => button(box, setTriggerValue)));
  section.replaceChildren(sheet);
  const now = section.querySelector("[aria-current]");
  if (!now) return;
  // The map has no width while its tab is closed, so it is centred when it gets one.
  const centre = new ResizeObserver(() => {
    section.scrollLeft = now.offsetLeft - (section.clientWidth - now.clientWidth) / 2;
  });
  centre.observe(section);
  return () => centre.disconnect();
}

function lines({ width, height, lines }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  for (const line of [...lines].sort((a, b) => a.now - b.now)) {
    const path = svg.appendChild(document.createElementNS(SVG, "path"));
    path.setAttribute("d", line.path);
    if (line.now) path.classList.add("now");
  }
  return svg;
}

function button(box, setTriggerValue) {
  const element = document.createElement("button");
  const [x, y, width, height] = box.place;
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  element.className = `${box.given ? "given" : "stage"} ${box.heads ? "deck" : ""}`;
  const shape = box.sizes.map(([role, size]) => `${role} ${size}`).join(", ");
  element.title = `${box.name} (${shape})`;
  element.setAttribute("aria-label", element.title);
  if (box.now) element.setAttribute("aria-current", "step");
  element.dataset.key = box.key;
  if (box.given && box.key.length > LONG) element.classList.add("long");
  element.append(symbol(box.symbol));
  if (!box.given) {
    element.append(text("span", "name", box.name));
    element.append(...box.sizes.map(([role, size]) => text("span", `size ${role}`, `${role} ${size}`)));
  }
  element.onclick = () => setTriggerValue("choose", box.key);
  return element;
}

function symbol(parts) {
  const line = text("span", "symbol", "");
  line.append(...parts.map(([kind, content]) => text(kind, "", content)));
  return line;
}

function text(tag, className, content) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
