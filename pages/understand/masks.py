import streamlit as st

from views.reader import in_language, words
from views.text.understand.masks import WORDS
from views.widgets.errors import computed
from views.widgets.prose import prose
from views.widgets.understand import lesson
from views.widgets.understand.masks import page as masks
from views.widgets.understand.masks import said as masks_said
from views.widgets.understand.masks.input import Asked, masked_trace, masks_input

said = in_language(WORDS)
lesson.begin(said.lesson)
asked, trace = computed(lambda: masks_input(said), masked_trace, Asked(), words())
with st.container(border=True, key="composition_card"):
    masks.composition(asked, trace, said)
with st.container(border=True, key="follows_card"):
    way = masks.chosen_way(said)
    masks.chain(asked, trace, said, way)
    masks_said.says(asked, trace, said, way)
    prose([[(words().viewer.random.format(seed=asked.seed), "")]], key="origin", style="quiet")
with st.container(border=True, key="comparison_card"):
    masks_said.comparison(trace, said, way)
masks_said.code(said)
lesson.end(said.lesson, words())
