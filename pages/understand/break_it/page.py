import streamlit as st

from pages.understand.break_it.cards import bench, more
from pages.understand.break_it.controls import (
    FIRST,
    Bench,
    bench_input,
    mistake_input,
)
from pages.understand.break_it.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

said = in_language(WORDS)
lesson.begin(said.lesson)
with st.container(key="bench"):
    given, source = computed(lambda: bench_input(said), Bench.source, FIRST, words())
    name = mistake_input(said)
bench(given, source, name, said)
more(given, source, name, said)
lesson.end(said.lesson, words())
