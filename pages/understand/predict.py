from views.reader import in_language, words
from views.text.understand.predict import WORDS
from views.widgets.understand import lesson
from views.widgets.understand.predict import page as predict
from views.widgets.understand.predict.book import quiz_of
from views.widgets.understand.predict.input import asked_input, example_input
from views.widgets.understand.predict.paper import paper

said = in_language(WORDS)
lesson.begin(said.lesson)
preset, causal, trace = example_input(said)
asked = asked_input(preset, causal, trace, said, words())
predict.ask(quiz_of(asked, trace), said, words())
paper(causal, said, words())
predict.code(said)
lesson.end(said.lesson, words())
