"""The pages as Streamlit's navigation takes them."""

from copy import copy
from functools import cache

import streamlit as st

from views.navigation import PAGE_INFO, PAGES, RENAMED


def pages_by_name(language: str) -> dict[str, st.Page]:
    """Every page by its name in the URL, and behind these by the names of old links.

    They are copies: Streamlit notes in a page that this run may show it.
    """
    return {name: copy(page) for name, page in _pages(language).items()}


@cache  # Streamlit looks up the file of each, which takes a twelfth of a run's time
def _pages(language: str) -> dict[str, st.Page]:
    titles = {name: PAGE_INFO[language][name].title for name in PAGES}
    return {
        name: st.Page(path, title=titles[name], url_path=name, default=name == "home")
        for name, path in PAGES.items()
    } | {
        old: st.Page(PAGES[new], url_path=old, visibility="hidden") for old, new in RENAMED.items()
    }
