from pages.understand.order.cards import comparison, shown_code
from pages.understand.order.controls import given_input, order_input
from pages.understand.order.given import FIRST, Given
from pages.understand.order.waves import sinusoid_card
from pages.understand.order.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

said = in_language(WORDS)
lesson.begin(said.lesson)


def read() -> Given:
    return given_input(said, words())


given, _ = computed(read, Given.as_given, FIRST, words())
order, stage = order_input(given, said, words())
comparison(given, order, stage, said, words())
sinusoid_card(said)
shown_code(said)
lesson.end(said.lesson, words())
