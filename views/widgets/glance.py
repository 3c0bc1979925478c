"""The cross-attention of a translation as lines between words and as a matrix."""

from core.experiments.alignment import cross_weights
from core.models.translator import Translation, Translator
from views.figures.scale import round_up
from views.text import numbers
from views.widgets.component import component


def glance(model: Translator, made: Translation, label: str, chosen: int = 0) -> tuple[int, int]:
    """Draw the cross-attention head that aligns words best, as lines and as a matrix.

    label: for screen readers. A row is named after the word that is predicted there; the row of END
    is left out. chosen: the initial row. Returns the layer and the
    head, from 1.
    """
    target_words = [model.target[piece] for piece in made.pieces]
    every = cross_weights(made.trace)[:, :, : len(target_words)]
    layer, head = model.best_aligned_head
    weights = every[layer, head]  # (query, key)
    data = {
        "label": label,
        "queries": target_words,
        "keys": made.tokens,
        "weights": weights.tolist(),
        "printed": [[numbers.plain(float(w)) for w in row] for row in weights],
        "largest": round_up(float(weights.max())),
        "chosen": chosen,
    }
    component("glance")(key="glance", data=data)
    return layer + 1, head + 1
