"""Sentences that may hold a reader's own words, which are never read as markup."""

from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from views.link import remembered
from views.reader import words
from views.spans import Span, mathematics, symbols
from views.widgets.component import component

Style = Literal["", "lead", "quiet", "shapes", "notice", "error"]


@dataclass
class Notices:
    """The room above the page."""

    room: DeltaGenerator | None = None


def prose(paragraphs: list[list[Span]], key: str, style: Style = "") -> None:
    """Show paragraphs of spans in one of the styles.

    Symbols are set as mathematics but in what may quote the reader: an error, a notice.
    """
    if style not in ("error", "notice"):
        paragraphs = [
            [part for text, role in spans for part in ([(text, role)] if role else symbols(text))]
            for spans in paragraphs
        ]
    data: dict[str, Any] = {
        "paragraphs": paragraphs,
        "style": style,
        "language": words().tag,
    }
    component("prose")(key=key, data=data)


def notices() -> None:
    """Where the page is to begin with its notices."""
    remembered(Notices).room = st.container()


def notice(text: str, key: str) -> None:
    """Say a sentence above the page, also of a control: on a phone those lie in a closed drawer."""
    with remembered(Notices).room or st.container():
        prose([[(text, "")]], key=key, style="notice")


def title(text: str) -> None:
    """The headline of a page, of which there is one."""
    st.title(mathematics(text), anchor=False)


def unseen_title(text: str) -> None:
    """The headline of a page whose step needs the whole screen: heard, not seen."""
    with st.container(key="unseen_title"):
        title(text)


def heading(text: str, level: Literal[2, 3] = 2) -> None:
    """A small quiet heading inside a card; level: 3 where it stands below another one."""
    st.markdown(f"{'#' * level} {mathematics(text)}", anchors=False)
