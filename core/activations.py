"""Activation functions, and other functions of a single number."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

ERF_P, ERF_A = 0.3275911, (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
ROOT, CUBE = math.sqrt(2 / math.pi), 0.044715
QUICK = 1.702


def relu(x: np.ndarray) -> np.ndarray:
    """ReLU: max(0, x) ("Attention Is All You Need", section 3.3)."""
    return np.maximum(x, 0)


def gelu(x: np.ndarray) -> np.ndarray:
    """GELU: x · Φ(x), where Φ(x) = ½ · (1 + erf(x / √2)) is the normal distribution function.

    "Gaussian Error Linear Units" (Hendrycks & Gimpel, 2016), section 2. float64 is exact; float32
    is within 4e-7 · |x| of it, by a formula that takes a whole array at once (most that was found
    among the floats of 1/64 … 14 and −14 … −1/64, nearly all of them: 3.6e-7 · |x|).
    """
    if x.dtype == np.float32:
        with np.errstate(over="ignore"):  # of x²: e^−∞ is 0
            return np.maximum(x, 0) - _beyond(np.abs(x))
    erf = np.asarray(_erf(x / math.sqrt(2)), dtype=x.dtype)
    return x * ((1 + erf) / 2)


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """GELU's tanh approximation, as in GPT-2: x · ½ · (1 + tanh(√(2/π) · (x + 0.044715 x³))).

    "Gaussian Error Linear Units" (Hendrycks & Gimpel, 2016), section 2.
    """
    with np.errstate(over="ignore"):  # of x³: tanh ∞ is 1
        inner = np.square(x)
        inner *= x.dtype.type(CUBE * ROOT)
        inner += x.dtype.type(ROOT)
        inner *= x
    np.tanh(inner, out=inner)
    inner += 1
    inner /= 2
    inner *= x
    return inner


def quick_gelu(x: np.ndarray) -> np.ndarray:
    """GELU's sigmoid approximation, as in CLIP: x · σ(1.702 x) with σ(x) = 1 / (1 + e^(−x)).

    "Gaussian Error Linear Units" (Hendrycks & Gimpel, 2016), section 2.
    """
    with np.errstate(over="ignore"):  # of e^(−1.702 x): x / ∞ is 0
        return x / (1 + np.exp(x * x.dtype.type(-QUICK)))


def silu(x: np.ndarray) -> np.ndarray:
    """SiLU: x · σ(x) with σ(x) = 1 / (1 + e^(−x)).

    "Gaussian Error Linear Units" (Hendrycks & Gimpel, 2016), section 2; also called swish.
    """
    with np.errstate(over="ignore"):  # of e^(−x): x / ∞ is 0
        return x / (1 + np.exp(-x))


def log(x: np.ndarray) -> np.ndarray:
    """The natural logarithm, for x above 0."""
    return np.log(x)


def _beyond(size: np.ndarray) -> np.ndarray:
    """size · ½ · erfc(size / √2) for sizes ≥ 0: the difference of GELU and ReLU.

    erfc(z) ≈ (a₁ t + … + a₅ t⁵) e^(−z²) with t = 1 / (1 + p z), wrong by 1.5e-7 at most ("Handbook
    of Mathematical Functions", Abramowitz & Stegun, 1964, formula 7.1.26).
    """
    t = size * np.float32(ERF_P / math.sqrt(2))
    t += 1
    np.reciprocal(t, out=t)
    made = t * np.float32(ERF_A[-1] / 2)
    for a in ERF_A[-2::-1]:
        made += np.float32(a / 2)
        made *= t
    np.square(size, out=t)
    t /= -2
    np.exp(t, out=t)
    made *= t
    made *= size
    return made


def cos(x: np.ndarray) -> np.ndarray:
    """The cosine of an angle in radians."""
    return np.cos(x)


def sin(x: np.ndarray) -> np.ndarray:
    """The sine of an angle in radians."""
    return np.sin(x)


def tanh(x: np.ndarray) -> np.ndarray:
    """The hyperbolic tangent: between −1 and 1."""
    return np.tanh(x)


def inverse_root(x: np.ndarray) -> np.ndarray:
    """1 / √x, for x above 0."""
    return 1 / np.sqrt(x)


def relu_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of ReLU: 1 above 0, else 0."""
    return np.heaviside(x, np.zeros_like(x))


def gelu_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of GELU: Φ(x) + x · φ(x), with the normal density φ."""
    erf = np.asarray(_erf(x / math.sqrt(2)), dtype=np.result_type(x))
    return (1 + erf) / 2 + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def gelu_tanh_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of GELU's tanh approximation."""
    t = np.tanh(ROOT * (x + CUBE * x * x * x))
    return (1 + t) / 2 + x * (1 - t * t) * (ROOT * (1 + 3 * CUBE * x * x)) / 2


def quick_gelu_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of GELU's sigmoid approximation."""
    return silu_slope(QUICK * x)


def silu_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of SiLU: σ(x) · (1 + x · (1 − σ(x)))."""
    with np.errstate(over="ignore"):  # of e^(−x): 1 / ∞ is 0
        sigmoid = 1 / (1 + np.exp(-x))
    return sigmoid * (1 + x * (1 - sigmoid))


def log_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of the logarithm: 1 / x."""
    return 1 / x


def tanh_slope(x: np.ndarray) -> np.ndarray:
    """The derivative of the hyperbolic tangent: 1 − tanh²."""
    return 1 - np.square(np.tanh(x))


def _silu(x: float) -> float:
    """SiLU of one number, without overflow of e^(−x) below −709."""
    if x >= 0:
        return x / (1 + math.exp(-x))
    return x * math.exp(x) / (1 + math.exp(x))


_erf = np.frompyfunc(math.erf, 1, 1)

_SLOPES: tuple[Callable[[Any], Any], ...] = (
    relu_slope, gelu_slope, gelu_tanh_slope, quick_gelu_slope, silu_slope, log_slope, tanh_slope,
)  # fmt: skip

# Each for one number, by the name that a rule gives it.
FUNCTIONS: dict[str, Callable[[Any], float]] = {
    "relu": lambda x: max(0.0, x),
    "gelu": lambda x: x * ((1 + math.erf(x / math.sqrt(2))) / 2),
    "gelu_tanh": lambda x: x * ((1 + math.tanh(ROOT * (x + CUBE * x * x * x))) / 2),
    "quick_gelu": lambda x: _silu(QUICK * x) / QUICK,
    "silu": _silu,
    "log": math.log,
    "cos": math.cos,
    "sin": math.sin,
    "tanh": math.tanh,
    "inverse_root": lambda x: 1 / math.sqrt(x),
    **{slope.__name__: slope for slope in _SLOPES},
}
