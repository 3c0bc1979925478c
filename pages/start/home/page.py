import streamlit as st

from core.models.meanings import meanings
from views import link
from views.navigation import PAGE_INFO, PAGES, section
from views.preferences import in_language, words
from views.server import classroom
from views.text import Words, words_beside
from views.text.spans import mathematics, plain
from views.widgets.component import component
from views.widgets.prose import heading, prose, table, title

SECOND = {"scene": "2"}  # of the story: the first is what this page begins with
RECORDED = ("river", "gift", "cat", "speech")  # runs of real models: English, Chinese, seen, heard


def claim() -> None:
    """The sentence with which the story begins."""
    parts = in_language(words_beside(PAGES["story"])).scenes[0].claim.split("*")
    spans = [(part, "number" if i % 2 else "") for i, part in enumerate(parts)]
    prose([spans], key="claim", style="lead")


def story_link() -> None:
    """The main link: the story, for readers who have never heard of attention."""
    story = in_language(PAGE_INFO)["story"]
    with st.container(key="story_link"):
        st.page_link(
            str(PAGES["story"]),
            label=f"**{plain(story.title)}** · {plain(story.about)} →",
            query_params=SECOND | link.query_of("story"),
        )


def page_cards(words: Words) -> None:
    """A card for each page of ``see``, and one for each further chapter."""
    home = words.home
    understanding = home.understand_about.format(experiments=len(section("experiments")))
    rows = (
        (
            ("sentence", home.sentence_link, home.sentence_about),
            ("writing", home.writing_link, home.writing_about),
            ("translation", home.translation_link, home.translation_about),
        ),
        (
            ("image", home.image_link, home.image_about),
            ("audio", home.audio_link, home.audio_about),
            ("recorded", home.recorded_link, home.recorded_about),
        ),
        (
            ("checkpoint", home.checkpoint_link, home.checkpoint_about),
            ("understand", home.understand_link, understanding),
            ("today", home.today_link, home.today_about),
        ),
    )
    with st.container(key="page_links"):
        for row in rows:
            for column, (page, title, about) in zip(st.columns(len(row)), row, strict=True):
                with column:
                    _page_card(page, title, about)


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


def same_word(words: Words) -> None:
    """The story's first picture: a word in two sentences, and a switch for attention."""
    labels = in_language(words_beside(PAGES["story"])).labels.as_dict()
    component("same_word")(
        key="same_word", data={"labels": labels, "meanings": meanings()[words.code]}
    )


def recorded_runs(words: Words) -> None:
    """Links to recorded runs of real models, which open without the models."""
    titles = in_language(words_beside(PAGES["recorded"])).runs
    with st.container(horizontal=True, key="recorded_runs", vertical_alignment="center"):
        st.caption(plain(words.home.recorded_runs), width="content")
        for name in RECORDED:
            st.page_link(
                str(PAGES["recorded"]),
                label=f"{plain(titles[name].title)} →",
                query_params={"lang": words.code, "recorded": name},
            )


def class_card(words: Words) -> None:
    """Draw the address for a class, open on the server's own machine and folded elsewhere."""
    if not classroom.is_asked_for():
        return
    text = words.classroom
    if st.context.ip_address is None:
        with st.container(border=True, key="class_card"):
            heading(text.title)
            _address(words)
    else:
        with st.expander(text.title):
            _address(words)


def _address(words: Words) -> None:
    text, address = words.classroom, classroom.class_url()
    setting = classroom.loopback_only()
    if setting and not classroom.is_named():
        prose([[(text.loopback.format(setting=setting), "")]], key="class_address", style="notice")
    elif address is None:
        prose([[(text.no_network, "")]], key="class_address", style="notice")
    else:
        names = {
            "qr": text.qr.format(address=address),
            "larger": text.larger,
            "close": text.close,
        }
        data = {"address": address, "modules": classroom.modules(address), "words": names}
        component("class_address")(key="class_address", data=data)


home = words().home
title(home.title)
claim()
class_card(words())
same_word(words())
story_link()
prose([[(home.promise, "")]], key="promise", style="lead")
page_cards(words())
recorded_runs(words())
three_steps(words())
tokens(words())
