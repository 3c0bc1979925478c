import streamlit as st

from views.pages import BY_HAND, EXPERIMENTS
from views.reader import in_language, words
from views.text.understand.lesson import CHAPTER
from views.widgets.prose import heading
from views.widgets.understand import lesson
from views.widgets.understand.contents import cards

said = in_language(CHAPTER)
lesson.begin(said.lesson)
with st.container(key="contents"):
    heading(said.by_hand)
    cards(BY_HAND, words())
    heading(said.experiments)
    cards(EXPERIMENTS, words())
    heading(said.more)
    cards(("glossary",), words())
lesson.end(said.lesson, words())
