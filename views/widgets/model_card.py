"""The model card of a model shipped with the project, as Hugging Face has them."""

import re

import streamlit as st

from views.export.bundle import ASSETS
from views.preferences import in_language
from views.text import MODEL_CARD, Words
from views.text.spans import mathematics_in

_TITLE = re.compile(r"\A# .+\n+")
_OTHER_LANGUAGE = re.compile(r"\s*\[[^\]]+\]\(\w+(\.\w+)?\.md\)\s*?(?=\n|$)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_MARK, _HAN = r"[\u3000-\u303f\uff00-\uffef“”‘’]", r"[\u4e00-\u9fff]"
_NO_GAP = re.compile(rf"{_MARK}.|.{_MARK}|{_HAN}{_HAN}")
_BLOCK = re.compile(r"\s*($|#|\||[-*] )")  # a blank line, a heading, a row of a table, an item
_ALONE = re.compile(r"\s*($|#|\|)")  # a line that the next one does not continue


def model_card(name: str, words: Words) -> None:
    """Show the model card of ``translator`` or ``vision`` in an expander."""
    with st.expander(in_language(MODEL_CARD).title):
        st.markdown(card(name, words), anchors=False)


def card(name: str, words: Words) -> str:
    """The card as Markdown, without its title and its link to the other language.

    Symbols are set as LaTeX. Languages without a card of their own get ``README.md``.
    """
    folder = ASSETS / "models" / name
    own = folder / f"README.{words.code}.md"
    text = (own if own.exists() else folder / "README.md").read_text("utf-8")
    text = _OTHER_LANGUAGE.sub("", _TITLE.sub("", text))
    return mathematics_in(joined(_HEADING.sub("### ", text)))


def joined(markdown: str) -> str:
    """Markdown whose lines are joined where a line break would show as a gap in Chinese text.

    Other line breaks inside paragraphs are kept; Markdown renders them as spaces.
    """
    lines = [""]
    for line in markdown.split("\n"):
        continues = not (_ALONE.match(lines[-1]) or _BLOCK.match(line))
        if continues and _NO_GAP.match(lines[-1][-1] + line.lstrip()[0]):
            lines[-1] += line.lstrip()
        else:
            lines.append(line)
    return "\n".join(lines[1:])
