"""The scaled scores and the mask of the page on masks."""

from dataclasses import dataclass

import numpy as np

from core import Trace
from views.figures.scale import Scale, largest


@dataclass(frozen=True, eq=False)
class MaskedScores:
    """scaled, allowed: (query, key). names: of the tokens. signed: the colour scale of scores."""

    scaled: np.ndarray
    allowed: np.ndarray
    names: tuple[str, ...]
    signed: Scale

    @classmethod
    def of(cls, trace: Trace) -> "MaskedScores":
        """The scaled scores of a trace's only head, and its mask."""
        limit = largest(trace, ("scaled",)) or 1.0
        return cls(
            trace["scaled"].tensor[0, 0],
            trace["masked"].tensor[0, 0] > -np.inf,
            trace["scaled"].axis("key").names() or (),
            Scale("signed", -limit, limit),
        )
