"""Matrices of one vector per token, with a text behind each row."""

from collections.abc import Sequence

import numpy as np

from views.figures.scale import Scale, round_up
from views.widgets.grids import Grid


def vectors(
    title: str,
    values: np.ndarray,
    names: Sequence[str],
    scale: Scale,
    after: Sequence[str],
    sign: str = "",
) -> Grid:
    """A matrix (token, d_model). after: the text behind each row."""
    return Grid(
        title,
        values,
        scale,
        names,
        column_role="d_model",
        after=after,
        digits=2,
        small=True,
        sign=sign,
    )


def signed(*values: np.ndarray) -> Scale:
    """One scale for all of these arrays, centred at 0."""
    limit = round_up(max(float(np.abs(each).max()) for each in values))
    return Scale("signed", -limit, limit)
