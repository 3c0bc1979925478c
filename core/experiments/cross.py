"""Who asks and who answers: self-attention, cross-attention, and what a swap of the two changes.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2.3: in encoder–decoder attention the
queries come from one sequence, the keys and values from the memory, and in self-attention all three
from the same place.
"""

from collections.abc import Sequence

import numpy as np

from core.errors import ShapeMismatch
from core.trace import Trace


def asymmetry(square: np.ndarray) -> float:
    """How far one place's question to another is from the way back: max_ij |A_ij − A_ji|.

    (…, n, n). 0 for X Xᵀ, in which every token asks with the vector that it answers with. Raises
    ShapeMismatch where rows and columns are not as many.
    """
    if square.shape[-1] != square.shape[-2]:
        raise ShapeMismatch("square", "(…, n, n)", square.shape)
    return float(np.abs(square - square.swapaxes(-1, -2)).max())


def swap_difference(scores: np.ndarray, swapped: np.ndarray) -> float:
    """How far the scores with the roles exchanged are from the transposed ones: max |S′ᵀ − S|.

    scores: (…, n_q, n_k). swapped: (…, n_k, n_q), the other sequence asking this one. Not 0, for
    (X W_Q)(M W_K)ᵀ is not the transposed (M W_Q)(X W_K)ᵀ unless W_Q W_Kᵀ is symmetric.
    Raises ShapeMismatch where the shapes are not each other's transposed.
    """
    turned = swapped.swapaxes(-1, -2)
    if turned.shape != scores.shape:
        raise ShapeMismatch("swapped, transposed,", str(scores.shape), turned.shape)
    return float(np.abs(turned - scores).max())


def largest_difference(one: Trace, other: Trace, keys: Sequence[str]) -> float:
    """The largest difference of two computations over all of these steps; 0 where each is the same.

    Raises UnknownStage for a step that one of them lacks, ShapeMismatch where shapes differ.
    """
    largest = 0.0
    for key in keys:
        first, second = one[key].tensor, other[key].tensor
        if first.shape != second.shape:
            raise ShapeMismatch(key, str(first.shape), second.shape)
        largest = max(largest, float(np.abs(first - second).max()))
    return largest
