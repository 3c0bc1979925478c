"""Sentences that may hold a reader's own words, which are never read as markup."""

import re
from string import Formatter
from typing import Any

import streamlit as st

from views.link import session
from views.widgets.component import component

Span = tuple[str, str]
_SCRIPT = re.compile(r"\b([Wbd])([\^_])([A-Zkv]|model)")


def spans(template: str, **fields: str | Span) -> list[Span]:
    """A template's text cut at its ``{fields}``; a field's role colours it.

    A field is a string, or a string with the role of the axis that it belongs to.
    """
    found: list[Span] = []
    for text, name, _, _ in Formatter().parse(template):
        found += _mathematics(text)
        if name:
            field = fields[name]
            found.append((field, "number") if isinstance(field, str) else field)
    return found


def _mathematics(text: str) -> list[Span]:
    """``W^Q`` and ``d_k`` in the project's own words, set with a raised Q and a lowered k."""
    found: list[Span] = []
    start = 0
    for match in _SCRIPT.finditer(text):
        base, mark, script = match.groups()
        found.append((text[start : match.start()], ""))
        found += [(base, "symbol"), (script, "sup" if mark == "^" else "sub")]
        start = match.end()
    found.append((text[start:], ""))
    return [span for span in found if span[0]]


def prose(paragraphs: list[list[Span]], key: str, style: str = "") -> None:
    """Show paragraphs of spans; style: ``""``, ``"quiet"`` or ``"shapes"``."""
    data: dict[str, Any] = {
        "paragraphs": paragraphs,
        "style": style,
        "language": "zh-CN" if session().language == "zh" else "en",
    }
    component("prose")(key=key, data=data)


def plain(text: str) -> str:
    """Markdown that shows exactly this text: for Streamlit elements that know only Markdown.

    Only for the project's own words with numbers in them, not for a reader's text.
    """
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|$~<>:" else c for c in text)


def heading(text: str) -> None:
    """A small quiet heading inside a card."""
    st.markdown(f"##### {plain(text)}")
