"""The first thing seen: who looks at whom in one small sentence, alive under the pointer."""

from core import Trace
from views import numbers
from views.figures.scale import scale_of
from views.text import Words
from views.widgets.component import component


def glance(trace: Trace, head: int, chosen: int, words: Words) -> None:
    """Draw the weights of one head (from 0) of the first sample as lines and as a matrix."""
    stage = trace["weights"]
    weights = stage.tensor[0, head]
    data = {
        "label": words.home.glance,
        "tokens": stage.axis("query").names(0),
        "weights": weights.tolist(),
        "printed": [[numbers.plain(float(w), 2) for w in row] for row in weights],
        "largest": scale_of(trace, "weights").high,
        "chosen": chosen,
    }
    component("glance")(key="glance", data=data)
