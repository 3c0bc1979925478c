// What the model takes the picture for: the likeliest class large, the next ones as bars.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const title = document.createElement("h3"),
    note = document.createElement("p"),
    list = document.createElement("ol");
  title.textContent = data.title;
  note.textContent = data.note;
  list.append(...data.rows.map(barOf));
  root.lang = data.language;
  root.classList.toggle("unknown", data.unknown);
  root.replaceChildren(title, note, list);
}

function barOf({ called, share, printed }) {
  const item = document.createElement("li"),
    name = item.appendChild(document.createElement("span"));
  const bar = item.appendChild(document.createElement("i")),
    number = item.appendChild(document.createElement("b"));
  name.textContent = called;
  bar.style.setProperty("--part", share);
  number.textContent = printed;
  return item;
}
