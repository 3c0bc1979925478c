from views.reader import in_language, words
from views.text.understand.predict import WORDS
from views.widgets.understand import lesson, predict
from views.widgets.understand.predict_book import quiz_of
from views.widgets.understand.predict_input import asked_input, example_input
from views.widgets.understand.predict_paper import paper

said = in_language(WORDS)
lesson.begin(said.lesson)
preset, causal, trace = example_input(said)
asked = asked_input(preset, causal, trace, said, words())
predict.ask(quiz_of(asked, trace), said, words())
paper(asked, trace, said, words())
predict.code(said)
lesson.end(said.lesson, words())
