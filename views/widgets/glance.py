"""The weights of a head as lines between words and as a matrix."""

from collections.abc import Sequence

import numpy as np

from core import Trace
from core.experiments.alignment import cross_weights
from core.models.translator import Translation, Translator, gloss
from views.figures.scale import round_up
from views.preferences import words
from views.text import numbers
from views.widgets.component import component


def glance(
    model: Translator, made: Translation, label: str, chosen: int = 0, *, brief: bool = False
) -> tuple[int, int]:
    """Draw the cross-attention head that aligns words best untaught, as lines and as a matrix.

    A row is named after the word that is predicted there; the row of END is left out. label,
    chosen, brief: see ``_draw``. Returns the layer and the head, from 1.
    """
    target_words = [model.target[piece] for piece in made.pieces]
    layer, head = model.best_untaught_head
    weights = cross_weights(made.trace)[layer, head, : len(target_words)]  # (query, key)
    scaled = made.trace[f"decoder/{layer + 1}/cross/scaled"].tensor[0, head, : len(target_words)]
    glosses = [gloss(token) for token in made.tokens] if words().glance.glossed else []
    _draw(target_words, made.tokens, weights, scaled, label, chosen, glosses, brief=brief)
    return layer + 1, head + 1


def glance_of_text(attention: Trace, tokens: Sequence[str], label: str, chosen: int) -> None:
    """Draw the first head of causal self-attention likewise. label, chosen: see ``_draw``."""
    weights, scores = (attention[key].tensor[0, 0] for key in ("weights", "masked"))
    _draw(tokens, tokens, weights, scores, label, chosen)


def _draw(
    queries: Sequence[str],
    keys: Sequence[str],
    weights: np.ndarray,
    scores: np.ndarray,
    label: str,
    chosen: int,
    glosses: Sequence[tuple[str, str]] = (),
    *,
    brief: bool = False,
) -> None:
    """Draw weights; a chosen one shows its sum: the softmax of the scores in its row.

    weights, scores: (query, key), −∞ where a key is masked. label: for screen readers. chosen: the
    initial row. glosses: pinyin and meaning of each key. brief: whether a phone has lines alone.
    """
    data = {
        "label": label,
        "queries": queries,
        "keys": keys,
        "weights": weights.tolist(),
        "glosses": glosses,
        "printed": _printed(weights),
        "scores": [
            [text if np.isfinite(score) else "" for text, score in zip(*row, strict=True)]
            for row in zip(_printed(scores), scores, strict=True)
        ],
        "takes": words().glance.takes,
        "sum": words().glance.sum,
        "masked": words().glance.masked,
        "largest": round_up(float(weights.max())),
        "chosen": chosen,
        "brief": brief,
    }
    component("glance")(key="glance", data=data)


def _printed(table: np.ndarray) -> list[list[str]]:
    return [[numbers.plain(float(value)) for value in row] for row in table]
