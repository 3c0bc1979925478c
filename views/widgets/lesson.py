"""Header and footer of a page of the chapter: its question, and what it teaches."""

import streamlit as st

from views import link
from views.navigation import CHAPTERS, PAGE_INFO, PAGES, TERMS, chapter_of
from views.preferences import in_language
from views.text import CHAPTER, Words
from views.text.spans import plain
from views.widgets.prose import heading, prose, title
from views.widgets.terms import terms


def header(lesson: Words) -> None:
    """Links back, the page's headline, and its question."""
    with st.container(horizontal=True, key="way_back"):
        for name in ("home", chapter_of(link.session().page)):
            if name != link.session().page:
                label = f"{plain(in_language(PAGE_INFO)[name].title)} ›"
                st.page_link(str(PAGES[name]), label=label, query_params=link.query_of(name))
    title(lesson.title)
    prose([[(lesson.lead, "")]], key="lead", style="lead")


def footer(lesson: Words, words: Words) -> None:
    """What the page teaches, the deep link of this view, and a link to the next page."""
    texts = in_language(CHAPTER)
    page = link.session().page
    link.write()
    terms(*TERMS[page], key="terms_of_page")
    prose([[(words.opened.rounded, "")]], key="rounded", style="quiet")
    with st.container(border=True, key="learnt_card"):
        heading(texts.learnt)
        prose([[(lesson.learnt, "")]], key="learnt", style="lead")
        with st.popover(texts.this_view, icon=":material/link:"):
            st.code(link.current_url(), language=None, wrap_lines=True)
    pages = CHAPTERS[chapter_of(page)]
    if page in pages[:-1]:
        page_link(texts.next, pages[pages.index(page) + 1])


def page_link(why: str, page: str) -> None:
    """A link to a page as the user left it: ``Next: **Softmax** →``."""
    label = f"{plain(why)}: **{plain(in_language(PAGE_INFO)[page].title)}** →"
    st.page_link(str(PAGES[page]), label=label, query_params=link.query_of(page))
