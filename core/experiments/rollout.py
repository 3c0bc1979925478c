"""Attention rollout: how much of each token is left in each, through all layers.

"Quantifying Attention Flow in Transformers", Abnar & Zuidema, 2020, section 3.
"""

from collections.abc import Iterable

import numpy as np


def rollout(layers: Iterable[np.ndarray]) -> np.ndarray:
    """Ã_L ⋯ Ã_1 with Ã = ½ (mean over heads of the weights + I): (…, query, key), rows sum to 1.

    layers: the weights of each layer in order, (…, head, query, key), rows of which sum to 1.
    From the weights alone: values, matrices and LayerNorm are not considered.
    """
    flowed: np.ndarray | None = None
    for weights in layers:
        mixed = (weights.mean(axis=-3) + np.eye(weights.shape[-1])) / 2  # (…, query, key)
        flowed = mixed if flowed is None else mixed @ flowed
    assert flowed is not None
    return flowed
