"""The number of decimals of a matrix, enough to compute further with printed numbers."""

import numpy as np

from core import Trace, rules
from views.text import numbers

LEAST, FULL = 2, 4


def digits_of(values: np.ndarray, least: int = LEAST) -> int:
    """The fewest decimals that represent all finite values exactly, at most four."""
    finite = values[np.isfinite(values)]
    exact = (d for d in range(least, FULL) if np.allclose(finite, finite.round(d), 0, 1e-9))
    return next(exact, FULL)


def divisor_of(trace: Trace) -> str:
    """What the scores are divided by: √d_k with its number, or a number."""
    rule = trace["scaled"].rule
    assert isinstance(rule, rules.Product)
    (constant,) = (factor for factor in rule.factors if isinstance(factor, rules.Constant))
    if "sqrt" in constant.symbol:
        return f"√{trace['Q'].size('d_k')}"
    return numbers.bare(1 / constant.value)
