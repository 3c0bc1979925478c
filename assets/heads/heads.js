export default function ({ data, parentElement, setTriggerValue }) {
  const group = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", data.label);
  group.replaceChildren(...data.heads.map((head, i) => button(head, i === data.chosen, () => setTriggerValue("choose", i))));
}

function button(head, chosen, onclick) {
  const element = document.createElement("button");
  element.setAttribute("aria-pressed", chosen);
  const picture = document.createElement("img");
  picture.src = head.picture;
  picture.alt = "";
  const name = document.createElement("span");
  name.textContent = head.name;
  element.append(picture, name);
  element.onclick = onclick;
  return element;
}
