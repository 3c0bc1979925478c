"""Cards that link to the pages, and what attention does in three steps."""

import streamlit as st

from views import link
from views.navigation import PAGE_INFO, PAGES, section
from views.preferences import in_language
from views.text import Words
from views.text.spans import mathematics, plain
from views.widgets.prose import heading
from views.widgets.table import table


def story_card() -> None:
    """The main link: the story, for readers who have never heard of attention."""
    story = in_language(PAGE_INFO)["story"]
    with st.container(key="story_door"):
        st.page_link(
            str(PAGES["story"]),
            label=f"**{plain(story.title)}** · {plain(story.about)} →",
            query_params=link.query_of("story"),
        )


def page_cards(words: Words) -> None:
    """A card for each page of ``see``, and one for each further chapter."""
    home = words.home
    rows = (
        (
            ("sentence", home.sentence_door, home.sentence_about),
            ("translation", home.translation_door, home.translation_about),
            ("image", home.image_door, home.image_about),
            ("audio", home.audio_door, home.audio_about),
        ),
        (
            ("checkpoint", home.checkpoint_door, home.checkpoint_about),
            ("understand", home.understand_door, _with_count(home.understand_about)),
            ("today", home.today_door, home.today_about),
        ),
    )
    with st.container(key="doors"):
        for row in rows:
            for column, (page, title, about) in zip(st.columns(len(row)), row, strict=True):
                with column:
                    _page_card(page, title, about)


def _with_count(about: str) -> str:
    return about.format(experiments=len(section("experiments")))


def _page_card(page: str, title: str, about: str) -> None:
    with st.container(border=True, height="stretch", key=f"{page}_card"):
        st.page_link(str(PAGES[page]), label=f"**{title}** →", query_params=link.query_of(page))
        st.caption(mathematics(about))


def three_steps(words: Words) -> None:
    """The three steps of attention, each in one line."""
    with st.container(key="moves"):
        heading(words.home.one_idea)
        for number, (column, (name, about)) in enumerate(
            zip(st.columns(3), words.home.moves, strict=True), start=1
        ):
            with column:
                st.markdown(f"**{number} · {plain(name)}**")
                st.caption(mathematics(about))


def tokens(words: Words) -> None:
    """A table of what a token is for each kind of input, how many there are, and which masks."""
    home = words.home
    with st.container(key="tokens"), st.expander(home.tokens):
        rows = [[mathematics(text) for text in row] for row in home.token_rows]
        table(home.token_columns, rows)
