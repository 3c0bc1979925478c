from pages.understand.before.cards import code, influence_charts, last_row, path_lengths
from pages.understand.before.controls import Inputs, before_input, compute_influence
from pages.understand.before.summary import summary
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(
    lambda: before_input(texts), Inputs.attention_trace, Inputs(texts.sample), words()
)
influence = compute_influence(inputs, trace)
influence_charts(influence, inputs, texts)
summary(influence, inputs, texts)
path_lengths(len(influence.words), texts)
last_row(influence, texts)
code(texts)
lesson.footer(texts.lesson, words())
