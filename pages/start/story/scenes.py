"""The story's numbers: a trace of small integers, and the sentences that print its sums."""

from dataclasses import asdict, replace
from functools import cache
from typing import Any

import numpy as np

from core import Trace
from core.models.worked import STORY
from pages.start.story.words import StoryWords
from views import numbers

QUERY, KEY = 1, 2  # 爱 asks, and 北京 fits best


@cache
def trace() -> Trace:
    """Every stage of the example."""
    return STORY.trace()


def story(said: StoryWords) -> dict[str, Any]:
    """What the browser is given of the words, with the trace's numbers filled in."""
    sums = _sums()
    scenes = [
        replace(
            scene,
            question=scene.question.format(**sums),
            answer=scene.answer.format(**sums),
        )
        for scene in said.scenes
    ]
    return {"scenes": [asdict(scene) for scene in scenes], "labels": asdict(said.board)}


def _sums() -> dict[str, str]:
    Q, K, V, scores, weights, output = (
        trace()[key].tensor[0, 0] for key in ("Q", "K", "V", "scores", "weights", "head_output")
    )
    values = V[:, 0]
    products = " + ".join(f"{_n(q)} · {_n(k)}" for q, k in zip(Q[QUERY], K[KEY], strict=True))
    return {
        "q": _vector(Q[QUERY]),
        "k": _vector(K[KEY]),
        "average": f"({' + '.join(map(_n, values))}) / {len(values)} = {_n(values.mean())}",
        "product": f"{products} = {_n(scores[QUERY, KEY])}",
        "weighted": _weighted(weights[QUERY], values, output[QUERY, 0]),
    }


def _weighted(weights: np.ndarray, values: np.ndarray, total: float) -> str:
    """``0.090 · 10 + … = 25.752``, with digits enough that the printed terms add up."""
    for digits in range(2, numbers.MOST_DIGITS + 1):
        printed = [float(numbers.plain(w, digits)) for w in weights]
        if numbers.plain(float(printed @ values), 2) == numbers.plain(total, 2):
            break
    terms = (f"{numbers.plain(w, digits)} · {_n(v)}" for w, v in zip(weights, values, strict=True))
    return f"{' + '.join(terms)} = {numbers.plain(total, 2)}"


def _vector(row: np.ndarray) -> str:
    return f"({', '.join(map(_n, row))})"


def _n(value: float) -> str:
    return numbers.bare(float(value))
