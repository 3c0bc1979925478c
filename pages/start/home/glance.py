"""The first thing seen: which word looks at which in one small translation."""

from core.models import translator
from views.text import Words
from views.widgets.glance import glance
from views.widgets.prose import heading, prose

SENTENCE = "你昨天去了哪里"  # whose words change places


def first_glance(words: Words) -> None:
    """A sentence whose words the translator moves, and the head that follows them."""
    model = translator.load()
    made = model.translate(SENTENCE)
    label = words.home.glance.format(source=SENTENCE, target=model.decode(made.pieces))
    heading(label)
    layer, head = glance(model, made, label, len(made.pieces) - 1)
    origin = words.home.glance_from.format(head=head, layer=layer)
    said = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in said], key="glance_words", style="quiet")
