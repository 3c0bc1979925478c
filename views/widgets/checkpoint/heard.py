"""What an opened model of sounds begins with."""

from collections.abc import Mapping

from core import Trace
from core.models.sound_settings import STRIDE
from views.widgets.checkpoint.chosen import Chosen


def loudest(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The cell to begin with: the loudest token and what it looks at most; None without a sound."""
    if not chosen.model.listens:
        return None
    levels = trace["input/level"].tensor[0].mean(axis=1)  # (frame,)
    query = int(levels.argmax()) // STRIDE
    weights = trace[f"{chosen.attention}/weights"].tensor[0, 0, query]  # (key,)
    return {"query": query, "key": int(weights.argmax()), "frame": query * STRIDE}
