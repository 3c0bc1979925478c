"""A quiet line of ways from the terms of a page to what other books call them."""

import streamlit as st

from views import link
from views.menu import PAGES
from views.reader import in_language
from views.spans import plain
from views.text.glossary import WORDS


def terms(*names: str, key: str = "terms") -> None:
    """Offer these terms, each as a link to its place in the glossary. Nothing where there is none.

    key: begins with ``terms``; another one for a page with more than one such line.
    Raises KeyError for a name that is no term.
    """
    if not names:
        return
    query = {"lang": link.session().language}
    with st.container(horizontal=True, gap="small", key=key, vertical_alignment="center"):
        st.caption(plain(in_language(WORDS).words_here), width="content")
        for name in names:
            st.page_link(
                str(PAGES["glossary"]), label=plain(name), query_params=query | {"term": name}
            )
