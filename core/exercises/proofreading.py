"""Printed numbers held to computed ones: what disagrees, where it began, and what would explain it.

A printed number agrees with a value where the value, rounded to the digits that are printed, could
have been printed so: 0.41 agrees with 0.4073, and 0.4 with anything from 0.35 to 0.45.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from core.exercises.judging import Guess, judge
from core.trace import Trace

SIGNS = (-1, 0, 1)  # the wrong sign, left out, as it should be


def agrees(printed: Guess, value: float) -> bool:
    """Whether the value could have been printed so: |printed − value| ≤ half a last digit."""
    return judge(printed, value).verdict in ("right", "coarse")


@dataclass(frozen=True, eq=False)
class Print:
    """Numbers as a book prints them: a part of one stage of one head.

    stage: the key. head, row: from 0, where they begin; they begin in the first column.
    numbers: row by row; None where nothing is printed.
    """

    stage: str
    numbers: tuple[tuple[Guess | None, ...], ...]
    head: int = 0
    row: int = 0

    def values(self) -> np.ndarray:
        """What is printed, (row, column); NaN where nothing is."""
        return np.array(
            [[math.nan if one is None else one.value for one in r] for r in self.numbers]
        )

    def computed(self, trace: Trace) -> np.ndarray:
        """The numbers of the trace in the same places, (row, column). Raises IndexError."""
        matrix = plane(trace, self.stage, self.head)
        rows, columns = len(self.numbers), len(self.numbers[0])
        found = matrix[self.row : self.row + rows, :columns]
        if found.shape != (rows, columns):
            raise IndexError(f"{self.stage} has the shape {matrix.shape}")
        return found

    def wrong(self, trace: Trace) -> np.ndarray:
        """Which of the printed numbers disagree beyond their rounding, (row, column)."""
        pairs = zip(self.numbers, self.computed(trace).tolist(), strict=True)
        return np.array(
            [
                [p is not None and not agrees(p, v) for p, v in zip(line, values, strict=True)]
                for line, values in pairs
            ]
        )


def plane(trace: Trace, stage: str, head: int) -> np.ndarray:
    """The matrix (row, column) of a stage that a head has, or that all have together."""
    named = trace[stage]
    tensor = named.tensor[0] if "batch" in named.roles else named.tensor
    return tensor[head] if "head" in named.roles else tensor


def first_disagreement(prints: Sequence[Print], trace: Trace) -> Print | None:
    """Of what a book prints, the first in the order of the computation that disagrees."""
    order = {key: number for number, key in enumerate(trace)}
    for one in sorted(prints, key=lambda one: order[one.stage]):
        if one.wrong(trace).any():
            return one
    return None


def farthest(one: Print, trace: Trace) -> tuple[int, int, float]:
    """Where a printed number is farthest off, and by how much: row and column in the stage.

    Of two equal infinities neither is off. Nothing printed is off by 0.
    """
    printed, computed = one.values(), one.computed(trace)
    with np.errstate(invalid="ignore"):
        off = np.where(printed == computed, 0, np.abs(printed - computed))
    off[np.isnan(printed)] = 0
    row, column = np.unravel_index(int(off.argmax()), off.shape)
    return one.row + int(row), int(column), float(off[row, column])


def explained_by_signs(printed: Guess, x: np.ndarray, w: np.ndarray) -> int:
    """In how many ways a dot product with wrong signs or left-out products prints this number.

    Σ s_i x_i w_i with each s_i one of −1, 0, 1; the right way is all of them 1.
    """
    products = (x * w).tolist()
    ways = product(SIGNS, repeat=len(products))
    return sum(
        agrees(printed, sum(s * p for s, p in zip(way, products, strict=True))) for way in ways
    )


def difference_behind(shares: Sequence[Guess]) -> tuple[float, float]:
    """Which differences of two scores give two printed shares: ln(b / a) from least to most.

    softmax([s, s + d]) = [1, e^d] / (1 + e^d), so d = ln(b / a).
    """
    a, b = shares
    least = math.log((b.value - b.unit / 2) / (a.value + a.unit / 2))
    return least, math.log((b.value + b.unit / 2) / (a.value - a.unit / 2))


INSTEAD: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "x": lambda x: x,
    "x²": lambda x: x**2,
    "2ˣ": lambda x: 2.0**x,
    "10ˣ": lambda x: 10.0**x,
    "e⁸ˣ": lambda x: np.exp(8 * x),  # as if the scores had not been divided by 8
}


def shared_instead(printed: Sequence[Guess], scores: np.ndarray) -> list[str]:
    """Which functions in the place of e^x share one unit out as it is printed."""
    found = []
    for name, function in INSTEAD.items():
        parts = function(scores)
        shares = (parts / parts.sum()).tolist()
        if all(agrees(p, share) for p, share in zip(printed, shares, strict=True)):
            found.append(name)
    return found
