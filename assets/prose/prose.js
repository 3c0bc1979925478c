export default function ({ data, parentElement }) {
  const box = parentElement.querySelector("article") ?? parentElement.appendChild(document.createElement("article"));
  box.lang = data.language;
  box.className = data.style;
  box.replaceChildren(...data.paragraphs.map(paragraph));
}

function paragraph(spans) {
  const element = document.createElement("p");
  for (const [text, role] of spans) {
    if (role) {
      const span = document.createElement(["sup", "sub"].includes(role) ? role : "span");
      span.className = role;
      span.textContent = text;
      element.append(span);
    } else element.append(text);
  }
  return element;
}
