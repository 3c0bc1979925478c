"""A quiet line of ways from the terms of a page to what other books call them."""

import streamlit as st

from core import Trace
from views import link
from views.naming import told_as
from views.pages import PAGES
from views.reader import in_language
from views.spans import plain
from views.text.understand.glossary import WORDS
from views.text.understand.glossary_terms import of_stage

FROM_MEMORY = ("K", "V", "scores", "weights")


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


def terms_of(trace: Trace, key: str) -> None:
    """The terms that stand in the words of a step."""
    names = of_stage(told_as(trace, key)) or of_stage(key)
    if "memory" in trace and key in FROM_MEMORY:
        names = (*names, "cross_attention")
    terms(*names, key="terms_of_step")
