"""Shapes and costs of all stages from the sizes alone.

They are read from a small trace in which all sizes are different numbers, so that each length can
be replaced by the size that it stands for; a new stage of ``core.attention`` needs no change here.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from core.attention import multi_head_attention
from core.cost import Cost, per_cell
from core.errors import InputError
from core.interventions import LayerChanges
from core.limits import LIMITS
from core.options import DEFAULT, AttentionOptions
from core.rules import Given
from core.trace import Trace
from core.weights import ARRAYS, Weights

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


@dataclass(frozen=True)
class AttentionShape:
    """The sizes of one self-attention.

    n: tokens, patches or frames. d_k: the width of one head, d_v alike.
    """

    batch: int
    n: int
    d_model: int
    heads: int
    d_k: int


# No two of these, of d_k / 2, h · d_v and n + _PAST, are the same number.
SMALL = AttentionShape(batch=2, n=3, d_model=13, heads=8, d_k=14)
_KEYS, _WIDTH, _KV_HEADS, _D_V, _PAST, _BUCKETS = 5, 17, 4, 11, 19, 26


def shared_out(batch: int, n: int, d_model: int, heads: int) -> AttentionShape:
    """Sizes with d_k = d_model / h (section 3.2.2).

    Raises heads_do_not_divide.
    """
    if heads < 1 or d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    return AttentionShape(batch, n, d_model, heads, d_model // heads)


@dataclass(frozen=True)
class Shape:
    """The shape and cost of a stage, known before it is computed.

    key: of the stage. roles, sizes: of its axes. per_cell: multiply-adds of one cell.
    learnt: whether its numbers are parameters. itemsize: bytes of one number.
    formula: of the stage, in LaTeX.
    """

    key: str
    roles: tuple[str, ...]
    sizes: tuple[int, ...]
    per_cell: int = 0
    learnt: bool = False
    itemsize: int = 4
    formula: str = field(default="", compare=False)

    @property
    def values(self) -> int:
        """The number of cells."""
        return prod(self.sizes)

    @property
    def cost(self) -> Cost:
        """Its cost."""
        learnt = self.values if self.learnt else 0
        return Cost(learnt, self.values * self.per_cell, self.values * self.itemsize)


def of_trace(trace: Trace, size: Callable[[int], int] = int) -> list[Shape]:
    """The shapes of the stages of a computed trace. size: the size to report for a length."""
    return [
        Shape(
            key,
            stage.roles,
            tuple(map(size, stage.tensor.shape)),
            per_cell(stage.rule, size),
            isinstance(stage.rule, Given) and stage.rule.is_weight,
            stage.tensor.itemsize,
            stage.formula,
        )
        for key, stage in trace.items()
    ]


def attention(
    sizes: AttentionShape,
    options: AttentionOptions = DEFAULT,
    *,
    kv_heads: int | None = None,
    memory: tuple[int, int] | None = None,
    d_v: int | None = None,
    parameters: Collection[str] = MATRICES,
    dtype: np.typing.DTypeLike = np.float32,
) -> list[Shape]:
    """The shapes of the stages of ``multi_head_attention`` from X on.

    options: those of the computation; with ``residual`` there must be a W_O.
    kv_heads: number of key and value heads; None: as many as heads.
    memory: number of tokens and width of the memory; None for self-attention.
    d_v: width of a value in one head; None: d_k.
    parameters: keys of those that exist; without W_O the stages end at concat.
    dtype: of X.
    """
    past, of_value = options.past_length, d_v or sizes.d_k
    keys, width = memory or (sizes.n + past, sizes.d_model)
    small_keys = _KEYS if memory else SMALL.n + (0 if options.past is None else _PAST)
    shared = kv_heads not in (None, sizes.heads)
    real = {
        SMALL.batch: sizes.batch, SMALL.n: sizes.n, SMALL.d_model: sizes.d_model,
        SMALL.heads: sizes.heads, SMALL.d_k: sizes.d_k, SMALL.d_k // 2: sizes.d_k // 2,
        _KV_HEADS: kv_heads or sizes.heads, _D_V: of_value, _WIDTH: width, _PAST: past,
        SMALL.heads * _D_V: sizes.heads * of_value, small_keys: keys,
        _BUCKETS: 0 if options.relative is None else options.relative.table.shape[1],
    }  # fmt: skip
    small = _small_options(options, real, small_keys, _KV_HEADS if shared else SMALL.heads)
    return of_trace(
        _small_trace(small, shared, memory is not None, tuple(parameters), np.dtype(dtype)),
        real.__getitem__,
    )


def _small_options(
    options: AttentionOptions, real: dict[int, int], keys: int, kv_heads: int
) -> AttentionOptions:
    """The options with arrays for the small sizes; the same object if there are none."""
    per_key = (SMALL.batch, SMALL.heads, SMALL.n, keys)
    fixed = {
        "key_mask": (SMALL.batch, keys), "head_mask": per_key[1:2], "alibi": per_key[1:2],
        "sinks": per_key[1:2], "lengths": per_key[:1],
    }  # fmt: skip
    changed: dict[str, Any] = {}
    for name in (*fixed, "allowed", "bias"):
        given = getattr(options, name)
        if given is not None:
            along = zip(reversed(np.shape(given)), reversed(per_key), strict=False)
            broadcast = [size if real[size] == here else 1 for here, size in along][::-1]
            changed[name] = np.ones(fixed.get(name, broadcast), np.asarray(given).dtype)
    if options.past is not None:
        widths = (SMALL.d_k, _D_V)
        changed["past"] = tuple(np.ones((SMALL.batch, kv_heads, _PAST, width)) for width in widths)
    if options.relative is not None:
        table = np.ones((SMALL.heads, _BUCKETS))
        changed["relative"] = replace(options.relative, table=table, furthest=_BUCKETS)
    if options.rotary is not None:
        whole = options.rotary.d_k == real[SMALL.d_k]
        changed["rotary"] = replace(options.rotary, d_k=SMALL.d_k if whole else 2, scaling=None)
    if options.changes is not None:
        first = tuple({one.kind: one.of_first for one in options.changes.changes}.values())
        changed["changes"] = LayerChanges(first, dict.fromkeys(first, np.zeros(_D_V)))
    return replace(options, **changed) if changed else options


@lru_cache(maxsize=8)  # pages ask again and again with the default options
def _small_trace(
    options: AttentionOptions,
    shared: bool,
    crossed: bool,
    parameters: tuple[str, ...],
    dtype: np.dtype,
) -> Trace:
    batch, n, d_model, heads, d_k = vars(SMALL).values()
    kv_heads, width = _KV_HEADS if shared else heads, _WIDTH if crossed else d_model
    shapes = {
        "W_Q": (d_model, heads * d_k), "W_K": (width, kv_heads * d_k),
        "W_V": (width, kv_heads * _D_V), "W_O": (heads * _D_V, d_model),
        "b_Q": (heads * d_k,), "b_K": (kv_heads * d_k,), "b_V": (kv_heads * _D_V,),
        "b_O": (d_model,), "gamma_Q": (d_k,), "gamma_K": (d_k,),
    }  # fmt: skip
    arrays = {key: np.zeros(shapes[key]) if key in parameters else None for key in ARRAYS}
    weights = Weights(**arrays, heads=heads, kv_heads=kv_heads)  # type: ignore[arg-type]
    memory = np.ones((batch, _KEYS, width)) if crossed else None
    return multi_head_attention(
        np.ones((batch, n, d_model), dtype), weights, options, memory=memory
    )


def total(shapes: Iterable[Shape]) -> Cost:
    """The total cost of stages."""
    return sum((shape.cost for shape in shapes), Cost(0, 0, 0))


def held_bytes(shapes: Iterable[Shape]) -> int:
    """The bytes of stages in memory: without (query, key) stages that are computed when read."""
    found = {shape.key: shape for shape in shapes}
    # Weights that are set by hand are never computed in blocks.
    in_blocks = found["scores"].cost.bytes > LIMITS.stage_bytes and "set_weights" not in found
    return sum(
        shape.cost.bytes
        for shape in found.values()
        if not (in_blocks and {"query", "key"} <= {*shape.roles})
    )


@dataclass(frozen=True)
class HeadsCost:
    """One self-attention of n tokens with a given number of heads: a column of a comparison.

    d_k: width of one head. parameters: of W^Q, W^K, W^V and W^O. projections (Q, K and V), scores,
    weighted_sum (head_output), output: multiply-adds. weights: number of attention weights.
    """

    heads: int
    d_k: int
    parameters: int
    projections: int
    scores: int
    weighted_sum: int
    output: int
    weights: int

    @property
    def attention(self) -> int:
        """Multiply-adds between Q, K, V and head_output."""
        return self.scores + self.weighted_sum

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of all four matrix products."""
        return self.projections + self.attention + self.output


def attention_cost(n: int, d_model: int, heads: int) -> HeadsCost:
    """The cost of self-attention of n tokens with d_k = d_v = d_model / h.

    Then ("Attention Is All You Need", section 3.2.2) the number of heads cancels out:
    4·d_model² parameters, 3·n·d_model² multiply-adds for Q, K and V, n²·d_model for the scores and
    as many for the weighted sum, n·d_model² for the output. Only the weights grow: h·n² of them.
    Without biases. Raises heads_do_not_divide.
    """
    sizes = shared_out(1, n, d_model, heads)
    found = {shape.key: shape for shape in attention(sizes)}
    spent = {key: shape.cost.multiply_adds for key, shape in found.items()}
    return HeadsCost(
        heads=heads,
        d_k=sizes.d_k,
        parameters=total(found.values()).parameters,
        projections=spent["Q"] + spent["K"] + spent["V"],
        scores=spent["scores"],
        weighted_sum=spent["head_output"],
        output=spent["output"],
        weights=found["weights"].values,
    )
