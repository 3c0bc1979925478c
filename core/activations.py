"""Functions of one number, applied to every cell of a stage alike."""

import math
from collections.abc import Callable

import numpy as np


def relu(x: np.ndarray) -> np.ndarray:
    """max(0, x): nothing below zero passes ("Attention Is All You Need", section 3.3)."""
    return np.maximum(x, 0)


def gelu(x: np.ndarray) -> np.ndarray:
    """x · Φ(x) with Φ(x) = ½ · (1 + erf(x / √2)), the share of a bell curve that lies below x.

    "Gaussian Error Linear Units" (Hendrycks & Gimpel, 2016), section 2.
    """
    erf = np.asarray(_erf(x / math.sqrt(2)), dtype=x.dtype)
    return x * (1 + erf) / 2


def log(x: np.ndarray) -> np.ndarray:
    """The natural logarithm: equal ratios become equal steps. For x above 0."""
    return np.log(x)


_erf = np.frompyfunc(math.erf, 1, 1)

# Each for one number, by the name that a rule gives it.
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "relu": lambda x: max(0.0, x),
    "gelu": lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2,
    "log": math.log,
}
