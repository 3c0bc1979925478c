"""Sentences that may hold a reader's own words, which are never read as markup."""

from typing import Any, Literal

import streamlit as st

from views.link import session
from views.spans import Span, plain
from views.widgets.component import component

Style = Literal["", "lead", "quiet", "shapes", "notice", "error"]


def prose(paragraphs: list[list[Span]], key: str, style: Style = "") -> None:
    """Show paragraphs of spans in one of the styles."""
    data: dict[str, Any] = {
        "paragraphs": paragraphs,
        "style": style,
        "language": "zh-CN" if session().language == "zh" else "en",
    }
    component("prose")(key=key, data=data)


def heading(text: str) -> None:
    """A small quiet heading inside a card."""
    st.markdown(f"##### {plain(text)}")
