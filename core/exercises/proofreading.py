"""Compares printed numbers with computed ones, finds the first error and possible explanations.

A printed number agrees with a value that rounds to it at the printed digits: 0.41 agrees with
0.4073, and 0.4 with anything from 0.35 to 0.45.
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
    """Whether |printed − value| ≤ unit / 2."""
    return judge(printed, value).verdict in ("right", "coarse")


@dataclass(frozen=True, eq=False)
class Print:
    """Printed numbers: a part of one stage of one head.

    stage: the key. head, row: of the first number, from 0; the first column is 0.
    numbers: by row; None where nothing is printed.
    """

    stage: str
    numbers: tuple[tuple[Guess | None, ...], ...]
    head: int = 0
    row: int = 0

    def values(self) -> np.ndarray:
        """The printed numbers, (row, column); NaN where nothing is printed."""
        return np.array(
            [[math.nan if one is None else one.value for one in r] for r in self.numbers]
        )

    def computed(self, trace: Trace) -> np.ndarray:
        """The computed numbers of the same cells, (row, column). Raises IndexError."""
        matrix = plane(trace, self.stage, self.head)
        rows, columns = len(self.numbers), len(self.numbers[0])
        found = matrix[self.row : self.row + rows, :columns]
        if found.shape != (rows, columns):
            raise IndexError(f"{self.stage} has the shape {matrix.shape}")
        return found

    def wrong(self, trace: Trace) -> np.ndarray:
        """True where a printed number disagrees beyond rounding: (row, column)."""
        pairs = zip(self.numbers, self.computed(trace).tolist(), strict=True)
        return np.array(
            [
                [p is not None and not agrees(p, v) for p, v in zip(line, values, strict=True)]
                for line, values in pairs
            ]
        )


def plane(trace: Trace, stage: str, head: int) -> np.ndarray:
    """The matrix (row, column) of a stage, of one head if it has heads."""
    named = trace[stage]
    tensor = named.tensor[0] if "batch" in named.roles else named.tensor
    return tensor[head] if "head" in named.roles else tensor


def first_disagreement(prints: Sequence[Print], trace: Trace) -> Print | None:
    """The first of the prints, in the order of the computation, with a wrong number."""
    order = {key: number for number, key in enumerate(trace)}
    for one in sorted(prints, key=lambda one: order[one.stage]):
        if one.wrong(trace).any():
            return one
    return None


def farthest(one: Print, trace: Trace) -> tuple[int, int, float]:
    """Row and column in the stage of the largest error of a printed number, and that error.

    Equal infinities and numbers that are not printed have an error of 0.
    """
    printed, computed = one.values(), one.computed(trace)
    with np.errstate(invalid="ignore"):
        off = np.where(printed == computed, 0, np.abs(printed - computed))
    off[np.isnan(printed)] = 0
    row, column = np.unravel_index(int(off.argmax()), off.shape)
    return one.row + int(row), int(column), float(off[row, column])


def explained_by_signs(printed: Guess, x: np.ndarray, w: np.ndarray) -> int:
    """The number of ways to get the printed number by wrong signs or omitted products.

    Counts the s with Σ s_i x_i w_i, each s_i one of −1, 0, 1; the correct one is all 1.
    """
    products = (x * w).tolist()
    ways = product(SIGNS, repeat=len(products))
    return sum(
        agrees(printed, sum(s * p for s, p in zip(way, products, strict=True))) for way in ways
    )


def difference_behind(shares: Sequence[Guess]) -> tuple[float, float]:
    """The range of score differences that give two printed weights: ln(b / a), least and most.

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
    """The functions that, instead of e^x, give the printed weights."""
    found = []
    for name, function in INSTEAD.items():
        parts = function(scores)
        shares = (parts / parts.sum()).tolist()
        if all(agrees(p, share) for p, share in zip(printed, shares, strict=True)):
            found.append(name)
    return found
