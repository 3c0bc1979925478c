// Which sequence feeds which matrix: boxes and arrows, in one line or, where it is narrow, in two.
const SVG = "http://www.w3.org/2000/svg", NARROW = 620, TALL = 52;
const KINDS = ["Q", "K", "V"];

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const redraw = () => root.replaceChildren(picture(data, root.clientWidth < NARROW));
  root.seen?.disconnect();
  root.seen = new ResizeObserver(redraw);
  root.seen.observe(root);
  return () => root.seen.disconnect();
}

function picture(data, narrow) {
  const row = (i) => (narrow ? 6 + i * 74 : 4 + i * 68);
  const columns = narrow ? { source: 0, W: 138, made: 236, wide: 112, box: 128 } : { source: 0, W: 250, made: 380, wide: 190, box: 160 };
  const [width, height] = narrow ? [364, 312] : [860, 196];
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": data.label });
  const boxes = KINDS.map((kind, i) => ({
    W: { x: columns.W, y: row(i), width: 66, kind },
    made: { x: columns.made, y: row(i), width: columns.box, kind },
  }));
  const between = (row(1) + row(2)) / 2;
  const sources = data.sources.map((source, i) => ({
    ...source, x: columns.source, width: columns.wide,
    y: data.sources.length === 1 ? row(1) : i ? between : row(0),
  }));
  KINDS.forEach((kind, i) => {
    const source = sources.find(({ feeds }) => feeds.includes(kind)), { W, made } = boxes[i];
    svg.append(arrow(source, W, roleOf(kind)), arrow(W, made, roleOf(kind)));
    svg.append(box(W, `W${"_"}${kind}`, "", `matrix ${roleOf(kind)}`), box(made, kind, data.shapes[kind], roleOf(kind)));
  });
  sources.forEach((source) => svg.append(box(source, source.symbol, source.text, source.role)));
  const scores = narrow ? { x: 0, y: 244, width: 172 } : { x: 650, y: (row(0) + row(1)) / 2, width: 206 };
  const output = narrow ? { x: 192, y: 244, width: 172 } : { x: 650, y: row(2), width: 206 };
  if (!narrow) {
    for (const i of [0, 1]) svg.append(arrow(boxes[i].made, scores, roleOf(KINDS[i])));
    svg.append(arrow(boxes[2].made, output, "key"), down(scores, output));
  }
  svg.append(box(scores, "scores = Q Kᵀ", data.shapes.scores, "result"), box(output, "output", data.shapes.output, "result"));
  return svg;
}

function roleOf(kind) {
  return kind === "Q" ? "query" : "key";
}

function box({ x, y, width }, symbol, text, role) {
  const group = make("g", { class: role });
  const inner = make("foreignObject", { x, y, width, height: TALL }), body = document.createElement("div");
  body.append(line(symbol, "symbol"));
  if (text) body.append(line(text, "text"));
  inner.append(body);
  group.append(make("rect", { x, y, width, height: TALL, rx: 9 }), inner);
  return group;
}

function line(text, name) {
  const element = document.createElement("p"), [base, script] = text.split("_");
  element.className = name;
  if (name === "symbol" && script) {
    element.append(base, Object.assign(document.createElement("sup"), { textContent: script }));
  } else element.textContent = element.title = text;
  return element;
}

function arrow(from, to, role) {
  const x = from.x + from.width, y = from.y + TALL / 2, end = to.x - 7, level = to.y + TALL / 2, middle = (x + end) / 2;
  const group = make("g", { class: `arrow ${role}` });
  group.append(
    make("path", { d: `M${x} ${y} C${middle} ${y} ${middle} ${level} ${end} ${level}` }),
    make("path", { class: "tip", d: `M${end - 1} ${level - 5} l8 5 l-8 5 z` }),
  );
  return group;
}

function down(from, to) {
  const x = from.x + from.width / 2, y = from.y + TALL, end = to.y - 7;
  const group = make("g", { class: "arrow result" });
  group.append(
    make("path", { d: `M${x} ${y} V${end}` }),
    make("path", { class: "tip", d: `M${x - 5} ${end - 1} l5 8 l5 -8 z` }),
  );
  return group;
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}
