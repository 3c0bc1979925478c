"""The Jacobian of one attention layer: every output with respect to every token."""

import math

import numpy as np

from core.trace import Trace


def attention_jacobian(trace: Trace) -> np.ndarray:
    r"""The exact Jacobian of multi-head self-attention.

    Summed over the heads, with o_i = head_output, w_ij = weights and s = 1/√d_k::

        ∂output_i/∂x_j = w_ij · W^V W^O                            through v_j
                       + w_ij · (v_j − o_i) W^O ⊗ s · W^K q_i      through k_j
                       + [i = j] Σ_l w_il · (v_l − o_i) W^O ⊗ s · W^Q k_l   through q_i

    trace: of ``multi_head_attention`` with the default scale and W^O, without temperature, dropout
    and memory; masks are allowed.
    Returns (batch, query, token, output d_model, input d_model): rows are entries of the output,
    columns entries of the token; exactly 0 where query i may not attend to token j.
    """
    given = {
        key: trace[key].tensor
        for key in ("weights", "head_output", "Q", "K", "V", "W_Q", "W_K", "W_V", "W_O")
    }
    w, W_O = given["weights"], given["W_O"]  # (batch, head, query, key), (head, d_v, d_model)
    s = 1 / math.sqrt(trace["Q"].size("d_k"))
    W_VO = given["W_V"] @ W_O  # (head, input, output)
    # (batch, head, 1, key, d_v) − (batch, head, query, 1, d_v), times W^O
    apart = (given["V"][:, :, None] - given["head_output"][:, :, :, None]) @ W_O[:, None]
    moved = w[..., None] * apart  # (batch, head, query, key, output)
    as_key = s * given["Q"] @ given["W_K"].swapaxes(1, 2)  # (batch, head, query, input)
    as_query = s * given["K"] @ given["W_Q"].swapaxes(1, 2)  # (batch, head, key, input)

    jacobians: np.ndarray = np.einsum("bhij,hxo->bijox", w, W_VO)
    jacobians += np.einsum("bhijo,bhix->bijox", moved, as_key)
    own = np.arange(w.shape[2])
    jacobians[:, own, own] += np.einsum("bhilo,bhlx->biox", moved, as_query)
    return jacobians


def stretch(jacobians: np.ndarray) -> np.ndarray:
    """The spectral norm of each matrix.

    ‖J‖ = max ‖J v‖ / ‖v‖, the largest singular value. jacobians: (…, output, input). Returns (…).
    """
    lengths: np.ndarray = np.linalg.norm(jacobians, 2, axis=(-2, -1))
    return lengths
