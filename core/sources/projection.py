"""The linear projection of patches or frames to d_model."""

import numpy as np

from core import around, finite, notation
from core.errors import shape_mismatch
from core.rules import Given
from core.trace import Stage
from core.weights import xavier_uniform


def projection_rng(seed: int) -> np.random.Generator:
    """A generator that is independent of Weights.seeded with the same seed."""
    (random,) = np.random.default_rng(seed).spawn(1)
    return random


def random_projection(
    source: Stage, d_model: int, random: np.random.Generator, kinds: tuple[str, str]
) -> list[Stage]:
    """The stages W_E (random) and embedding = source · W_E, with the dtype of the source.

    source: (batch, patch or frame, feature). kinds: of W_E and of embedding.
    Raises not_finite.
    """
    matrix = xavier_uniform(random, source.tensor.shape[2], d_model)
    return linear_projection(source, matrix.astype(source.tensor.dtype), kinds)


def linear_projection(
    source: Stage, matrix: np.ndarray, kinds: tuple[str, str], bias: np.ndarray | None = None
) -> list[Stage]:
    """The stages W_E (feature, d_model), b_E (d_model,) if there is a bias, and embedding.

    Raises shape_mismatch, not_real and not_finite.
    """
    feature, matrix = source.axes[2], finite.real("W_E", matrix)
    if matrix.shape[0] != source.size(feature.role):
        raise shape_mismatch("W_E", f"({source.size(feature.role)}, d_model)", matrix.shape)
    if bias is not None and finite.real("b_E", bias).shape != matrix.shape[1:]:
        raise shape_mismatch("b_E", str(matrix.shape[1:]), bias.shape)
    named = (feature, *notation.axes("d_model"))
    W_E = Stage("W_E", "W^E", matrix, named, Given("parameter"), kinds[0])
    b_E = None if bias is None else notation.given("b_E", bias, W_E.axes[1:], "parameter")
    embedding = around.linear(source, W_E, b_E, "embedding", kinds[1])
    return [W_E, *([] if b_E is None else [b_E]), embedding]
