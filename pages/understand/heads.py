import streamlit as st

from views.reader import in_language, words
from views.text.understand.heads import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.heads import added as heads_added
from views.widgets.understand.heads import page as heads
from views.widgets.understand.heads import split as heads_split
from views.widgets.understand.heads.input import Asked, heads_input, heads_trace

said = in_language(WORDS)
lesson.begin(said.lesson)
asked, trace = computed(lambda: heads_input(said), heads_trace, Asked(), words())
with st.container(border=True, key="price_card"):
    heads.price(asked, trace, said)
with st.container(border=True, key="patterns_card"):
    heads.patterns(asked, trace, said)
with st.container(border=True, key="added_card"):
    heads_added.added(asked, trace, said)
with st.container(border=True, key="split_card"):
    heads_split.packed(asked, trace, said)
    heads_split.split(asked, trace, said)
heads_added.code(said)
lesson.end(said.lesson, words())
