"""The story's numbers: a trace of small integers, and the sentences that print its sums."""

from functools import cache
from typing import Any

import numpy as np

from core import Trace
from core.models.worked import STORY
from views.text import Words, numbers

QUERY, KEY = 1, 2  # 爱 asks, and 北京 fits best


@cache
def trace() -> Trace:
    """Every stage of the example."""
    return STORY.trace()


def story(texts: Words) -> dict[str, Any]:
    """What the browser is given of the words, with the trace's numbers filled in."""
    sums = _sums()
    scenes = [
        scene.as_dict() | {name: scene[name].format(**sums) for name in ("question", "answer")}
        for scene in texts.scenes
    ]
    return {"scenes": scenes, "labels": texts.labels.as_dict()}


def _sums() -> dict[str, str]:
    Q, K, V, scores, weights, output = (
        trace()[key].tensor[0, 0] for key in ("Q", "K", "V", "scores", "weights", "head_output")
    )
    values = V[:, 0]
    products = " + ".join(f"{_n(q)}·{_n(k)}" for q, k in zip(Q[QUERY], K[KEY], strict=True))
    return {
        "q": _vector(Q[QUERY]),
        "k": _vector(K[KEY]),
        "average": f"({' + '.join(map(_n, values))}) / {len(values)} = {_n(values.mean())}",
        "product": f"{products} = {_n(scores[QUERY, KEY])}",
        "weighted": numbers.weighted_sum(
            weights[QUERY].tolist(), values.tolist(), float(output[QUERY, 0])
        ),
    }


def _vector(row: np.ndarray) -> str:
    return f"({', '.join(map(_n, row))})"


def _n(value: float) -> str:
    return numbers.bare(float(value))
