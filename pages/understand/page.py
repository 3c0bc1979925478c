import streamlit as st

from views.navigation import section
from views.preferences import in_language, words
from views.text import CHAPTER
from views.widgets import lesson
from views.widgets.prose import heading

texts = in_language(CHAPTER)
lead = texts.lesson.lead.format(experiments=len(section("experiments")))
lesson.header(texts.lesson | {"lead": lead})
with st.container(key="contents"):
    heading(texts.by_hand)
    lesson.page_cards(section("by_hand"))
    heading(texts.experiments)
    lesson.page_cards(section("experiments"))
    heading(texts.more)
    lesson.page_cards(section("more"))
lesson.footer(texts.lesson, words())
