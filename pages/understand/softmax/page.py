import streamlit as st

from pages.understand.softmax.axis import axis_section
from pages.understand.softmax.cards import (
    bars,
    code,
    entropy_card,
    reads,
    sum_card,
)
from pages.understand.softmax.constant import constant_section
from pages.understand.softmax.controls import row_input
from views.preferences import in_language, words
from views.text import words_beside
from views.text.spans import mathematics
from views.widgets.lesson import footer, header

texts = in_language(words_beside(__file__))
header(texts.lesson)
controls, figure = st.columns([2, 5])
with controls, st.container(border=True, key="row_card"):
    row = row_input(texts.row)
    bars(row, texts.row)
    st.caption(mathematics(texts.row.origin))
with figure, st.container(border=True, key="sum_card"):
    sum_card(row, texts.row)
    entropy_card(row, texts.row)
reads(row, texts.row)
with st.container(border=True, key="axis_card"):
    axis_section(texts.axis)
with st.container(border=True, key="constant_card"):
    constant_section(row, texts.constant)
code(texts.row)
footer(texts.lesson, words())
