from views.reader import in_language, words
from views.text.understand.glossary import WORDS
from views.text.understand.glossary_questions import QUESTIONS
from views.widgets.understand import lesson
from views.widgets.understand.glossary.page import part_input, table
from views.widgets.understand.glossary.questions import questions
from views.widgets.understand.glossary.seen import last_sentence

said = in_language(WORDS)
lesson.begin(said.lesson)

if part_input(said) == "words":
    table(said, words())
else:
    questions(last_sentence(), in_language(QUESTIONS), words())

lesson.end(said.lesson, words())
