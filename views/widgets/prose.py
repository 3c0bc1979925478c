"""Text elements: paragraphs of spans, headings, tables, source code, and notices above the page.

Text from the user is shown literally and never parsed as markup.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from views.link import remembered
from views.preferences import words
from views.text.spans import Span, mathematics, symbols
from views.widgets.component import component

Style = Literal["", "lead", "quiet", "shapes", "notice", "error"]


@dataclass
class Notices:
    """container: above the page, for notices."""

    container: DeltaGenerator | None = None


def prose(paragraphs: list[list[Span]], key: str, style: Style = "") -> None:
    """Show paragraphs of spans.

    Symbols such as W^Q are typeset, except in errors and notices, which may quote the user.
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
    """Create the container for notices; call it before the page draws anything."""
    remembered(Notices).container = st.container(key="notices")


def notice(text: str, key: str) -> None:
    """Show a sentence above the page, where it is visible even if the sidebar is closed."""
    with remembered(Notices).container or st.container():
        prose([[(text, "")]], key=key, style="notice")


def title(text: str) -> None:
    """The page's one headline (h1)."""
    st.title(mathematics(text), anchor=False)


def visually_hidden_title(text: str) -> None:
    """A headline for screen readers only, on pages that need the whole screen."""
    with st.container(key="visually_hidden_title"):
        title(text)


def title_on_phone(text: str) -> None:
    """A headline that is seen on a phone only, where no menu names the page."""
    with st.container(key="title_on_phone"):
        title(text)


def heading(text: str, level: Literal[2, 3] = 2) -> None:
    """A heading inside a card. level: 3 if it is below another heading of the card."""
    st.markdown(f"{'#' * level} {mathematics(text)}", anchors=False)


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show a table. names: column headers as plain text. rows: cells as Markdown."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    st.table({mathematics(name): list(column) for name, column in columns}, hide_index=True)


def source_code(
    label: str, *functions: Callable[..., Any], together: bool = False, wrap_lines: bool = False
) -> None:
    """Draw an expander with the source of the functions. together: in one block."""
    blocks = [inspect.getsource(function) for function in functions]
    with st.expander(label):
        for block in ["\n\n".join(blocks)] if together else blocks:
            st.code(block, language="python", wrap_lines=wrap_lines)
