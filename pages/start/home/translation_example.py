"""An interactive example on the home page: the cross-attention of one short translation."""

from core.experiments.alignment import clearest, cross_weights
from core.models import translator
from views import numbers
from views.figures.scale import round_up
from views.text import Words
from views.widgets.component import component
from views.widgets.prose import heading, prose

SENTENCE = "你昨天去了哪里"  # its translation has another word order


def translation_example(words: Words) -> None:
    """Draw the cross-attention head with the clearest alignment, as lines and as a matrix.

    A row is labelled with the word that is predicted there; the row of END is left out.
    """
    model = translator.load()
    translation = model.translate(SENTENCE)
    target = [model.target[piece] for piece in translation.pieces]
    by_head = cross_weights(translation.trace)[:, :, : len(target)]  # (layer, head, query, key)
    layer, head = clearest(by_head)
    weights = by_head[layer, head]  # (query, key)
    label = words.home.glance.format(source=SENTENCE, target=model.sentence(translation.pieces))
    heading(label)
    data = {
        "label": label,
        "queries": target,
        "keys": translation.tokens,
        "weights": weights.tolist(),
        "printed": [[numbers.plain(float(w), 2) for w in row] for row in weights],
        "largest": round_up(float(weights.max())),
        "chosen": len(target) - 1,
    }
    component("glance")(key="glance", data=data)
    origin = words.home.glance_from.format(head=head + 1, layer=layer + 1)
    lines = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in lines], key="glance_words", style="quiet")
