import { make, phrase } from "../shared/dom.js";

/** @param {ComponentArgs<{ paragraphs: Span[][], style: string, language: string }>} args */
export default function ({ data, parentElement }) {
  const box = parentElement.querySelector("article") ?? parentElement.appendChild(make("article"));
  box.lang = data.language;
  box.className = data.style;
  box.replaceChildren(...data.paragraphs.map((parts) => make("p", "", phrase(parts))));
}
