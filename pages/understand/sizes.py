from views.reader import in_language, words
from views.text.understand.sizes import WORDS
from views.widgets.understand import lesson
from views.widgets.understand.sizes.page import asked, code, meaning, way
from views.widgets.understand.sizes.table import growth, table

said = in_language(WORDS)
lesson.begin(said.lesson)
chosen = asked(words())
meaning(chosen)
way(chosen)
table(chosen)
growth(chosen)
code(chosen)
lesson.end(said.lesson, words())
