from pages.understand.glossary.cards import last_sentence, part_input, table
from pages.understand.glossary.questions import frequent_questions
from views.preferences import in_language, words
from views.text import GLOSSARY, words_beside
from views.widgets import lesson

texts = in_language(GLOSSARY)
lesson.header(texts.lesson)

if part_input(texts) == "words":
    table(texts, words())
else:
    frequent_questions(last_sentence(), in_language(words_beside(__file__)), words())

lesson.footer(texts.lesson, words())
