"""A table that is only read, its words set as sentences are."""

from collections.abc import Sequence

import streamlit as st

from views.spans import mathematics


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show rows of Markdown below names in the project's own words, their symbols set."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    st.table({mathematics(name): list(column) for name, column in columns}, hide_index=True)
