"""Finds texts of Streamlit on a Chinese page that are not translated."""

from playwright.sync_api import Page, expect

from views.text import STREAMLIT

FIELDS = {  # names and samples that are the same in every language
    "The cat sat on the mat because it was warm.", "tanh", "d_model", "Q", "K", "V",
}  # fmt: skip
# All names, and all texts but the page's own, which other tests check.
SPOKEN_BY_STREAMLIT = """() => {
  const latin = /[A-Za-z]{2,}/, chinese = /[\\u4e00-\\u9fff]/, found = [];
  const isForeign = (text) => latin.test(text) && !chinese.test(text);
  const note = (what, text) => isForeign(text) && found.push([what, text.trim()]);
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const one of document.querySelectorAll(`[${name}]`)) note(name, one.getAttribute(name));
  const parts = ["Markdown", "CaptionContainer", "Code", "Table", "Button", "ButtonGroup",
    "DownloadButton", "PageLink", "IconMaterial", "PlotlyChart", "Heading", "Html"];
  const ours = parts.map((part) => `[data-testid=st${part}]`).join();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: around, nodeValue } = texts.currentNode;
    if (around.closest(`${ours}, script, style, noscript, .katex`)) continue;
    if (around.checkVisibility()) note("text", nodeValue);
  }
  return found;
}"""


def leftovers(page: Page) -> set[tuple[str, str]]:
    expect(page.get_by_text(STREAMLIT["zh"].says["skip"])).to_be_attached()  # the words have come
    found = page.evaluate(SPOKEN_BY_STREAMLIT)
    return {(what, text) for what, text in found if text not in FIELDS}
