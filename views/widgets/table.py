"""A static table whose symbols are typeset."""

from collections.abc import Sequence

import streamlit as st

from views.text.spans import mathematics


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show a table. names: column headers as plain text. rows: cells as Markdown."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    st.table({mathematics(name): list(column) for name, column in columns}, hide_index=True)
