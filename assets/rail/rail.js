export default function ({ data, parentElement, setTriggerValue }) {
  const nav = parentElement.querySelector("nav") ?? parentElement.appendChild(document.createElement("nav"));
  nav.setAttribute("aria-label", data.label);
  nav.replaceChildren(...data.steps.map((step) => button(step, setTriggerValue)));
  askForTheme(data, nav, setTriggerValue);
  const now = nav.querySelector("[aria-current]");
  if (now) nav.scrollLeft = now.offsetLeft - (nav.clientWidth - now.clientWidth) / 2;
}

// A theme switch redraws components but runs no Python, and the Plotly figure has its colours from
// there. Asked once for each switch, so that a server which cannot tell the theme is left in peace.
function askForTheme(data, nav, setTriggerValue) {
  const theme = getComputedStyle(nav).colorScheme;
  if (theme === data.theme) delete nav.dataset.asked;
  else if (nav.dataset.asked !== theme) {
    nav.dataset.asked = theme;
    setTriggerValue("theme", theme);
  }
}

function button(step, setTriggerValue) {
  const element = document.createElement("button");
  element.className = step.state;
  element.title = step.reason || step.shape.map(([role, size]) => `${role} ${size}`).join(" · ");
  element.setAttribute("aria-label", `${step.name}, ${element.title}`);
  if (step.state === "now") element.setAttribute("aria-current", "step");
  element.dataset.key = step.key;
  element.append(symbol(step.symbol), text("span", "name", step.name), shape(step.shape));
  element.onclick = () => setTriggerValue("choose", step.key);
  return element;
}

function symbol(parts) {
  const line = text("span", "symbol", "");
  line.append(...parts.map(([kind, content]) => text(kind, "", content)));
  return line;
}

function shape(sizes) {
  const line = text("span", "shape", "");
  sizes.forEach(([role, size], i) => line.append(i ? "×" : "", text("span", role, size)));
  return line;
}

function text(tag, className, content) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
