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

texts = in_language(WORDS)
lesson.header(texts.lesson)
with st.container(key="bench"):
    given, source = computed(lambda: bench_input(texts), Bench.source, FIRST, words())
    name = mistake_input(texts)
bench(given, source, name, texts)
more(given, source, name, texts)
lesson.footer(texts.lesson, words())
