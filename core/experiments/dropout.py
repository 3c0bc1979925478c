"""Dropout on the attention weights does not change their mean over many draws.

Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting" (2014); on
the attention weights as implementations apply it; section 5.4 of "Attention Is All You Need" names
only the outputs of sublayers and the embeddings.
"""

import math
from dataclasses import dataclass

import numpy as np

from core import steps
from core.errors import out_of_range
from core.trace import Stage


@dataclass(frozen=True, eq=False)
class ManyDraws:
    """The mean of the dropped weights over many draws.

    mean: of the shape of the weights. farthest: the largest deviation of a mean from its weight.
    expected: four standard errors of that mean.
    """

    draws: int
    mean: np.ndarray
    farthest: float
    expected: float


def over_draws(weights: Stage, dropout: float, seed: int, draws: int) -> ManyDraws:
    """The mean of the weights after dropout with seed, seed + 1, …

    A weight w becomes w / (1 − p) with probability 1 − p and else 0: its mean is w and its standard
    deviation w √(p / (1 − p)), that of a mean of N draws √N times less.
    Raises out_of_range for a dropout outside 0 ≤ p < 1, and for draws < 1.
    """
    if not 0 <= dropout < 1:
        raise out_of_range("dropout", dropout, "at least 0 and below 1")
    if draws < 1:
        raise out_of_range("draws", draws, "at least 1")
    tensor = weights.tensor
    total = np.zeros_like(tensor)
    for draw in range(seed, seed + draws):
        total += steps.dropped(weights, dropout, draw)[1].tensor
    mean = total / draws
    distance = np.abs(mean - tensor)
    allowed = 4 * tensor * math.sqrt(dropout / (1 - dropout) / draws)
    worst = np.unravel_index(distance.argmax(), distance.shape)
    return ManyDraws(draws, mean, float(distance[worst]), float(allowed[worst]))
