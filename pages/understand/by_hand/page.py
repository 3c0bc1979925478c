import streamlit as st

from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from pages.understand.by_hand.cards import sheet_cards
from pages.understand.by_hand.controls import by_hand_input
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.sheet_input import sentence_of

texts = in_language(words_beside(__file__))
above = st.container()
sheet, trace = computed(lambda: by_hand_input(texts), Sheet.trace, WO_AI_BEIJING, words())
with above:
    title = texts.lesson.title.format(sentence=sentence_of(sheet.tokens))
    lesson.header(texts.lesson | {"title": title})
sheet_cards(sheet, trace, words(), texts)
lesson.footer(texts.lesson, words())
