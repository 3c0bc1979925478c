"""The ways into the app, and what awaits behind them."""

import streamlit as st

from views import link
from views.doors import DOORS
from views.menu import PAGES, section
from views.reader import in_language
from views.spans import mathematics, plain
from views.text import Words
from views.widgets.prose import heading
from views.widgets.table import table


def story_door() -> None:
    """The main door: the story, for who has never heard of attention."""
    story = in_language(DOORS)["story"]
    with st.container(key="story_door"):
        st.page_link(
            str(PAGES["story"]),
            label=f"**{plain(story.title)}** · {plain(story.about)} →",
            query_params=link.query_of("story"),
        )


def doors(words: Words) -> None:
    """One card a front door; below them one's own model and the chapter that explains, wider."""
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
            ("understand", home.understand_door, _counted(home.understand_about)),
        ),
    )
    with st.container(key="doors"):
        for ways in rows:
            for column, (page, title, about) in zip(st.columns(len(ways)), ways, strict=True):
                with column:
                    _door(page, title, about)


def _counted(about: str) -> str:
    return about.format(experiments=len(section("experiments")))


def _door(page: str, title: str, about: str) -> None:
    with st.container(border=True, height="stretch", key=f"{page}_card"):
        st.page_link(str(PAGES[page]), label=f"**{title}** →", query_params=link.query_of(page))
        st.caption(mathematics(about))


def moves(words: Words) -> None:
    """The three moves of attention, in one line each."""
    with st.container(key="moves"):
        heading(words.home.one_idea)
        for number, (column, (name, about)) in enumerate(
            zip(st.columns(3), words.home.moves, strict=True), start=1
        ):
            with column:
                st.markdown(f"**{number} · {plain(name)}**")
                st.caption(mathematics(about))


def tokens(words: Words) -> None:
    """What a token is behind each door, how many there are, and which masks are used."""
    home = words.home
    with st.container(key="tokens"):
        heading(home.tokens)
        rows = [[mathematics(text) for text in row] for row in home.token_rows]
        table(home.token_columns, rows)
