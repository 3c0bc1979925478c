"""The weights of a head as lines between words and as a matrix."""

import numpy as np

from core.experiments.alignment import cross_weights
from core.models.translator import Translation, Translator, gloss
from views.figures.scale import round_up
from views.preferences import words
from views.text import numbers
from views.widgets.component import component


def glance(model: Translator, made: Translation, label: str, chosen: int = 0) -> tuple[int, int]:
    """Draw the cross-attention head that aligns words best untaught, as lines and as a matrix.

    A row is named after the word that is predicted there; the row of END is left out. A chosen
    weight shows its sum: the softmax of the scores in its row. label: for screen readers. chosen:
    the initial row. Returns the layer and the head, from 1.
    """
    target_words = [model.target[piece] for piece in made.pieces]
    layer, head = model.best_untaught_head
    weights = cross_weights(made.trace)[layer, head, : len(target_words)]  # (query, key)
    scaled = made.trace[f"decoder/{layer + 1}/cross/scaled"].tensor[0, head, : len(target_words)]
    data = {
        "label": label,
        "queries": target_words,
        "keys": made.tokens,
        "weights": weights.tolist(),
        # pinyin and meaning of each key
        "glosses": [gloss(token) for token in made.tokens] if words().glance.glossed else [],
        "printed": _printed(weights),
        "scores": _printed(scaled),
        "takes": words().glance.takes,
        "sum": words().glance.sum,
        "title": words().glance.title,
        "largest": round_up(float(weights.max())),
        "chosen": chosen,
    }
    component("glance")(key="glance", data=data)
    return layer + 1, head + 1


def _printed(table: np.ndarray) -> list[list[str]]:
    return [[numbers.plain(float(value)) for value in row] for row in table]
