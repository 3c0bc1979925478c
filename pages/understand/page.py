from dataclasses import replace

import streamlit as st

from pages.understand.contents import cards
from views.menu import section
from views.reader import in_language, words
from views.text.lesson import CHAPTER
from views.widgets import lesson
from views.widgets.prose import heading

said = in_language(CHAPTER)
lead = said.lesson.lead.format(experiments=len(section("experiments")))
lesson.begin(replace(said.lesson, lead=lead))
with st.container(key="contents"):
    heading(said.by_hand)
    cards(section("by_hand"), words())
    heading(said.experiments)
    cards(section("experiments"), words())
    heading(said.more)
    cards(section("more"), words())
lesson.end(said.lesson, words())
