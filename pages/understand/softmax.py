import streamlit as st

from views.reader import in_language, words
from views.text.understand.softmax import WORDS
from views.widgets.understand.lesson import begin, end
from views.widgets.understand.softmax import charts, code, reads, sum_card
from views.widgets.understand.softmax_axis import axis_section
from views.widgets.understand.softmax_constant import constant_section
from views.widgets.understand.softmax_input import row_input

said = in_language(WORDS)
begin(said.lesson)
controls, figure = st.columns([2, 5])
with controls, st.container(border=True, key="row_card"):
    row = row_input(said.row)
with figure, st.container(border=True, key="sum_card"):
    sum_card(row, said.row)
    charts(row, said.row)
reads(row, said.row)
with st.container(border=True, key="axis_card"):
    axis_section(said.axis)
with st.container(border=True, key="constant_card"):
    constant_section(row, said.constant)
code(said.row)
end(said.lesson, words())
