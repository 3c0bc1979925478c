from pages.understand.glossary.cards import part_input, table
from pages.understand.glossary.questions import questions
from pages.understand.glossary.term_location import last_sentence
from pages.understand.glossary.words import QUESTIONS
from views.preferences import in_language, words
from views.text.glossary import WORDS
from views.widgets import lesson

texts = in_language(WORDS)
lesson.header(texts.lesson)

if part_input(texts) == "words":
    table(texts, words())
else:
    questions(last_sentence(), in_language(QUESTIONS), words())

lesson.footer(texts.lesson, words())
