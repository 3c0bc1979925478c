from dataclasses import replace

import streamlit as st

from pages.today.words import WORDS
from views.navigation import section
from views.preferences import in_language, words
from views.widgets import lesson
from views.widgets.contents import cards
from views.widgets.prose import heading

texts = in_language(WORDS)
lead = texts.lesson.lead.format(pages=len(section("variants")))
lesson.header(replace(texts.lesson, lead=lead))
with st.container(key="contents"):
    heading(texts.variants)
    cards(section("variants"), words())
lesson.footer(texts.lesson, words())
