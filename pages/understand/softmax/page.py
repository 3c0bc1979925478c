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
from pages.understand.softmax.words import WORDS
from views.reader import in_language, words
from views.spans import mathematics
from views.widgets.lesson import begin, end

said = in_language(WORDS)
begin(said.lesson)
controls, figure = st.columns([2, 5])
with controls, st.container(border=True, key="row_card"):
    row = row_input(said.row)
    bars(row, said.row)
    st.caption(mathematics(said.row.origin))
with figure, st.container(border=True, key="sum_card"):
    sum_card(row, said.row)
    entropy_card(row, said.row)
reads(row, said.row)
with st.container(border=True, key="axis_card"):
    axis_section(said.axis)
with st.container(border=True, key="constant_card"):
    constant_section(row, said.constant)
code(said.row)
end(said.lesson, words())
