from pages.understand.before.cards import (
    code,
    last_row,
    pictures,
    ways,
)
from pages.understand.before.controls import Given, before_input, left
from pages.understand.before.summary import told
from pages.understand.before.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

said = in_language(WORDS)
lesson.begin(said.lesson)


def read() -> Given:
    return before_input(said)


given, trace = computed(read, Given.attended, Given(said.sample), words())
found = left(given, trace)
pictures(found, given, said)
told(found, given, said)
ways(len(found.words), said)
last_row(found, said)
code(said)
lesson.end(said.lesson, words())
