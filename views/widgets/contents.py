"""The contents of a chapter: one card per page."""

import streamlit as st

from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words
from views.text.spans import mathematics, plain

IN_A_LINE = 3


def cards(pages: tuple[str, ...], words: Words) -> None:
    """Draw a card for each page, with a link and one line about it."""
    doors = in_language(PAGE_INFO)
    for start in range(0, len(pages), IN_A_LINE):
        line = pages[start : start + IN_A_LINE]
        for column, page in zip(st.columns(IN_A_LINE), line, strict=False):
            with column, st.container(border=True, height="stretch", key=f"{page}_card"):
                label = f"**{plain(doors[page].title)}** →"
                st.page_link(str(PAGES[page]), label=label, query_params=link.query_of(page))
                st.caption(mathematics(doors[page].about))
