from pages.understand.order.cards import comparison, shown_code
from pages.understand.order.controls import given_input, order_input
from pages.understand.order.given import FIRST, Given
from pages.understand.order.waves import sinusoid_card
from pages.understand.order.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(WORDS)
lesson.header(texts.lesson)


def read() -> Given:
    return given_input(texts, words())


given, _ = computed(read, Given.as_given, FIRST, words())
order, stage = order_input(given, texts, words())
comparison(given, order, stage, texts, words())
sinusoid_card(texts)
shown_code(texts)
lesson.footer(texts.lesson, words())
