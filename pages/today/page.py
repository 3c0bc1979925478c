import streamlit as st

from views.navigation import section
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.prose import heading

texts = in_language(words_beside(__file__))
lead = texts.lesson.lead.format(pages=len(section("variants")))
lesson.header(texts.lesson | {"lead": lead})
with st.container(key="contents"):
    heading(texts.variants)
    lesson.page_cards(section("variants"))
lesson.footer(texts.lesson, words())
