import streamlit as st

from views.reader import in_language, words
from views.spans import mathematics
from views.text.understand.softmax import WORDS
from views.widgets.understand.lesson import begin, end
from views.widgets.understand.softmax.axis import axis_section
from views.widgets.understand.softmax.constant import constant_section
from views.widgets.understand.softmax.input import row_input
from views.widgets.understand.softmax.page import bars, code, entropy_card, reads, sum_card

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
