"""What the pages of a chapter share: header, footer, contents, links to the glossary, papers."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from views import link
from views.navigation import CHAPTERS, PAGE_INFO, PAGES, TERMS, chapter_of
from views.preferences import in_language
from views.scene.naming import term_name
from views.text import CHAPTER, DECODER, GLOSSARY, Words
from views.text.spans import mathematics, plain
from views.widgets.prose import heading, prose, source_code, table, title

IN_A_LINE = 3


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


def recorded_link(run: str) -> None:
    """A link to a recorded run of a model that is not installed. run: its name in the link."""
    label = f"{plain(in_language(PAGE_INFO)['recorded'].title)} →"
    query = link.query_of("recorded") | {"recorded": run}
    st.page_link(str(PAGES["recorded"]), label=label, query_params=query)


def page_cards(pages: tuple[str, ...]) -> None:
    """Draw the contents of a chapter: a card for each page, with a link and one line about it."""
    info = in_language(PAGE_INFO)
    for start in range(0, len(pages), IN_A_LINE):
        line = pages[start : start + IN_A_LINE]
        for column, page in zip(st.columns(IN_A_LINE), line, strict=False):
            with column, st.container(border=True, height="stretch", key=f"{page}_card"):
                label = f"**{plain(info[page].title)}** →"
                st.page_link(str(PAGES[page]), label=label, query_params=link.query_of(page))
                st.caption(mathematics(info[page].about))


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


def sources(papers: Sequence[Sequence[str]], *functions: Callable[..., Any]) -> None:
    """Draw a table of papers, and the source of the functions.

    papers: year, title, and what it brought.
    """
    texts = in_language(DECODER)
    with st.container(border=True, key="papers_card"):
        heading(texts.papers)
        table(texts.columns, [[mathematics(cell) for cell in row] for row in papers])
    source_code(texts.code, *functions)
