"""What an answer is made of, and how its numbers are written."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.understand.glossary.words import QuestionsWords
from views import numbers
from views.figures.scale import Scale
from views.spans import Span
from views.widgets.grids import Grid


@dataclass(frozen=True)
class Answer:
    """fields: what stands in the sentences. figure: the matrices below them."""

    fields: dict[str, str | Span]
    figure: Sequence[Grid]


def difference(value: float) -> str:
    """A difference, 0 where there is none at all."""
    return "0" if value == 0 else numbers.short(value)


def signed_scale(*matrices: np.ndarray) -> Scale:
    """One scale for matrices that are to be compared."""
    limit = max(float(np.abs(matrix).max()) for matrix in matrices) or 1.0
    return Scale("signed", -limit, limit)


def sizes(matrix: np.ndarray) -> str:
    """Rows and columns of a matrix."""
    return f"({matrix.shape[0]} × {matrix.shape[1]})"


def sum_of(value: float, texts: QuestionsWords) -> str:
    """What a row or column comes to."""
    return texts.sum.format(sum=numbers.short(float(value)))


def listed(values: np.ndarray) -> str:
    """Numbers one after the other."""
    return " · ".join(numbers.short(float(value)) for value in values)


def added(printed: Sequence[str]) -> str:
    """Terms with their signs between them, as a sum is written on paper."""
    first, *others = printed
    signs = [
        f" {numbers.MINUS} {term[1:]}" if term.startswith(numbers.MINUS) else f" + {term}"
        for term in others
    ]
    return first + "".join(signs)
