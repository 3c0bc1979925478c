from core.experiments.order import reordered, restore_order
from core.sources import text
from core.sources.position import by_distance
from pages.understand.order.cards import comparison_cards
from pages.understand.order.controls import order_input, sequence_input
from pages.understand.order.inputs import FIRST_SEED, Inputs
from pages.understand.order.sinusoid_card import sinusoid_card
from views import link
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.sentence_input import FIRST_TEXT
from views.widgets.source_code import source_code

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
(tokens,) = text.read(link.first_text(FIRST_TEXT), "word")
first = Inputs(tokens, FIRST_SEED, causal=False)
inputs, _ = computed(lambda: sequence_input(texts, words()), Inputs.as_given, first, words())
order, stage = order_input(inputs, texts, words())
comparison_cards(inputs, order, stage, texts, words())
sinusoid_card(texts)
source_code(texts.code, reordered, restore_order, by_distance)
lesson.footer(texts.lesson, words())
