"""The numbers of the page of masks: what is masked, and by what."""

from dataclasses import dataclass

import numpy as np

from core import Trace
from views.figures.scale import Scale, largest


@dataclass(frozen=True, eq=False)
class Seen:
    """The numbers of the page: scaled and allowed (query, key), and what the places are called."""

    scaled: np.ndarray
    allowed: np.ndarray
    names: tuple[str, ...]
    signed: Scale

    @classmethod
    def of(cls, trace: Trace) -> "Seen":
        """The one head of a trace, unmasked, and its mask."""
        limit = largest(trace, ("scaled",)) or 1.0
        return cls(
            trace["scaled"].tensor[0, 0],
            trace["masked"].tensor[0, 0] > -np.inf,
            trace["scaled"].axis("key").names() or (),
            Scale("signed", -limit, limit),
        )
