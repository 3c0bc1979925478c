"""Position embeddings that are added to the token embeddings."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core import finite, notation, ops
from core.axis import Axis
from core.errors import out_of_range, shape_mismatch
from core.rules import Given, Operand, Sum
from core.trace import Stage

ANGLE = r"\frac{p}{10000^{2i / d_{\text{model}}}}"
FORMULA = (
    r"\begin{aligned} PE_{p, 2i} &= \sin " + ANGLE + r" \\ "
    r"PE_{p, 2i + 1} &= \cos " + ANGLE + r" \end{aligned}"
)


def sinusoids(n: int, d_model: int) -> np.ndarray:
    r"""Sinusoidal positions.

    PE[p, 2i] = sin(p / 10000^(2i/d_model)),  PE[p, 2i + 1] = cos(p / 10000^(2i/d_model))

    Returns (n, d_model) float64, p from 0. An odd d_model ends with a sine.
    "Attention Is All You Need" (Vaswani et al., 2017), section 3.5.
    """
    even = np.arange(0, d_model, 2)  # 2i
    angle = np.arange(n)[:, None] / 10000 ** (even / d_model)  # (n, ⌈d_model / 2⌉)
    position = np.empty((n, d_model))
    position[:, 0::2] = np.sin(angle)
    position[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return position


@lru_cache(16)
def sinusoids_as(n: int, d_model: int, dtype: np.dtype) -> np.ndarray:
    """The same in a precision, read-only: sentences of one length have them in common."""
    position = sinusoids(n, d_model).astype(dtype)
    position.setflags(write=False)
    return position


def sines_first(positions: Sequence[int], d_model: int) -> np.ndarray:
    """The same with all sines in front of all cosines: (position, d_model) float32."""
    angle = sinusoids(max(positions) + 1, d_model)[list(positions)]
    return np.concatenate([angle[:, 0::2], angle[:, 1::2]], axis=1).astype(np.float32)


def input_stages(tokens: Stage, position: bool, kind: str = "") -> list[Stage]:
    """The stages position (sinusoids), if ``position``, and X = tokens + position.

    tokens: (batch, token or patch, d_model). kind: of the stage position.
    """
    if not position:
        rule = Operand(tokens.key, _AT)
        return [Stage("X", rf"X = \text{{{tokens.key}}}", tokens.tensor, _axes(tokens), rule)]
    positions = sinusoids_as(*tokens.tensor.shape[1:], tokens.tensor.dtype)
    return _added(tokens, positions, FORMULA, Given("sinusoid"), kind)


def learned_positions(tokens: Stage, position: np.ndarray) -> list[Stage]:
    """The stages position (learnt) and X. position: (token, d_model).

    Raises shape_mismatch if there are not as many positions as tokens, not_real and not_finite.
    """
    if position.shape != tokens.tensor.shape[1:]:
        raise shape_mismatch("position", str(tokens.tensor.shape[1:]), position.shape)
    numbers = finite.real("position", position)
    return _added(tokens, numbers, r"\text{position}", Given("parameter"), "learnt_position")


_AT = ("batch", "token", "d_model")


def _axes(tokens: Stage) -> tuple[Axis, ...]:
    return notation.axes(*_AT, labels={"token": tokens.axes[1]})


def _added(
    tokens: Stage, positions: np.ndarray, formula: str, origin: Given, kind: str
) -> list[Stage]:
    """The stages position and X. Raises not_finite."""
    named = _axes(tokens)
    with np.errstate(over="ignore", invalid="ignore"):
        X = ops.add(tokens.tensor, positions)
    finite.check("X", X)
    alike = tuple(axis.for_all_samples() for axis in named[1:])
    return [
        Stage("position", formula, positions, alike, origin, kind),
        Stage(
            "X",
            rf"X = \text{{{tokens.key}}} + \text{{position}}",
            X,
            named,
            Sum((Operand(tokens.key, _AT), Operand("position", ("token", "d_model")))),
        ),
    ]


def dot_products(position: np.ndarray) -> np.ndarray:
    """PE PEᵀ, which depends on the distance of two positions alone. (n, d_model) -> (n, n)."""
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
    numbers = np.arange(n)
    distances = numbers[:, None] - numbers  # (n, n)
    return float(np.abs(dot_products(position) - by_distance(distances, d_model)).max())
