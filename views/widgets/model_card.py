"""The card of a model that ships with the project: how it came to be and what it cannot do."""

import re

import streamlit as st

from views.bundle import ASSETS
from views.reader import in_language
from views.spans import mathematics_in
from views.text import Words
from views.text.model_card import WORDS

_TITLE = re.compile(r"\A# .+\n+")
_OTHER_LANGUAGE = re.compile(r"\s*\[[^\]]+\]\(\w+(\.\w+)?\.md\)\s*?(?=\n|$)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_MARK, _HAN = r"[\u3000-\u303f\uff00-\uffef“”‘’]", r"[\u4e00-\u9fff]"
_NO_GAP = re.compile(rf"{_MARK}.|.{_MARK}|{_HAN}{_HAN}")
_BLOCK = re.compile(r"\s*($|#|\||[-*] )")  # a blank line, a heading, a row of a table, an item
_ALONE = re.compile(r"\s*($|#|\|)")  # what no line goes on with


def model_card(name: str, words: Words) -> None:
    """Show the card of ``translator`` or ``vision`` in the reader's language, one click deeper."""
    with st.expander(in_language(WORDS).title):
        st.markdown(card(name, words), anchors=False)


def card(name: str, words: Words) -> str:
    """The card as Markdown for a drawer: without its title and its link to the other language.

    Symbols in it are set as mathematics. ``README.md`` is for every language without a card.
    """
    folder = ASSETS / "models" / name
    own = folder / f"README.{words.code}.md"
    text = (own if own.exists() else folder / "README.md").read_text("utf-8")
    text = _OTHER_LANGUAGE.sub("", _TITLE.sub("", text))
    return mathematics_in(joined(_HEADING.sub("### ", text)))


def joined(markdown: str) -> str:
    """Markdown in which no broken line is a gap between Chinese characters or beside their marks.

    Elsewhere a broken line is a space.
    """
    found = [""]
    for line in markdown.split("\n"):
        goes_on = not (_ALONE.match(found[-1]) or _BLOCK.match(line))
        if goes_on and _NO_GAP.match(found[-1][-1] + line.lstrip()[0]):
            found[-1] += line.lstrip()
        else:
            found.append(line)
    return "\n".join(found[1:])
