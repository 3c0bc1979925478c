from core.exercises.judging import judge
from pages.understand.predict import cards
from pages.understand.predict.controls import example_input, quiz_input
from pages.understand.predict.quiz import quiz_of
from pages.understand.predict.worksheet_card import worksheet_card
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.source_code import source_code

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
preset, causal, trace = example_input(texts)
inputs = quiz_input(preset, causal, trace, texts, words())
cards.ask(quiz_of(inputs, trace), texts, words())
worksheet_card(causal, texts, words())
source_code(texts.code, judge)
lesson.footer(texts.lesson, words())
