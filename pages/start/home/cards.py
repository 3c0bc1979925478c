"""The cards of the home page: an example, links to all pages, and the address for a class."""

from functools import cache

import streamlit as st

from core.models import pretrained, recorded, translator
from core.models.translator import Translation
from core.sources.visible import SIGNS
from views import link
from views.navigation import PAGE_INFO, PAGES, section
from views.preferences import in_language
from views.server import classroom
from views.text import Words, words_beside
from views.text.spans import mathematics, plain
from views.widgets.component import component
from views.widgets.glance import glance, glance_of_text
from views.widgets.prose import heading, prose
from views.widgets.table import table

SENTENCE = "他昨天没有来学校"  # its translation has another word order
FIRST_RUN = "river"  # for readers of English
RECORDED = ("river", "gift", "cat", "speech")  # runs of real models: English, Chinese, seen, heard


def story_link() -> None:
    """The main link: the story, for readers who have never heard of attention."""
    story = in_language(PAGE_INFO)["story"]
    with st.container(key="story_link"):
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
            ("understand", home.understand_link, _with_count(home.understand_about)),
            ("today", home.today_link, home.today_about),
        ),
    )
    with st.container(key="page_links"):
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


def example(words: Words) -> None:
    """Draw who looks at whom in a sentence of the reader's language."""
    if words.home.begins == "recorded":
        recorded_example(words)
    else:
        translation_example(words)


def recorded_example(words: Words) -> None:
    """Draw a recorded head of a real model, in which one word takes most from another."""
    run, home = recorded.runs()[FIRST_RUN], words.home
    label = home.glance_text.format(text=run.text)
    heading(label)
    tokens = run.trace["weights"].axis("key").names() or ()
    glance_of_text(run.trace, [one.lstrip(SIGNS[" "]) for one in tokens], label, run.query)
    origin = home.glance_recorded.format(
        head=run.head, layer=run.layer, model=pretrained.ALL[run.model].title
    )
    lines = (home.glance_text_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in lines], key="glance_words", style="quiet")
    cell = {
        "recorded": run.name, "stage": "weights", "row": run.query + 1, "column": run.keys[0] + 1,
    }  # fmt: skip
    st.page_link(
        str(PAGES["recorded"]),
        label=f"{plain(home.glance_open)} →",
        query_params={"lang": words.code} | {name: str(value) for name, value in cell.items()},
    )


@cache
def _translation() -> Translation:
    """The translation, cached for all sessions: it takes three times as long as the rest."""
    return translator.load().translate(SENTENCE)


def translation_example(words: Words) -> None:
    """Draw the cross-attention head that aligns words best untaught, as lines and as a matrix."""
    model, translation = translator.load(), _translation()
    label = words.home.glance.format(source=SENTENCE, target=model.decode(translation.pieces))
    heading(label)
    row = len(translation.pieces) - 2
    layer, head = glance(model, translation, label, row)
    origin = words.home.glance_from.format(head=head, layer=layer)
    lines = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in lines], key="glance_words", style="quiet")
    cell = {
        "text": SENTENCE, "word": row + 1, "part": f"decoder/{layer}/cross", "stage": "weights",
        "head": head, "row": row + 1,
    }  # fmt: skip
    st.page_link(
        str(PAGES["translation"]),
        label=f"{plain(words.home.glance_open)} →",
        query_params={"lang": words.code} | {name: str(value) for name, value in cell.items()},
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
