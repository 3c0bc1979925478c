import { connect } from "../microscope/connect.js";
import { make, spans } from "../microscope/dom.js";
import { lookedFrom, nameOf } from "./looked.js";

// Sentences about the head and the token that the microscope looks from, with the numbers of each.
export default function ({ data, parentElement }) {
  const box = parentElement.querySelector("article") ?? parentElement.appendChild(document.createElement("article"));
  box.stop?.();
  box.lang = data.language;
  box.className = data.style;
  box.told = null;
  const tell = () => show(box, data);
  box.stop = connect("main", (store) => {
    box.store = store;
    tell();
    return store.listen((what) => (what === "place" || what === "trace") && tell());
  });
  tell();
  return () => box.stop();
}

function show(box, data) {
  const place = lookedFrom(box.store, data),
    text = place.join();
  if (box.told === text) return;
  box.told = text;
  const isSaid = ({ when }) => valueOf(when, place);
  const paragraph = (sentences) => sentences.filter(isSaid).flatMap((one) => piecesOf(one, place, data));
  const lines = data.paragraphs.map(paragraph).filter((pieces) => pieces.length);
  box.replaceChildren(
    ...lines.map((pieces) => {
      const line = make("p");
      line.append(...pieces.map(([text, role]) => (role ? spans([[text, role]])[0] : text)));
      return line;
    }),
  );
}

function piecesOf({ pieces, fields }, place, { begins, names }) {
  const [head, query] = place.map((at, axis) => at + begins[axis]);
  const looks = { head: [String(head + 1), "number"], query: [nameOf(names, query), "query"] };
  const field = (name) => looks[name] ?? [valueOf(fields[name], place), "number"];
  return pieces.map(([text, role]) => (role === "{}" ? field(text) : [text, role]));
}

// A value for all, a list of one for each head, or a list for each head of one for each token.
const valueOf = (value, place) => place.reduce((found, at) => (Array.isArray(found) ? found[at] : found), value);
