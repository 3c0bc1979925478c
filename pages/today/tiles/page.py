from functools import partial

import streamlit as st

from core.experiments import tiles
from pages.today.tiles import cards, costs
from pages.today.tiles.controls import LARGER, Tiled, tiles_input
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.selection import Selection
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
tiled, trace = computed(
    partial(tiles_input, words(), texts), Tiled.trace, Tiled(first_reading(layer=LARGER)), words()
)


def lead(selection: Selection) -> None:
    with st.container(border=True, key="tiles_card"):
        cards.one_block(tiled, trace, selection, texts)


shown = step_viewer(
    trace, words(), origin=tiled.reading.origin,
    steps=steps_of(trace), first="weights", lead=lead,
    start={"query": trace["weights"].size("query") - 1},
)  # fmt: skip
at = shown.selection.at
with st.container(border=True, key="again_card"):
    cards.again(tiled, trace, at["head"], texts)
with st.container(border=True, key="parts_card"):
    query = min(at["query"], trace["weights"].size("query") - 1)
    cards.in_parts(tiled, trace, at["head"], query, texts)
with st.container(border=True, key="costs_card"):
    costs.memory(tiled, texts)
sources(texts.papers, tiles.passes, tiles.tiled_gradients, tiles.split, tiles.merged)
lesson.footer(texts.lesson, words())
