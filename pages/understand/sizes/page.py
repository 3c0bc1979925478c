from pages.understand.sizes.cards import code, inputs, ladder, meaning
from pages.understand.sizes.table import growth, table
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
chosen = inputs(words())
meaning(chosen)
ladder(chosen)
table(chosen)
growth(chosen)
code(chosen)
lesson.footer(texts.lesson, words())
