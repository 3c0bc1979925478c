"""What a patch or a frame holds, projected to a token's vector by one seeded matrix."""

import numpy as np

from core import finite, notation, steps
from core.errors import ShapeMismatch
from core.rules import Given
from core.trace import Stage
from core.weights import xavier_uniform


def projection_rng(seed: int) -> np.random.Generator:
    """A stream of its own: Weights.seeded draws from the same seed, W_Q shall not repeat W_E."""
    (random,) = np.random.default_rng(seed).spawn(1)
    return random


def random_projection(
    source: Stage, d_model: int, random: np.random.Generator, kinds: tuple[str, str]
) -> list[Stage]:
    """W_E, drawn at random, and embedding = source · W_E, in the precision of the source.

    source: (batch, patch or frame, what each of them holds). kinds: of W_E and of embedding.
    Raises NotFinite.
    """
    matrix = xavier_uniform(random, source.tensor.shape[2], d_model)
    return linear_projection(source, matrix.astype(source.tensor.dtype), kinds)


def linear_projection(
    source: Stage, matrix: np.ndarray, kinds: tuple[str, str], bias: np.ndarray | None = None
) -> list[Stage]:
    """The same by a matrix (what each of them holds, d_model), and b_E with a bias (d_model,).

    Raises ShapeMismatch, NotReal and NotFinite.
    """
    held, matrix = source.axes[2], finite.real("W_E", matrix)
    if matrix.shape[0] != source.size(held.role):
        raise ShapeMismatch("W_E", f"({source.size(held.role)}, d_model)", matrix.shape)
    if bias is not None and finite.real("b_E", bias).shape != matrix.shape[1:]:
        raise ShapeMismatch("b_E", str(matrix.shape[1:]), bias.shape)
    named = (held, *notation.axes("d_model"))
    W_E = Stage("W_E", "W^E", matrix, named, Given("parameter"), kinds[0])
    b_E = None if bias is None else notation.given("b_E", bias, W_E.axes[1:], "parameter")
    embedding = steps.linear(source, W_E, b_E, "embedding", kinds[1])
    return [W_E, *([] if b_E is None else [b_E]), embedding]
