from views.reader import in_language, words
from views.text.understand.order import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.order.given import FIRST, Given
from views.widgets.understand.order.input import given_input, order_input
from views.widgets.understand.order.page import comparison, shown_code
from views.widgets.understand.order.waves import sinusoid_card

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
