from pages.understand.predict import cards
from pages.understand.predict.book import quiz_of
from pages.understand.predict.controls import example_input, quiz_input
from pages.understand.predict.paper import paper
from pages.understand.predict.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson

said = in_language(WORDS)
lesson.begin(said.lesson)
preset, causal, trace = example_input(said)
inputs = quiz_input(preset, causal, trace, said, words())
cards.ask(quiz_of(inputs, trace), said, words())
paper(causal, said, words())
cards.code(said)
lesson.end(said.lesson, words())
