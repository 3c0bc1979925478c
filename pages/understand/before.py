from views.reader import in_language, words
from views.text.understand.before import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.before.input import Given, before_input, left
from views.widgets.understand.before.page import code, last_row, pictures, ways
from views.widgets.understand.before.told import told

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
