"""The first thing seen: which word looks at which in one small translation, alive at a touch."""

from core.experiments.alignment import clearest, cross_weights
from core.models import translator
from views import numbers
from views.figures.scale import round_up
from views.text import Words
from views.widgets.component import component
from views.widgets.prose import heading, prose

SENTENCE = "你昨天去了哪里"  # whose words change places


def glance(words: Words) -> None:
    """Draw the clearest cross-attention head of a sentence as lines and as a matrix.

    A row bears the name of the word that is predicted there; the one of END is left out.
    """
    model = translator.load()
    made = model.translate(SENTENCE)
    spoken = [model.target[piece] for piece in made.pieces]
    every = cross_weights(made.trace)[:, :, : len(spoken)]
    layer, head = clearest(every)
    weights = every[layer, head]  # (query, key)
    label = words.home.glance.format(source=SENTENCE, target=model.sentence(made.pieces))
    heading(label)
    data = {
        "label": label,
        "queries": spoken,
        "keys": made.tokens,
        "weights": weights.tolist(),
        "printed": [[numbers.plain(float(w), 2) for w in row] for row in weights],
        "largest": round_up(float(weights.max())),
        "chosen": len(spoken) - 1,
    }
    component("glance")(key="glance", data=data)
    origin = words.home.glance_from.format(head=head + 1, layer=layer + 1)
    texts = (words.home.glance_hint, origin, words.opened.rounded)
    prose([[(line, "")] for line in texts], key="glance_words", style="quiet")
