"""What an attention is told besides its numbers, checked, and the masks that follow from it."""

import math

import numpy as np

from core import finite, masks, notation
from core.axis import Axis
from core.errors import BooleanBias, NotBoolean, NotFinite, OutOfRange, ShapeMismatch
from core.trace import Stage


class Options:
    """The checked options of one attention."""

    def __init__(
        self,
        allowed: np.ndarray | None,
        bias: np.ndarray | None,
        causal: bool,
        scale: float | None,
        temperature: float,
        dropout: float,
        seed: int,
        d_k: int,
        padding: np.ndarray | None = None,
        among: tuple[int, int] | None = None,
    ) -> None:
        self.among = among
        self.allowed, self.bias, self.causal, self.padding = allowed, bias, causal, padding
        self.is_paper_scale = scale is None
        self.scale = 1 / math.sqrt(d_k) if scale is None else float(scale)
        self.temperature, self.dropout, self.seed = float(temperature), float(dropout), seed
        if not math.isfinite(self.scale):
            raise OutOfRange("scale", self.scale, "finite")
        if not (0 < self.temperature < math.inf):
            raise OutOfRange("temperature", self.temperature, "above 0")
        if not 0 <= self.dropout < 1:
            raise OutOfRange("dropout", self.dropout, "at least 0 and below 1")
        if seed < 0:
            raise OutOfRange("seed", seed, "at least 0")


def mask_stages(options: Options, shape: tuple[int, ...], axes: tuple[Axis, ...]) -> list[Stage]:
    """The masks that were asked for, as given stages."""
    batch, _, query, key = shape
    stages = []
    if options.padding is not None:
        padding = checked_padding(options.padding, batch, key)
        kind = "sounding" if "frame" in axes[3].all_kinds else ""
        stages.append(notation.given("padding", padding, (axes[0], axes[3]), "mask", kind))
    if options.causal:
        stages.append(notation.given("causal", masks.causal(query, key), axes[2:], "mask"))
    if options.allowed is not None:
        allowed = masks.aligned("allowed", _boolean("allowed", options.allowed), shape)
        stages.append(notation.broadcast("allowed", allowed, shape, axes, "mask"))
    return stages


def checked_padding(given: np.ndarray, batch: int, key: int) -> np.ndarray:
    """Which keys are real tokens, (batch, key). Raises NotBoolean and ShapeMismatch."""
    padding = _boolean("padding", given)
    if padding.shape != (batch, key):
        raise ShapeMismatch("padding", f"({batch}, {key})", padding.shape)
    return padding


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
