import streamlit as st

from core import ops
from core.experiments import measures
from pages.understand.softmax.cards import bars, entropy_card, sum_card, summary
from pages.understand.softmax.controls import row_input
from pages.understand.softmax.variants import axis_section, constant_section
from views.preferences import in_language, words
from views.text import words_beside
from views.text.spans import mathematics
from views.widgets.lesson import footer, header
from views.widgets.source_code import source_code

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
summary(row, texts.row)
with st.container(border=True, key="axis_card"):
    axis_section(texts.axis)
with st.container(border=True, key="constant_card"):
    constant_section(row, texts.constant)
source_code(texts.row.code, ops.softmax, ops.softmax_steps, measures.entropy)
footer(texts.lesson, words())
