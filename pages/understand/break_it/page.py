import streamlit as st

from pages.understand.break_it.cards import mistake_card, more
from pages.understand.break_it.controls import Inputs, break_it_input, first, mistake_input
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
with st.container(key="bench"):
    inputs, source = computed(lambda: break_it_input(texts), Inputs.source, first(), words())
    name = mistake_input(texts)
mistake_card(inputs, source, name, texts)
more(inputs, source, name, texts)
lesson.footer(texts.lesson, words())
