"""An interactive example on the home page: the cross-attention of one short translation."""

from core.models import translator
from views.text import Words
from views.widgets.glance import glance
from views.widgets.prose import heading, prose

SENTENCE = "他昨天没有来学校"  # its translation has another word order


def translation_example(words: Words) -> None:
    """Draw the cross-attention head that aligns words best, as lines and as a matrix."""
    model = translator.load()
    translation = model.translate(SENTENCE)
    label = words.home.glance.format(source=SENTENCE, target=model.decode(translation.pieces))
    heading(label)
    layer, head = glance(model, translation, label, len(translation.pieces) - 2)
    is_taught = model.supervised_head == (layer - 1, head - 1)
    taught = words.home.glance_taught if is_taught else words.home.glance_untaught
    origin = words.home.glance_from.format(head=head, layer=layer, taught=taught)
    lines = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in lines], key="glance_words", style="quiet")
