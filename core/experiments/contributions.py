"""The contribution of each head to the output, and the ablation of heads.

Concat(head_1, …, head_h) W^O + b^O = Σ_i head_i W_i^O + b^O: W^O cut into h slices of d_v rows, one
below the other ("Attention Is All You Need", section 3.2.2; Elhage et al., "A Mathematical
Framework for Transformer Circuits", 2021).
"""

from collections.abc import Collection

import numpy as np

from core import ops
from core.errors import out_of_range, shape_mismatch
from core.weights import Weights


def contributions(head_output: np.ndarray, weights: Weights) -> np.ndarray:
    """The contribution of each head to the output: head_output_i W_i^O.

    head_output: (batch, head, query, d_v). Returns (batch, head, query, d_model); its sum over the
    heads, and b^O where there is one, is the output. Raises shape_mismatch.
    """
    W_O = _slices(head_output, weights)
    # (batch, head, query, d_v) · (head, d_v, d_model) -> (batch, head, query, d_model)
    return head_output @ W_O


def ablated(head_output: np.ndarray, mute: Collection[int]) -> np.ndarray:
    """head_output with the heads in ``mute`` (from 0) set to 0.

    Raises out_of_range for a head that does not exist.
    """
    heads = head_output.shape[1]
    for head in mute:
        if not 0 <= head < heads:
            raise out_of_range("head", head, f"at least 0 and below {heads}")
    left = head_output.copy()
    left[:, list(mute)] = 0
    return left


def output_without(head_output: np.ndarray, weights: Weights, mute: Collection[int]) -> np.ndarray:
    """The output with some heads ablated: concat with zeros in their columns, times W^O.

    Returns (batch, query, d_model). Raises shape_mismatch and out_of_range.
    """
    _slices(head_output, weights)
    assert weights.W_O is not None
    concat = ops.merge_heads(ablated(head_output, mute))
    return ops.linear(concat, weights.W_O, weights.b_O)


def _slices(head_output: np.ndarray, weights: Weights) -> np.ndarray:
    """W^O by head, (head, d_v, d_model)."""
    if weights.W_O is None or head_output.shape[1::2] != (weights.heads, weights.d_v):
        expected = f"(batch, {weights.heads}, query, {weights.d_v}) with a W_O behind it"
        raise shape_mismatch("head_output", expected, head_output.shape)
    return weights.W_O.reshape(weights.heads, weights.d_v, -1)
