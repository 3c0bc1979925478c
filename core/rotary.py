"""Rotary position embeddings (RoPE).

"RoFormer: Enhanced Transformer with Rotary Position Embedding" (Su et al., 2021), section 3.2.2.
"""

import math
from dataclasses import dataclass

import numpy as np

from core import finite, notation
from core.axis import Axis
from core.errors import out_of_range
from core.rules import Activation, Operand, Product
from core.trace import Stage

COS = r"\text{cos} = \cos(\text{position\_ids} \cdot \theta)"
SIN = r"\text{sin} = \sin(\text{position\_ids} \cdot \theta)"


@dataclass(frozen=True)
class Linear:
    """Position interpolation: all frequencies divided by a factor.

    "Extending Context Window of Large Language Models via Positional Interpolation" (Chen et al.,
    2023), section 2.3.
    """

    factor: float

    def scaled(self, inv_freq: np.ndarray) -> np.ndarray:
        """The scaled frequencies: (pair,)."""
        return inv_freq / self.factor


@dataclass(frozen=True)
class Llama3:
    """Llama 3.1: low frequencies divided by a factor, high ones unchanged, others interpolated.

    A frequency is high with more than ``high`` turns within ``original`` positions, low with fewer
    than ``low``: ``high_freq_factor``, ``low_freq_factor`` and ``original_max_position_embeddings``
    in Hugging Face's configuration ("The Llama 3 Herd of Models", Grattafiori et al., 2024, section
    3.4.2, is on training for longer texts).
    """

    factor: float
    low: float
    high: float
    original: int

    def scaled(self, inv_freq: np.ndarray) -> np.ndarray:
        """The scaled frequencies: (pair,)."""
        turns = self.original * inv_freq / (2 * math.pi)
        share = np.clip((turns - self.low) / (self.high - self.low), 0, 1)  # 1: unchanged
        return inv_freq * (share + (1 - share) / self.factor)


@dataclass(frozen=True)
class Divided:
    """Frequencies divided by a number each, as llama.cpp stores the scaling of Llama 3.1."""

    divisors: tuple[float, ...]

    def scaled(self, inv_freq: np.ndarray) -> np.ndarray:
        """The scaled frequencies: (pair,)."""
        return inv_freq / np.array(self.divisors)


Scaling = Linear | Llama3 | Divided


def inverse_frequencies(d_k: int, theta: float, scaling: Scaling | None = None) -> np.ndarray:
    """The rotation of each pair per position, in radians: theta^(−2i / d_k) (section 3.2.2).

    Returns (pair,) float64, from the highest to the lowest, with the scaling if there is one.
    """
    plain = theta ** (-np.arange(0, d_k, 2) / d_k)
    return scaling.scaled(plain) if scaling else plain


@dataclass(frozen=True)
class Rotary:
    """Rotary position embedding of queries and keys.

    d_k: width of a query, or of the part in front that is rotated; an even number.
    theta: the base of the frequencies theta^(−2i / d_k). scaling: of the frequencies, for longer
    texts. interleaved: numbers beside one another are a pair, as in the paper; else those half the
    width away, as in ``transformers``. offset: the position of the first token.
    Raises out_of_range for an odd d_k.
    """

    d_k: int
    theta: float = 10_000.0
    scaling: Scaling | None = None
    interleaved: bool = False
    offset: int = 0

    def __post_init__(self) -> None:
        """Check the width."""
        if self.d_k < 2 or self.d_k % 2:
            raise out_of_range("d_k", self.d_k, "an even number")

    @property
    def inv_freq(self) -> np.ndarray:
        """Radians per position: (pair,) float64."""
        return inverse_frequencies(self.d_k, self.theta, self.scaling)

    def tables(self, n: int, dtype: np.dtype, first: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Cosine and sine of n tokens from ``first`` on: (token, pair) each."""
        first += self.offset
        angle = np.arange(first, first + n, dtype=dtype)[:, None] * self.inv_freq.astype(dtype)
        return np.cos(angle), np.sin(angle)

    def stages(
        self, token: Axis, n: int, width: int, dtype: np.dtype, first: int = 0
    ) -> list[Stage]:
        """The stages position_ids (token,), inv_freq (pair,), cos and sin (token, pair).

        token: the axis of the tokens; first: how many are before them. width: of a query or key;
        where it is more than is rotated, every number has its own angle, 0 for those that stay:
        (d_k,) and (token, d_k). Raises not_finite.
        """
        by = "pair" if width == self.d_k else "d_k"
        named = notation.axes("token", by, labels={"token": token.for_all_samples()})
        inv_freq = finite.in_precision("inv_freq", self.inv_freq, dtype)
        cos, sin = self.tables(n, dtype, first)
        if by == "d_k":
            pair = np.arange(self.d_k)
            pair = pair // 2 if self.interleaved else pair % (self.d_k // 2)
            stays = [(0, width - self.d_k)]
            inv_freq = np.pad(inv_freq[pair], stays)
            cos, sin = (
                np.pad(table[:, pair], [(0, 0), *stays], constant_values=angle_0)
                for table, angle_0 in ((cos, 1), (sin, 0))
            )
        position_ids = np.arange(n, dtype=np.int32) + first + self.offset
        angle = Product((Operand("position_ids", ("token",)), Operand("inv_freq", (by,))))
        return [
            notation.given("position_ids", position_ids, named[:1], "transform"),
            notation.given("inv_freq", inv_freq, named[1:], "rotary"),
            Stage("cos", COS, cos, named, Activation("cos", angle)),
            Stage("sin", SIN, sin, named, Activation("sin", angle)),
        ]
