"""Multi-head attention with every intermediate stage.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from core import around, finite, notation, steps
from core.axis import Axis, Labels
from core.errors import shape_mismatch
from core.options import (
    DEFAULT,
    AttentionOptions,
    alibi_stages,
    bias_stage,
    checked_key_mask,
    mask_stages,
    per_head,
)
from core.trace import Stage, Trace
from core.weights import Weights

LAYER_NORM_EPSILON = 1e-5


def scaled_dot_product_attention(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    options: AttentionOptions = DEFAULT,
    *,
    labels: Mapping[str, Labels | Axis] | None = None,
    among: tuple[int, int] | None = None,
) -> Trace:
    r"""Scaled dot-product attention: each query's softmax weights average the values.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V   (section 3.2.1)

    Q: (batch, head, query, d_k). K: (batch, kv_head, key, d_k). V: (batch, kv_head, key, d_v).
    kv_head: as many as heads, or a divisor of them, each shared by consecutive heads.
    labels: names of the places along ``query`` and ``key``, or axes with such names.
    among: if these are only some of the heads, the index of the first and the number of all, so
        that dropout is the same as when all are computed together.

    float32 in all of Q, K, V is computed in float32, everything else in float64.
    Raises shape_mismatch, out_of_range, not_finite, not_real, not_boolean, boolean_bias, and
    beyond_precision for a result that a half precision cannot hold.
    """
    Q, K, V = _in_one_precision({"Q": Q, "K": K, "V": V}, 4)
    shared = K.shape[1] != Q.shape[1]
    if K.shape[0] != Q.shape[0] or Q.shape[1] % K.shape[1]:
        expected = f"of {Q.shape[0]} samples and {Q.shape[1]} heads, or a divisor of them"
        raise shape_mismatch("K", expected, K.shape)
    if V.shape[:2] != K.shape[:2]:
        expected = f"of {K.shape[0]} samples and {K.shape[1]} heads"
        raise shape_mismatch("V", expected, V.shape)
    if K.shape[3] != Q.shape[3]:
        raise shape_mismatch("K", f"(batch, head, key, {Q.shape[3]})", K.shape)
    if V.shape[2] != K.shape[2]:
        raise shape_mismatch("V", f"(batch, head, {K.shape[2]}, d_v)", V.shape)
    side, head = _key_role(options), "kv_head" if shared else "head"
    stages = _Stages(options.precision)
    Q_stage, K_stage, V_stage = (
        stages.add(
            notation.given(key, array, notation.axes("batch", *roles, labels=labels), kind=kind)
        )
        for key, array, roles, kind in (
            ("Q", Q, ("head", "query", "d_k"), ""),
            ("K", K, (head, side, "d_k"), "shared_keys" if shared else ""),
            ("V", V, (head, side, "d_v"), "shared_values" if shared else ""),
        )
    )
    _attend(stages, *_prepared(stages, Q_stage, K_stage, V_stage, options), options, among)
    return Trace(stages)


class _Stages(list[Stage]):
    """Stages in their order; those that are computed are rounded to a half precision, if any."""

    def __init__(self, precision: str | None, known: Iterable[Stage] = ()) -> None:
        super().__init__(known)
        self._precision = precision

    def add(self, stage: Stage) -> Stage:
        """Round a stage, append it and return it. Raises beyond_precision."""
        self.append(steps.in_precision(stage, self._precision))
        return self[-1]


def multi_head_attention(
    X: np.ndarray | Trace,
    weights: Weights,
    options: AttentionOptions = DEFAULT,
    *,
    memory: np.ndarray | Stage | None = None,
    given: Mapping[str, np.ndarray] | None = None,
) -> Trace:
    r"""Multi-head attention: h heads in parallel, concatenated and projected.

    MultiHead(X) = Concat(head_1, …, head_h) W^O,
    head_i = Attention(X W_i^Q, X W_i^K, X W_i^V)   (section 3.2.2)

    X: (batch, query, d_model), or a trace that ends in such a stage ``X``: its stages then come
        first, its labels are kept, and without a memory its stage ``key_mask`` is
        the default of ``options.key_mask``.
    memory: (batch, key, width) for cross-attention: Q from X, K and V from memory.
        None: all three from X, and key is query.
    given: Q, K or V to use in place of the computed ones: (batch, head, query, d_k), …; K and V of
        shared heads with the axis kv_head.

    X in float32 is computed in float32, everything else in float64.
    Raises ValueError for rotary positions or a cache with a memory, and what
    ``scaled_dot_product_attention`` raises.
    """
    if memory is not None and (options.rotary is not None or options.past is not None):
        raise ValueError("rotary positions and a cache are those of one sequence, not of a memory")
    given_trace = X if isinstance(X, Trace) else Trace([_sequence("X", X, "token")])
    x = in_floating_point(given_trace["X"])
    past, n = options.past_length, x.tensor.shape[1]
    if options.key_mask is None and memory is None and "key_mask" in given_trace:
        of_cache = np.ones((x.size("batch"), past), bool)
        own = given_trace["key_mask"].tensor
        options = replace(options, key_mask=np.concatenate([of_cache, own], axis=1))
    if options.key_mask is not None and memory is None:
        real = checked_key_mask(options.key_mask, x.size("batch"), past + n)
        given_trace = filled(given_trace, real[:, past:])
        x = in_floating_point(given_trace["X"])
    source = [
        x if stage.key == "X" else stage
        for stage in given_trace.values()
        if stage.key != "key_mask"
    ]
    if x.size("d_model") != weights.d_model:
        raise shape_mismatch("X", f"(batch, token, {weights.d_model})", x.tensor.shape)
    m = x
    if memory is not None:
        m = _sequence("memory", memory, "key", x.tensor.dtype)
        if m.tensor.shape[0] != x.tensor.shape[0]:
            expected = f"of {x.tensor.shape[0]} samples, as X is"
            raise shape_mismatch("memory", expected, m.tensor.shape)
        source.append(m)
    if m.tensor.shape[2] != weights.W_K.shape[0]:
        raise shape_mismatch(m.key, f"(batch, key, {weights.W_K.shape[0]})", m.tensor.shape)

    weights = weights.in_precision(x.tensor.dtype)
    replaced = {f"{letter}_{key}" for key in given or {} for letter in "Wb"}
    parameters = [stage for stage in steps.parameters(weights) if stage.key not in replaced]
    stages = _Stages(options.precision, [*source, *parameters])
    Q, K, V = (
        stages.add(
            _given(key, given[key], source_of, weights, side, width)
            if given and key in given
            else steps.projection(key, source_of, weights, side, width)
        )
        for key, source_of, side, width in (
            ("Q", x, "query", "d_k"),
            ("K", m, _key_role(options), "d_k"),
            ("V", m, _key_role(options), "d_v"),
        )
    )
    for stage in (Q, K, V):
        finite.check(stage.key, stage.tensor)
    gammas = {stage.key: stage for stage in parameters}
    if "gamma_Q" in gammas:
        Q = stages.add(steps.normed_per_head(Q, gammas["gamma_Q"], weights.epsilon))
    if "gamma_K" in gammas:
        K = stages.add(steps.normed_per_head(K, gammas["gamma_K"], weights.epsilon))
    _attend(stages, *_prepared(stages, Q, K, V, options), options)
    stages.append(steps.concat(stages[-1]))
    if weights.W_O is not None:
        output = stages.add(steps.output(stages[-1], weights))
        finite.check("output", output.tensor)
    if options.residual:
        residual = stages.add(added(x, stages[-1]))
        stages.add(normed(residual))
    return Trace(stages)


def _key_role(options: AttentionOptions) -> str:
    """The role of the tokens of K and V: with a cache they are only the last of the keys."""
    return "key" if options.past is None else "new_key"


def _prepared(
    stages: _Stages, Q: Stage, K: Stage, V: Stage, options: AttentionOptions
) -> tuple[Stage, Stage, Stage]:
    """Add the stages between Q, K, V and the scores (rotation, cache); what attention reads."""
    if options.rotary is not None:
        n, width = Q.tensor.shape[2:]
        if K.tensor.shape[2] != n:
            raise shape_mismatch("K", f"{n} tokens, as Q has, for rotary positions", K.tensor.shape)
        if options.rotary.d_k > width:
            raise shape_mismatch("Q", f"d_k of at least {options.rotary.d_k}", Q.tensor.shape)
        *given, cos, sin = options.rotary.stages(
            Q.axes[2], n, width, Q.tensor.dtype, options.past_length
        )
        stages += given  # as transformers does: in half precision, angles are not rounded
        cos, sin = stages.add(cos), stages.add(sin)
        Q, K = (stages.add(steps.rotated(x, cos, sin, options.rotary)) for x in (Q, K))
    if options.past is None:
        return Q, K, V
    past_K, past_V = (
        stages.add(_past(name, array, new))
        for name, array, new in zip("KV", options.past, (K, V), strict=True)
    )
    if past_V.tensor.shape[2] != options.past_length:
        raise shape_mismatch("past_V", f"of {options.past_length} keys", past_V.tensor.shape)
    (side,) = notation.axes("key")
    present = [
        steps.present("present_K", past_K, K, side),
        steps.present("present_V", past_V, V, side),
    ]
    stages += present
    return Q, present[0], present[1]


def _past(name: str, given: np.ndarray, new: Stage) -> Stage:
    """Cached keys or values as a stage, checked. Raises shape_mismatch, not_real and not_finite."""
    key = f"past_{name}"
    array = finite.in_precision(key, finite.real(key, given), new.tensor.dtype)
    batch, heads, _, width = new.tensor.shape
    if array.ndim != 4 or array.shape[:2] + array.shape[3:] != (batch, heads, width):
        raise shape_mismatch(key, f"({batch}, {heads}, past, {width})", array.shape)
    finite.check(key, array)
    (side,) = notation.axes("past_key")
    return notation.given(key, array, (*new.axes[:2], side, new.axes[3]), "cached")


def _given(
    key: str, tensor: np.ndarray, source: Stage, weights: Weights, side: str, width: str
) -> Stage:
    size = weights.d_v if key == "V" else weights.d_k
    role, heads = steps.heads_of(key, weights)
    expected = (source.size("batch"), heads, source.size(source.roles[1]), size)
    array = finite.in_precision(key, finite.real(key, tensor), source.tensor.dtype)
    if array.shape != expected:
        raise shape_mismatch(key, str(expected), array.shape)
    named = notation.axes("batch", role, side, width, labels={side: source.axes[1]})
    return notation.given(key, array, named, kind=steps.kind_of(key, role))


def added(x: Stage, last: Stage) -> Stage:
    """The stage residual. Raises shape_mismatch and not_finite."""
    if last.tensor.shape != x.tensor.shape:
        raise shape_mismatch(last.key, f"{x.tensor.shape}, as X is", last.tensor.shape)
    return around.residual(x, last)


def normed(residual: Stage) -> Stage:
    """The stage normalised. Raises not_finite."""
    return around.normalised(residual, LAYER_NORM_EPSILON)


def _attend(
    stages: _Stages,
    Q: Stage,
    K: Stage,
    V: Stage,
    options: AttentionOptions,
    among: tuple[int, int] | None = None,
) -> None:
    """Add the stages from the given masks to head_output."""
    scale = options.scale_for(Q.tensor.shape[3])
    shape = (*Q.tensor.shape[:3], K.tensor.shape[2])
    axes = (*Q.axes[:3], K.axes[2])
    hides = mask_stages(options, shape, axes)
    linear_bias = alibi_stages(options, Q.tensor.dtype, shape, axes)
    bias = None if options.bias is None else bias_stage(options.bias, Q.tensor.dtype, shape, axes)
    finite.check_scores(
        Q.tensor,
        K.tensor,
        scale,
        options.temperature,
        None if bias is None else bias.tensor,
        math.prod(finite.largest(stage.tensor) for stage in linear_bias) if linear_bias else 0.0,
    )
    finite.check_head_output(V.tensor, options.dropout)
    stages += [*hides, *linear_bias, *([bias] if bias else [])]
    scores = stages.add(steps.scores(Q, K))
    logits = stages.add(steps.scaled(scores, scale, options.temperature, options.scale is None))
    if options.soft_cap is not None:
        logits = stages.add(steps.capped(logits, options.soft_cap))
    if hides or bias or linear_bias:
        logits = stages.add(steps.masked(logits, hides, bias, linear_bias))
    sinks = None
    if options.sinks is not None:
        array = per_head("sinks", options.sinks, shape[1], Q.tensor.dtype)
        sinks = stages.add(notation.given("sinks", array, axes[1:2]))
    weights = stages.add(steps.weights(logits, sinks))
    if options.dropout:
        keep, dropped = steps.dropped(weights, options.dropout, options.seed, among)
        stages.append(keep)
        weights = stages.add(dropped)
    stages.add(steps.head_output(weights, V))


def _in_one_precision(arrays: dict[str, np.ndarray], ndim: int) -> list[np.ndarray]:
    given = [finite.real(name, array) for name, array in arrays.items()]
    single = all(array.dtype == np.float32 for array in given)
    result = [np.array(array, dtype=np.float32 if single else np.float64) for array in given]
    for name, array in zip(arrays, result, strict=True):
        if array.ndim != ndim or 0 in array.shape:
            raise shape_mismatch(name, f"an array of {ndim} axes, none of them empty", array.shape)
        finite.check(name, array)
    return result


def filled(source: Trace, real: np.ndarray) -> Trace:
    """The stages, with their padded tokens marked as filling. real: (batch, token) bool."""
    return Trace(
        replace(stage, axes=tuple(_filled(axis, stage, real) for axis in stage.axes))
        for stage in source.values()
    )


def _filled(axis: Axis, stage: Stage, real: np.ndarray) -> Axis:
    if axis.role != "token":
        return axis
    known = axis.filled(real)
    return known if "batch" in stage.roles else known.for_all_samples()


def in_floating_point(x: Stage) -> Stage:
    """The stage as float32 if it is float32, else as float64. Raises not_real."""
    finite.real(x.key, x.tensor)
    if x.tensor.dtype in (np.float32, np.float64):
        return x
    return replace(x, tensor=x.tensor.astype(np.float64))


def _sequence(
    key: str, given: np.ndarray | Stage, role: str, dtype: np.dtype | None = None
) -> Stage:
    labels = given.axes[1] if isinstance(given, Stage) else None
    tensor = given.tensor if isinstance(given, Stage) else given
    (array,) = _in_one_precision({key: tensor}, 3)
    if dtype is not None:
        array = finite.in_precision(key, array, dtype)
    return notation.given(
        key, array, notation.axes("batch", role, "d_model", labels={role: labels})
    )
