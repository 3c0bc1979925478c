"""The options of attention, checked, and the masks as stages."""

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

    key_mask: (batch, key), True where a real token stands, so that it may be looked at: the other
        way round than in PyTorch's ``key_padding_mask``.
    allowed: True where a query may look; broadcastable to (batch, head, query, key).
    bias: added to the scaled scores; broadcastable likewise; −∞ strikes out, as ``allowed`` does.
        The least number of the precision, as Hugging Face masks with it, is added like any other:
        no weight is left beside other keys, and where every key has it, all weights are the same.
    causal: query i sees keys j ≤ i, also where the counts differ.
    scale: what the scores are multiplied by; None: 1/√d_k.
    temperature: what the scaled scores are divided by: above 1 evens the weights out.
    dropout: the share of weights set to 0, drawn from ``seed``; 0 when a trained model is used.
    residual: end with ``residual`` = X + output and ``normalised`` = LayerNorm(residual) (section
        3.1; γ = 1, β = 0, ε = 1e-5), where there is an X.

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
        """Check the numbers; arrays are checked where it is known what they must fit."""
        if self.scale is not None and not math.isfinite(self.scale):
            raise OutOfRange("scale", float(self.scale), "finite")
        if not (0 < self.temperature < math.inf):
            raise OutOfRange("temperature", float(self.temperature), "above 0")
        if not 0 <= self.dropout < 1:
            raise OutOfRange("dropout", float(self.dropout), "at least 0 and below 1")
        if self.seed < 0:
            raise OutOfRange("seed", self.seed, "at least 0")

    def scale_for(self, d_k: int) -> float:
        """What the scores of queries and keys of this width are multiplied by."""
        return 1 / math.sqrt(d_k) if self.scale is None else float(self.scale)


DEFAULT = AttentionOptions()


def mask_stages(
    options: AttentionOptions, shape: tuple[int, ...], axes: tuple[Axis, ...]
) -> list[Stage]:
    """The masks that were asked for, as given stages."""
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
    """Which keys are real tokens, (batch, key). Raises NotBoolean and ShapeMismatch."""
    key_mask = _boolean("key_mask", given)
    if key_mask.shape != (batch, key):
        raise ShapeMismatch("key_mask", f"({batch}, {key})", key_mask.shape)
    return key_mask


def _boolean(name: str, mask: np.ndarray) -> np.ndarray:
    found = np.array(mask)
    if found.dtype != bool:
        raise NotBoolean(name)
    return found


def bias_stage(
    given: np.ndarray, dtype: np.dtype, shape: tuple[int, ...], axes: tuple[Axis, ...]
) -> Stage:
    """What is added to the scaled scores, as a given stage.

    Raises BooleanBias, NotReal and NotFinite.
    """
    if np.asarray(given).dtype == bool:
        raise BooleanBias("bias")
    numbers = finite.in_precision("bias", finite.real("bias", given), dtype)
    if np.isnan(numbers).any() or np.isposinf(numbers).any():
        raise NotFinite("bias")
    return notation.broadcast("bias", masks.aligned("bias", numbers, shape), shape, axes, "input")
