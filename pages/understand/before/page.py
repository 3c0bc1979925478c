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

texts = in_language(WORDS)
lesson.header(texts.lesson)


def read() -> Given:
    return before_input(texts)


given, trace = computed(read, Given.attended, Given(texts.sample), words())
found = left(given, trace)
pictures(found, given, texts)
told(found, given, texts)
ways(len(found.words), texts)
last_row(found, texts)
code(texts)
lesson.footer(texts.lesson, words())
