"""The type of an answer, and how its numbers are printed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from views.figures.scale import Scale
from views.text import Words, numbers
from views.text.spans import Span
from views.widgets.grids import Grid


@dataclass(frozen=True)
class Answer:
    """fields: of its sentences. figure: the matrices below them."""

    fields: dict[str, str | Span]
    figure: Sequence[Grid]


def difference(value: float) -> str:
    """A difference as text; ``0`` only if it is exactly 0."""
    return "0" if value == 0 else numbers.short(value)


def signed_scale(*matrices: np.ndarray) -> Scale:
    """One scale for matrices that are compared, centred at 0."""
    limit = max(float(np.abs(matrix).max()) for matrix in matrices) or 1.0
    return Scale("signed", -limit, limit)


def sizes(matrix: np.ndarray) -> str:
    """The shape of a matrix as text."""
    return f"({matrix.shape[0]} × {matrix.shape[1]})"


def sum_of(value: float, texts: Words) -> str:
    """The sum of a row or column as text."""
    return texts.sum.format(sum=numbers.short(float(value)))


def listed(values: np.ndarray) -> str:
    """Numbers as a list in text."""
    return " · ".join(numbers.short(float(value)) for value in values)


def added(printed: Sequence[str]) -> str:
    """Terms joined by their signs, as a written sum."""
    first, *others = printed
    signs = [
        f" {numbers.MINUS} {term[1:]}" if term.startswith(numbers.MINUS) else f" + {term}"
        for term in others
    ]
    return first + "".join(signs)
