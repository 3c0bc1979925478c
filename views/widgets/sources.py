"""Where a variant of attention comes from: the papers, and the code that computes it here."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from views.preferences import in_language
from views.text import DECODER
from views.text.spans import mathematics
from views.widgets.prose import heading
from views.widgets.source_code import source_code
from views.widgets.table import table


def sources(papers: Sequence[Sequence[str]], *functions: Callable[..., Any]) -> None:
    """Draw a table of papers, and the source of the functions.

    papers: year, title, and what it brought.
    """
    texts = in_language(DECODER)
    with st.container(border=True, key="papers_card"):
        heading(texts.papers)
        table(texts.columns, [[mathematics(cell) for cell in row] for row in papers])
    source_code(texts.code, *functions)
