"""The options of attention, and their masks and bias as stages."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from core import finite, masks, notation
from core.arrays import as_numpy
from core.axis import Axis
from core.errors import InputError, out_of_range, shape_mismatch
from core.interventions import LayerChanges
from core.relative import RelativeBias
from core.rotary import Rotary
from core.trace import Stage

Precision = Literal["float16", "bfloat16"]
PRECISIONS = get_args(Precision)
LARGEST = {"float16": 65504.0, "bfloat16": (2 - 2.0**-7) * 2.0**127}  # finite numbers


@dataclass(frozen=True)
class Scale:
    """A factor of the scores that depends on d_k.

    symbol, divisor: LaTeX of it and of 1 / it. label: of a button, 1 / it in plain text.
    """

    factor: Callable[[int], float]
    symbol: str
    divisor: str
    label: str


# The scales that have a name; "root" is that of "Attention Is All You Need", section 3.2.1.
SCALES: Mapping[str, Scale] = {
    "root": Scale(lambda d_k: 1 / math.sqrt(d_k), r"1/\sqrt{d_k}", r"\sqrt{d_k}", "√d_k"),
}


@dataclass(frozen=True, eq=False)
class AttentionOptions:
    """The options of attention: masks and biases, scale, positions, cache, dropout, precision.

    They apply in the order of the stages: rotary positions, the cache, scale and temperature, soft
    cap, biases and masks, sinks in softmax, dropout.

    key_mask: (batch, key), True for real tokens, which may be attended to: the opposite of
        PyTorch's ``key_padding_mask``, where True means ignored.
    allowed: True where a query may attend; broadcastable to (batch, head, query, key), like a
        boolean ``attn_mask`` of PyTorch's ``scaled_dot_product_attention``.
    bias: added to the scaled scores; broadcastable likewise; −∞ masks, like ``allowed``. The least
        finite number, with which Hugging Face masks, is added like any other: it leaves no weight
        beside other keys, and equal weights if every key has it.
    head_mask: (head,), True for heads that take part; all weights of the others are 0, like 0 in
        Hugging Face's ``head_mask``.
    causal: query i attends to keys j ≤ i, whatever their number; after a cache of p keys to those
        up to p + i, with ``lengths`` to those up to length − queries + i.
    window: how many keys before and after its own position a query attends to; −1 for all, as in
        FlashAttention.
    sink_tokens: so many first keys are visible through any window; global_tokens: positions that
        attend to all and that all attend to (``core.masks.window``).
    alibi: a slope for each head, (head,): −slope · distance is added (``core.ops.alibi``).
    relative: a learnt bias by the distance of query and key, in place of ``bias``
        (``core.relative``).
    rotary: rotary positions of queries and keys.
    lengths: (batch,) the number of keys of each sample; the rest are padding.
    past: keys and values of earlier tokens, (batch, kv_head, past, d_k) and (…, d_v), already
        rotated: a KV cache ("Efficiently Scaling Transformer Inference", Pope et al., 2023).
    soft_cap: c of c · tanh(scaled / c), before masks (``core.ops.soft_cap``).
    sinks: a logit for each head, (head,), that takes weight and gives no value
        (``core.ops.softmax``).
    precision: ``float16`` or ``bfloat16``: every result is rounded to it, X and weights are not.
    scale: factor of the scores: a number, or one of ``SCALES`` by its name.
    temperature: divisor of the scaled scores; above 1 the weights become more even.
    dropout: the dropout rate of the weights, drawn from ``seed``; 0 at inference.
    changes: what is muted, set by hand or patched, and tokens that are hidden from others
        (``core.interventions``).
    residual: append ``residual`` = X + output and ``normalised`` = LayerNorm(residual) (section
        3.1; γ = 1, β = 0, ε = 1e-5), if there is an X.

    Raises out_of_range, shape_mismatch, and ValueError for options that do not go together.
    """

    key_mask: np.ndarray | None = None
    allowed: np.ndarray | None = None
    bias: np.ndarray | None = None
    head_mask: np.ndarray | None = None
    causal: bool = False
    window: tuple[int, int] | None = None
    sink_tokens: int = 0
    global_tokens: tuple[int, ...] = ()
    alibi: np.ndarray | None = None
    relative: RelativeBias | None = None
    rotary: Rotary | None = None
    lengths: np.ndarray | None = None
    past: tuple[np.ndarray, np.ndarray] | None = None
    soft_cap: float | None = None
    sinks: np.ndarray | None = None
    precision: Precision | None = None
    scale: float | str = "root"
    temperature: float = 1.0
    dropout: float = 0.0
    seed: int = 0
    changes: LayerChanges | None = None
    residual: bool = False

    def __post_init__(self) -> None:
        """Check the numbers; arrays are checked when the shapes are known."""
        if isinstance(self.scale, str):
            if self.scale not in SCALES:
                raise ValueError(f"scale {self.scale!r} is none of {', '.join(SCALES)}")
        elif not math.isfinite(self.scale):
            raise out_of_range("scale", float(self.scale), "finite")
        if not (0 < self.temperature < math.inf):
            raise out_of_range("temperature", float(self.temperature), "above 0")
        if not 0 <= self.dropout < 1:
            raise out_of_range("dropout", float(self.dropout), "at least 0 and below 1")
        if self.seed < 0:
            raise out_of_range("seed", self.seed, "at least 0")
        if self.soft_cap is not None and not (0 < self.soft_cap < math.inf):
            raise out_of_range("soft_cap", float(self.soft_cap), "above 0")
        for side in self.window or ():
            if side < -1:
                raise out_of_range("window", side, "at least −1")
        if self.precision not in (None, *PRECISIONS):
            raise ValueError(f"precision {self.precision!r} is none of {', '.join(PRECISIONS)}")
        if self.window is None and (self.sink_tokens or self.global_tokens):
            raise ValueError("sink_tokens and global_tokens need a window")
        if self.relative is not None and (self.bias is not None or self.lengths is not None):
            raise ValueError("relative cannot be combined with bias or lengths")
        if self.sink_tokens < 0:
            raise out_of_range("sink_tokens", self.sink_tokens, "at least 0")
        if self.lengths is not None and (self.past is not None or self.key_mask is not None):
            raise ValueError("lengths cannot be combined with a cache or a key mask")
        if self.past is not None and np.ndim(self.past[0]) != 4:
            raise shape_mismatch("past_K", "(batch, kv_head, past, d_k)", np.shape(self.past[0]))

    @property
    def past_length(self) -> int:
        """How many keys are cached."""
        return 0 if self.past is None else int(np.shape(self.past[0])[2])

    def scale_for(self, d_k: int) -> float:
        """The factor of the scores for this d_k."""
        return SCALES[self.scale].factor(d_k) if isinstance(self.scale, str) else float(self.scale)


DEFAULT = AttentionOptions()


class Rows(NamedTuple):
    """Some consecutive queries: the index of the first, and the number of all queries."""

    first: int
    of: int


def mask_stages(
    options: AttentionOptions, Q: Stage, K: Stage, V: Stage, rows: Rows | None = None
) -> list[Stage]:
    """The masks and biases among the options as stages, in the order of ``steps.masked``.

    rows: which of the queries are in Q; None: all.
    Raises what is wrong with them, and not_finite for Q, K and V with which scores or head_output
    could overflow.
    """
    shape, axes = (*Q.tensor.shape[:3], K.tensor.shape[2]), (*Q.axes[:3], K.axes[2])
    if rows is not None:
        options = _for_rows(options, rows, shape[2])
    first = _first_position(options, shape, rows or Rows(0, shape[2]))
    hiding = _masks(options, shape, axes, first)
    linear_bias = _alibi(options, Q.tensor.dtype, shape, axes, first)
    bias = [] if options.bias is None else [_bias(options.bias, Q.tensor.dtype, shape, axes)]
    if options.relative is not None:
        assert isinstance(first, int)
        bias = options.relative.stages(axes[1:], shape[1:], Q.tensor.dtype, first)
    finite.check_scores(
        Q.tensor,
        K.tensor,
        options.scale_for(Q.size("d_k")),
        options.temperature,
        bias[-1].tensor if bias else None,
        math.prod(finite.largest(stage.tensor) for stage in linear_bias) if linear_bias else 0.0,
    )
    finite.check_head_output(V.tensor, options.dropout)
    return [*hiding, *linear_bias, *bias]


def sink_stage(sinks: np.ndarray, Q: Stage) -> Stage:
    """The logits of the sinks as a given stage. Raises shape_mismatch, not_real and not_finite."""
    numbers = _per_head("sinks", sinks, Q.size("head"), Q.tensor.dtype)
    return notation.given("sinks", numbers, Q.axes[1:2])


def _for_rows(options: AttentionOptions, rows: Rows, count: int) -> AttentionOptions:
    """The options with the rows of these queries of what differs between queries."""

    def rows_of(array: np.ndarray | None) -> np.ndarray | None:
        if array is None or np.ndim(array) < 2 or np.shape(array)[-2] != rows.of:
            return array
        return np.asarray(array)[..., rows.first : rows.first + count, :]

    return replace(options, allowed=rows_of(options.allowed), bias=rows_of(options.bias))


def _masks(
    options: AttentionOptions,
    shape: tuple[int, ...],
    axes: tuple[Axis, ...],
    offset: masks.Offset,
) -> list[Stage]:
    """The masks among the options as given stages. shape: (batch, head, query, key)."""
    batch, head, query, key = shape
    stages = []
    real = None
    if options.lengths is not None:
        real = np.arange(key) < np.asarray(options.lengths)[:, None]
    if options.key_mask is not None:
        real = checked_key_mask(options.key_mask, batch, key)
    if real is not None:
        kind = "sounding" if "frame" in axes[3].all_kinds else ""
        stages.append(notation.given("key_mask", real, (axes[0], axes[3]), "mask", kind))
    sides = axes[2:] if isinstance(offset, int) else (axes[0], *axes[2:])
    if options.causal:
        stages.append(notation.given("causal", masks.causal(query, key, offset), sides, "mask"))
    if options.window is not None:
        near = masks.window(
            query,
            key,
            *options.window,
            offset,
            sink_tokens=options.sink_tokens,
            global_tokens=options.global_tokens,
        )
        stages.append(notation.given("sliding_window", near, sides, "mask"))
    if options.allowed is not None:
        allowed = masks.aligned("allowed", _boolean("allowed", options.allowed), shape)
        stages.append(notation.broadcast("allowed", allowed, shape, axes, "mask"))
    if options.changes is not None:
        hidden = options.changes.hidden(query, key, offset if isinstance(offset, int) else 0)
        if hidden is not None:
            stages.append(notation.given("not_hidden", hidden, axes[2:], "mask"))
    if options.head_mask is not None:
        of_heads = _boolean("head_mask", options.head_mask)
        if of_heads.shape != (head,):
            raise shape_mismatch("head_mask", f"({head},)", of_heads.shape)
        stages.append(notation.given("head_mask", of_heads, axes[1:2], "mask"))
    return stages


def _first_position(options: AttentionOptions, shape: tuple[int, ...], rows: Rows) -> masks.Offset:
    """The position of the first of these queries: of all samples, or (batch,).

    Raises shape_mismatch.
    """
    if options.lengths is None:
        return options.past_length + rows.first
    batch, _, _, key = shape
    lengths = np.asarray(options.lengths)
    if lengths.shape != (batch,) or lengths.dtype.kind not in "iu":
        raise shape_mismatch("lengths", f"({batch},), whole numbers", lengths.shape)
    if lengths.min() < 0 or lengths.max() > key:
        raise out_of_range("lengths", int(lengths.max()), f"0 … {key}")
    return lengths - rows.of + rows.first


def _alibi(
    options: AttentionOptions,
    dtype: np.dtype,
    shape: tuple[int, ...],
    axes: tuple[Axis, ...],
    offset: masks.Offset,
) -> list[Stage]:
    """The stages slopes (head,) and distance (query, key), if ALiBi is among the options.

    Raises shape_mismatch, not_real, not_finite, and ValueError for lengths of each sample.
    """
    if options.alibi is None:
        return []
    _, head, query, key = shape
    if not isinstance(offset, int):
        raise ValueError(
            "alibi cannot be combined with lengths: its distances are those of all samples"
        )
    slopes = _per_head("slopes", options.alibi, head, dtype)
    distance = np.abs(masks.distance(query, key, offset)).astype(np.int32)
    return [
        notation.given("slopes", slopes, axes[1:2]),
        notation.given("distance", distance, axes[2:], "transform"),
    ]


def _per_head(name: str, given: np.ndarray, heads: int, dtype: np.dtype) -> np.ndarray:
    """A number for each head, checked: (head,). Raises shape_mismatch, not_real and not_finite."""
    numbers = finite.in_precision(name, finite.real(name, given), dtype)
    if numbers.shape != (heads,):
        raise shape_mismatch(name, f"({heads},)", numbers.shape)
    finite.check(name, numbers)
    return numbers


def checked_key_mask(given: np.ndarray, batch: int, key: int) -> np.ndarray:
    """The key mask, checked: (batch, key) bool. Raises not_boolean and shape_mismatch."""
    key_mask = _boolean("key_mask", given)
    if key_mask.shape != (batch, key):
        raise shape_mismatch("key_mask", f"({batch}, {key})", key_mask.shape)
    return key_mask


def _boolean(name: str, mask: np.ndarray) -> np.ndarray:
    array = np.array(as_numpy(mask))
    if array.dtype != bool:
        raise InputError("not_boolean", name=name)
    return array


def _bias(
    given: np.ndarray, dtype: np.dtype, shape: tuple[int, ...], axes: tuple[Axis, ...]
) -> Stage:
    """The bias as a given stage.

    Raises boolean_bias, not_real and not_finite.
    """
    if as_numpy(given).dtype == bool:
        raise InputError("boolean_bias", name="bias")
    numbers = finite.in_precision("bias", finite.real("bias", given), dtype)
    if np.isnan(numbers).any() or np.isposinf(numbers).any():
        raise InputError("not_finite", name="bias")
    return notation.broadcast("bias", masks.aligned("bias", numbers, shape), shape, axes, "input")
