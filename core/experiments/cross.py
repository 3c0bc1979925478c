"""Self-attention and cross-attention compared, and the effect of swapping the two sequences.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2.3: in encoder–decoder attention the
queries come from one sequence, the keys and values from the memory, and in self-attention all three
from the same sequence.
"""

import numpy as np

from core.errors import shape_mismatch
from core.trace import Trace


def asymmetry(square: np.ndarray) -> float:
    """The asymmetry of a square matrix: max_ij |A_ij − A_ji|.

    square: (…, n, n). 0 for X Xᵀ. Raises shape_mismatch if it is not square.
    """
    if square.shape[-1] != square.shape[-2]:
        raise shape_mismatch("square", "(…, n, n)", square.shape)
    return float(np.abs(square - square.swapaxes(-1, -2)).max())


def swap_difference(scores: np.ndarray, swapped: np.ndarray) -> float:
    """The difference of the scores from those with swapped sequences: max |S′ᵀ − S|.

    scores: (…, n_q, n_k). swapped: (…, n_k, n_q), with the roles exchanged. Not 0, since
    (X W_Q)(M W_K)ᵀ is not the transposed (M W_Q)(X W_K)ᵀ unless W_Q W_Kᵀ is symmetric.
    Raises shape_mismatch if the shapes do not match.
    """
    turned = swapped.swapaxes(-1, -2)
    if turned.shape != scores.shape:
        raise shape_mismatch("swapped, transposed,", str(scores.shape), turned.shape)
    return float(np.abs(turned - scores).max())


def largest_difference(one: Trace, other: Trace, *keys: str) -> float:
    """The largest absolute difference of two traces over these stages.

    Raises UnknownStage for a stage that one of them lacks, shape_mismatch if shapes differ.
    """
    largest = 0.0
    for key in keys:
        first, second = one[key].tensor, other[key].tensor
        if first.shape != second.shape:
            raise shape_mismatch(key, str(first.shape), second.shape)
        largest = max(largest, float(np.abs(first - second).max()))
    return largest
