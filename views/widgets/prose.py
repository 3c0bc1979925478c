"""Sentences that may hold a reader's own words, which are never read as markup."""

from string import Formatter
from typing import Any

import streamlit as st

from views.link import session
from views.widgets.component import component

Span = tuple[str, str]


def spans(template: str, **fields: str | Span) -> list[Span]:
    """A template's text cut at its ``{fields}``; a field's role colours it.

    A field is a string, or a string with the role of the axis that it belongs to.
    """
    found: list[Span] = []
    for text, name, _, _ in Formatter().parse(template):
        if text:
            found.append((text, ""))
        if name:
            field = fields[name]
            found.append((field, "number") if isinstance(field, str) else field)
    return found


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
