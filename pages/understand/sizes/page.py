from pages.understand.sizes.cards import code, ladder, meaning
from pages.understand.sizes.controls import FIRST, sizes_input
from pages.understand.sizes.table import growth, table
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
chosen, _ = computed(lambda: sizes_input(texts), lambda chosen: chosen.sizes, FIRST, words())
for card in (meaning, ladder, table, growth, code):
    card(chosen, texts)
lesson.footer(texts.lesson, words())
