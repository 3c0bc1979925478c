"""The options of attention, and their masks and bias as stages."""

import math
from dataclasses import dataclass

import numpy as np

from core import finite, masks, notation
from core.axis import Axis
from core.errors import BooleanBias, NotBoolean, NotFinite, OutOfRange, ShapeMismatch
from core.trace import Stage


@dataclass(frozen=True, eq=False)
class AttentionOptions:
    """The options of attention: masks, bias, scale, temperature, dropout, residual.

    key_mask: (batch, key), True for real tokens, which may be attended to: the opposite of
        PyTorch's ``key_padding_mask``, where True means ignored.
    allowed: True where a query may attend; broadcastable to (batch, head, query, key), like a
        boolean ``attn_mask`` of PyTorch's ``scaled_dot_product_attention``.
    bias: added to the scaled scores; broadcastable likewise; −∞ masks, like ``allowed``. The least
        finite number, with which Hugging Face masks, is added like any other: it leaves no weight
        beside other keys, and equal weights if every key has it.
    causal: query i sees keys j ≤ i, also if there are more or fewer keys than queries.
    scale: factor of the scores; None: 1/√d_k.
    temperature: divisor of the scaled scores; above 1 the weights become more even.
    dropout: the dropout rate of the weights, drawn from ``seed``; 0 at inference.
    residual: append ``residual`` = X + output and ``normalised`` = LayerNorm(residual) (section
        3.1; γ = 1, β = 0, ε = 1e-5), if there is an X.

    Raises OutOfRange.
    """

    key_mask: np.ndarray | None = None
    allowed: np.ndarray | None = None
    bias: np.ndarray | None = None
    causal: bool = False
    scale: float | None = None
    temperature: float = 1.0
    dropout: float = 0.0
    seed: int = 0
    residual: bool = False

    def __post_init__(self) -> None:
        """Check the numbers; arrays are checked when the shapes are known."""
        if self.scale is not None and not math.isfinite(self.scale):
            raise OutOfRange("scale", float(self.scale), "finite")
        if not (0 < self.temperature < math.inf):
            raise OutOfRange("temperature", float(self.temperature), "above 0")
        if not 0 <= self.dropout < 1:
            raise OutOfRange("dropout", float(self.dropout), "at least 0 and below 1")
        if self.seed < 0:
            raise OutOfRange("seed", self.seed, "at least 0")

    def scale_for(self, d_k: int) -> float:
        """The factor of the scores for this d_k."""
        return 1 / math.sqrt(d_k) if self.scale is None else float(self.scale)


DEFAULT = AttentionOptions()


def mask_stages(
    options: AttentionOptions, shape: tuple[int, ...], axes: tuple[Axis, ...]
) -> list[Stage]:
    """The masks among the options as given stages. shape: (batch, head, query, key)."""
    batch, _, query, key = shape
    stages = []
    if options.key_mask is not None:
        real = checked_key_mask(options.key_mask, batch, key)
        kind = "sounding" if "frame" in axes[3].all_kinds else ""
        stages.append(notation.given("key_mask", real, (axes[0], axes[3]), "mask", kind))
    if options.causal:
        stages.append(notation.given("causal", masks.causal(query, key), axes[2:], "mask"))
    if options.allowed is not None:
        allowed = masks.aligned("allowed", _boolean("allowed", options.allowed), shape)
        stages.append(notation.broadcast("allowed", allowed, shape, axes, "mask"))
    return stages


def checked_key_mask(given: np.ndarray, batch: int, key: int) -> np.ndarray:
    """The key mask, checked: (batch, key) bool. Raises NotBoolean and ShapeMismatch."""
    key_mask = _boolean("key_mask", given)
    if key_mask.shape != (batch, key):
        raise ShapeMismatch("key_mask", f"({batch}, {key})", key_mask.shape)
    return key_mask


def _boolean(name: str, mask: np.ndarray) -> np.ndarray:
    array = np.array(mask)
    if array.dtype != bool:
        raise NotBoolean(name)
    return array


def bias_stage(
    given: np.ndarray, dtype: np.dtype, shape: tuple[int, ...], axes: tuple[Axis, ...]
) -> Stage:
    """The bias as a given stage.

    Raises BooleanBias, NotReal and NotFinite.
    """
    if np.asarray(given).dtype == bool:
        raise BooleanBias("bias")
    numbers = finite.in_precision("bias", finite.real("bias", given), dtype)
    if np.isnan(numbers).any() or np.isposinf(numbers).any():
        raise NotFinite("bias")
    return notation.broadcast("bias", masks.aligned("bias", numbers, shape), shape, axes, "input")
