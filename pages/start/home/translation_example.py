"""An interactive example on the home page: the cross-attention of one short translation."""

from functools import cache

from core.models import translator
from core.models.translator import Translation
from views.text import Words
from views.widgets.glance import glance
from views.widgets.prose import heading, prose

SENTENCE = "他昨天没有来学校"  # its translation has another word order


@cache
def _translation() -> Translation:
    """The same for every reader; it takes three times as long as all else on the page."""
    return translator.load().translate(SENTENCE)


def translation_example(words: Words) -> None:
    """Draw the cross-attention head that aligns words best, as lines and as a matrix."""
    model, translation = translator.load(), _translation()
    label = words.home.glance.format(source=SENTENCE, target=model.decode(translation.pieces))
    heading(label)
    layer, head = glance(model, translation, label, len(translation.pieces) - 2)
    is_taught = model.supervised_head == (layer - 1, head - 1)
    taught = words.home.glance_taught if is_taught else words.home.glance_untaught
    origin = words.home.glance_from.format(head=head, layer=layer, taught=taught)
    lines = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in lines], key="glance_words", style="quiet")
