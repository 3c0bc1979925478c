import streamlit as st

from core.exercises.judging import judge
from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from pages.understand.predict import cards
from pages.understand.predict.controls import predict_input, quiz_input
from pages.understand.predict.quiz import quiz_of
from pages.understand.predict.worksheet_card import worksheet_card
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.sheet_input import sentence_of
from views.widgets.source_code import source_code

texts = in_language(words_beside(__file__))
above = st.container()
sheet, trace = computed(lambda: predict_input(texts), Sheet.trace, WO_AI_BEIJING, words())
with above:
    title = texts.lesson.title.format(sentence=sentence_of(sheet.tokens))
    lesson.header(texts.lesson | {"title": title})
inputs = quiz_input(trace, texts)
cards.ask(quiz_of(inputs, trace), texts, words())
worksheet_card(sheet, trace, inputs.head, texts, words())
source_code(texts.code, judge)
lesson.footer(texts.lesson, words())
