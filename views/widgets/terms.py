"""A line of links from the terms of a page to the glossary."""

import streamlit as st

from views import link
from views.navigation import PAGES
from views.preferences import in_language
from views.scene.naming import term_name
from views.text import GLOSSARY
from views.text.spans import plain


def terms(*names: str, key: str = "terms") -> None:
    """Show a link to the glossary for each of these terms; nothing without any.

    key: the element's key, which begins with ``terms`` and is unique on the page.
    """
    if not names:
        return
    texts, query = in_language(GLOSSARY), {"lang": link.session().language}
    with st.container(horizontal=True, gap="small", key=key, vertical_alignment="center"):
        st.caption(plain(texts.words_here), width="content")
        for name in names:
            label = plain(term_name(name, texts))
            st.page_link(str(PAGES["glossary"]), label=label, query_params=query | {"term": name})
