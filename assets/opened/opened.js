export default function ({ data, parentElement }) {
  const box = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  box.setAttribute("aria-live", "polite");
  box.replaceChildren(title(data), ...body(data), ...data.notes.map((note) => line("p", note)));
}

function body(data) {
  if (data.columns.length) return [table(data)];
  return data.terms.length ? [terms(data)] : [];
}

function title(data) {
  return line("h4", [...data.title, [` ${data.relation} `, ""], [data.total, "total"]]);
}

function terms(data) {
  const list = document.createElement("ol");
  list.tabIndex = 0;
  data.terms.forEach((term, i) => {
    const item = document.createElement("li");
    const bar = item.appendChild(document.createElement("i"));
    bar.style.width = term.bar ? `${Math.max(2, Math.abs(term.bar) * 64)}px` : 0;
    bar.className = term.bar < 0 ? "negative" : "positive";
    item.append(line("span", term.made), line("b", term.value));
    if (i < data.terms.length - 1) item.append(line("em", [[data.sign, ""]]));
    list.append(item);
  });
  return list;
}

function table(data) {
  const frame = document.createElement("div");
  frame.className = "frame";
  const element = frame.appendChild(document.createElement("table"));
  const head = element.createTHead().insertRow();
  head.append(...data.columns.map((spans) => line("th", spans)));
  const body = element.createTBody();
  data.rows.forEach((row, i) => {
    const tr = body.insertRow();
    if (i === data.chosen) tr.className = "chosen";
    tr.append(...row.map((spans) => line("td", spans)));
  });
  requestAnimationFrame(() => {
    const chosen = body.querySelector(".chosen");
    if (chosen) frame.scrollTop = chosen.offsetTop - frame.clientHeight / 2;
  });
  return frame;
}

function line(tag, spans) {
  const element = document.createElement(tag);
  for (const [text, role] of spans) {
    const span = element.appendChild(document.createElement(role === "sup" || role === "sub" ? role : "span"));
    span.className = role;
    span.textContent = text;
  }
  return element;
}
