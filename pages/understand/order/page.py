from pages.understand.order.cards import comparison_cards, shown_code
from pages.understand.order.controls import order_input, sequence_input
from pages.understand.order.inputs import FIRST, Inputs
from pages.understand.order.sinusoid_card import sinusoid_card
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)


def read() -> Inputs:
    return sequence_input(texts, words())


inputs, _ = computed(read, Inputs.as_given, FIRST, words())
order, stage = order_input(inputs, texts, words())
comparison_cards(inputs, order, stage, texts, words())
sinusoid_card(texts)
shown_code(texts)
lesson.footer(texts.lesson, words())
