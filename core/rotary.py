"""Where a token stands, said by an angle: rotary positions.

"RoFormer: Enhanced Transformer with Rotary Position Embedding" (Su et al., 2021), section 3.2.2.
"""

import math
from dataclasses import dataclass

import numpy as np

from core import finite, notation
from core.axis import Axis
from core.errors import OutOfRange
from core.rules import Activation, Operand, Product
from core.trace import Stage

COS = r"\text{cos} = \cos(\text{position\_ids} \cdot \theta)"
SIN = r"\text{sin} = \sin(\text{position\_ids} \cdot \theta)"


@dataclass(frozen=True)
class Linear:
    """Every place counts as less: all frequencies divided by a factor.

    "Extending Context Window of Large Language Models via Positional Interpolation" (Chen et al.,
    2023), section 3.2.
    """

    factor: float

    def scaled(self, inv_freq: np.ndarray) -> np.ndarray:
        """The frequencies as they are used. (pair,)"""
        return inv_freq / self.factor


@dataclass(frozen=True)
class Llama3:
    """Slow waves are stretched, fast ones stay, and those between are mixed of both.

    A wave is fast where it turns more than ``high`` times within ``original`` places, slow where it
    turns less than ``low`` times, as the reference code of Llama 3.1 does it ("The Llama 3 Herd of
    Models", Grattafiori et al., 2024, section 3.4.2, is on training for longer texts).
    """

    factor: float
    low: float
    high: float
    original: int

    def scaled(self, inv_freq: np.ndarray) -> np.ndarray:
        """The frequencies as they are used. (pair,)"""
        turns = self.original * inv_freq / (2 * math.pi)
        stays = np.clip((turns - self.low) / (self.high - self.low), 0, 1)  # 1 where it is fast
        return inv_freq * (stays + (1 - stays) / self.factor)


def inverse_frequencies(
    d_k: int, theta: float, scaling: Linear | Llama3 | None = None
) -> np.ndarray:
    """Radians by which each pair is turned for one place: theta^(−2i / d_k) (section 3.2.2).

    Returns (pair,) float64, from the fastest to the slowest, scaled where that is asked for.
    """
    plain = theta ** (-np.arange(0, d_k, 2) / d_k)
    return scaling.scaled(plain) if scaling else plain


@dataclass(frozen=True)
class Rotary:
    """How far a vector is turned for each place, by pairs of its numbers.

    d_k: how wide a query is, an even number. theta: the base; pair i turns by theta^(−2i / d_k).
    scaling: what is done to that for longer texts. Raises OutOfRange for an odd d_k.
    """

    d_k: int
    theta: float = 10_000.0
    scaling: Linear | Llama3 | None = None

    def __post_init__(self) -> None:
        """Check the width."""
        if self.d_k < 2 or self.d_k % 2:
            raise OutOfRange("d_k", self.d_k, "an even number")

    @property
    def inv_freq(self) -> np.ndarray:
        """Radians for each place: (pair,) float64."""
        return inverse_frequencies(self.d_k, self.theta, self.scaling)

    def tables(self, n: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
        """Cosine and sine of every place and pair: (token, pair) each."""
        angle = np.arange(n, dtype=dtype)[:, None] * self.inv_freq.astype(dtype)
        return np.cos(angle), np.sin(angle)

    def stages(self, token: Axis, n: int, dtype: np.dtype) -> list[Stage]:
        """The stages position_ids (token,), inv_freq (pair,), cos and sin (token, pair).

        token: whose places they are. Raises NotFinite.
        """
        named = notation.axes("token", "pair", labels={"token": token.for_all_samples()})
        inv_freq = finite.in_precision("inv_freq", self.inv_freq, dtype)
        given = [
            notation.given("position_ids", np.arange(n, dtype=np.int32), named[:1], "transform"),
            notation.given("inv_freq", inv_freq, named[1:], "rotary"),
        ]
        angle = Product((Operand("position_ids", ("token",)), Operand("inv_freq", ("pair",))))
        cos, sin = self.tables(n, dtype)
        return [
            *given,
            Stage("cos", COS, cos, named, Activation("cos", angle)),
            Stage("sin", SIN, sin, named, Activation("sin", angle)),
        ]
