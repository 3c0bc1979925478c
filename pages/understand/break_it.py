import streamlit as st

from views.reader import in_language, words
from views.text.understand.break_it import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.break_it.input import FIRST, Bench, bench_input, mistake_input
from views.widgets.understand.break_it.page import bench, more

said = in_language(WORDS)
lesson.begin(said.lesson)
with st.container(key="bench"):
    given, source = computed(lambda: bench_input(said), Bench.source, FIRST, words())
    name = mistake_input(said)
bench(given, source, name, said)
more(given, source, name, said)
lesson.end(said.lesson, words())
