import { byId, pieceOf } from "../microscope/hosts/pieces.js";

/* What a page of the gallery is made of is compressed, its script and the style of its microscope too. The policy of
   the page lets no other script run than this one and that one. */
const { script = "", style = "" } = document.body.dataset;

if (style) {
  const sheet = Object.assign(document.createElement("style"), { textContent: await textOf(style) });
  byId("microscope").attachShadow({ mode: "open" }).append(sheet);
}
document.body.append(
  Object.assign(document.createElement("script"), { type: "module", textContent: await textOf(script) }),
);

/** @param {string} name */
async function textOf(name) {
  return new TextDecoder().decode(await pieceOf(name));
}
