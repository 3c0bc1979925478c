"""Dot products of sinusoidal positions, which depend on the distance alone.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.5: for a fixed offset, PE[p + Δ] is a
linear function of PE[p].
"""

import numpy as np

from core.errors import out_of_range


def dot_products(position: np.ndarray) -> np.ndarray:
    """PE PEᵀ. (n, d_model) -> (n, n)."""
    return position @ position.T


def by_distance(distances: np.ndarray, d_model: int) -> np.ndarray:
    r"""PE[p] · PE[p + Δ], for any p: Σ_i cos(ω_i Δ), ω_i = 10000^(−2i/d_model).

    Since sin a sin b + cos a cos b = cos(a − b) in each pair of columns.
    distances: Δ, of any shape. Returns the same shape; d_model / 2 at distance 0.
    Raises out_of_range for an odd d_model.
    """
    if d_model < 2 or d_model % 2:
        raise out_of_range("d_model", d_model, "even and at least 2")
    omega = 10000 ** (-np.arange(0, d_model, 2) / d_model)  # (d_model / 2,)
    return np.cos(distances[..., None] * omega).sum(axis=-1)


def deviation(position: np.ndarray) -> float:
    """The largest deviation of a dot product from that of its distance: max |PE PEᵀ − …|."""
    n, d_model = position.shape
    place = np.arange(n)
    distances = place[:, None] - place  # (n, n)
    return float(np.abs(dot_products(position) - by_distance(distances, d_model)).max())
