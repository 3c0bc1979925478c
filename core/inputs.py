"""The inputs of attention, checked and in one precision, before anything is computed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core import finite, notation, steps
from core.arrays import named_sides
from core.axis import Axis, Labels
from core.errors import shape_mismatch
from core.options import AttentionOptions, checked_key_mask
from core.trace import Stage, Trace
from core.weights import Weights


@dataclass(frozen=True, eq=False)
class Inputs:
    """What multi-head attention computes from.

    x: the queries' tokens, (batch, token, d_model). memory: those of keys and values; x itself in
    self-attention. key: the role of their tokens. given: Q, K or V that replace the computed ones.
    stages: all stages before Q: those of the source, the memory, and the parameters.
    """

    x: Stage
    memory: Stage
    key: str
    weights: Weights
    options: AttentionOptions
    given: Mapping[str, Stage]
    stages: list[Stage]


def sequences(
    X: np.ndarray | Trace,
    weights: Weights,
    options: AttentionOptions,
    memory: np.ndarray | Stage | None,
    given: Mapping[str, np.ndarray] | None,
    labels: Mapping[str, Labels | Axis] | None = None,
) -> Inputs:
    """The arguments of ``multi_head_attention``, checked. Raises what it raises."""
    named = named_sides(labels)
    if "query" in named and isinstance(X, Trace):
        raise ValueError("a trace X has names of its own")
    if memory is None and named.get("key") not in (None, named.get("query")):
        raise ValueError("without a memory the keys are the queries: labels of query name both")
    if memory is not None and (options.rotary is not None or options.past is not None):
        raise ValueError("rotary positions and a cache are those of one sequence, not of a memory")
    source = X if isinstance(X, Trace) else Trace([_sequence("X", X, "token", named.get("query"))])
    x = in_floating_point(source["X"])
    if memory is None:
        source, options = _with_key_mask(source, options)
        x = in_floating_point(source["X"])
    if x.size("d_model") != weights.d_model:
        raise shape_mismatch("X", f"(batch, token, {weights.d_model})", x.tensor.shape)
    stages = before_q(source, x)
    m = x
    if memory is not None:
        m = _sequence("memory", memory, "key", named.get("key"), x.tensor.dtype)
        if m.tensor.shape[0] != x.tensor.shape[0]:
            expected = f"of {x.tensor.shape[0]} samples, as X is"
            raise shape_mismatch("memory", expected, m.tensor.shape)
        stages.append(m)
    if m.tensor.shape[2] != weights.W_K.shape[0]:
        raise shape_mismatch(m.key, f"(batch, key, {weights.W_K.shape[0]})", m.tensor.shape)
    weights = weights.in_precision(x.tensor.dtype)
    key = _key_role(options)
    instead = {
        name: _given(name, array, x if name == "Q" else m, weights, "query" if name == "Q" else key)
        for name, array in (given or {}).items()
    }
    unused = {f"{letter}_{name}" for name in instead for letter in "Wb"}
    stages += [stage for stage in weights.stages if stage.key not in unused]
    return Inputs(x, m, key, weights, options, instead, stages)


def heads(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    options: AttentionOptions,
    labels: Mapping[str, Labels | Axis] | None,
) -> tuple[Stage, Stage, Stage]:
    """The arguments of ``scaled_dot_product_attention`` as stages, checked.

    Raises shape_mismatch, not_real and not_finite.
    """
    Q, K, V = _in_one_precision({"Q": Q, "K": K, "V": V}, 4)
    sides = named_sides(labels)
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
    head, key = "head" if K.shape[1] == Q.shape[1] else "kv_head", _key_role(options)

    def stage(name: str, array: np.ndarray, *roles: str) -> Stage:
        named = notation.axes("batch", *roles, labels=sides)
        return notation.given(name, array, named, kind=steps.kind_of(name, roles[0]))

    return (
        stage("Q", Q, "head", "query", "d_k"),
        stage("K", K, head, key, "d_k"),
        stage("V", V, head, key, "d_v"),
    )


def _key_role(options: AttentionOptions) -> str:
    """The role of the tokens of K and V: with a cache they are only the last of the keys."""
    return "key" if options.past is None else "new_key"


def _with_key_mask(source: Trace, options: AttentionOptions) -> tuple[Trace, AttentionOptions]:
    """The key mask of the source among the options, and its filling marked in the source."""
    batch, n = source["X"].tensor.shape[:2]
    past = options.past_length
    if options.key_mask is None and "key_mask" in source:
        of_cache = np.ones((batch, past), bool)
        key_mask = np.concatenate([of_cache, source["key_mask"].tensor], axis=1)
        options = replace(options, key_mask=key_mask)
    if options.key_mask is not None:
        real = checked_key_mask(options.key_mask, batch, past + n)
        source = filled(source, real[:, past:])
    return source, options


def before_q(source: Trace, x: Stage) -> list[Stage]:
    """The stages of the source, with X in its precision, without key_mask, which follows V."""
    stages = (x if stage.key == "X" else stage for stage in source.values())
    return [stage for stage in stages if stage.key != "key_mask"]


def _given(key: str, tensor: np.ndarray, source: Stage, weights: Weights, side: str) -> Stage:
    """Q, K or V as a given stage, checked. Raises shape_mismatch, not_real and not_finite."""
    role, heads, width = weights.heads_of(key)
    size = weights.d_v if key == "V" else weights.d_k
    expected = (source.size("batch"), heads, source.size(source.roles[1]), size)
    array = finite.in_precision(key, finite.real(key, tensor), source.tensor.dtype)
    if array.shape != expected:
        raise shape_mismatch(key, str(expected), array.shape)
    finite.check(key, array)
    named = notation.axes("batch", role, side, width, labels={side: source.axes[1]})
    return notation.given(key, array, named, kind=steps.kind_of(key, role))


def _in_one_precision(arrays: dict[str, np.ndarray], ndim: int) -> list[np.ndarray]:
    given = [finite.real(name, array) for name, array in arrays.items()]
    single = all(array.dtype == np.float32 for array in given)
    result = [np.array(array, dtype=np.float32 if single else np.float64) for array in given]
    for name, array in zip(arrays, result, strict=True):
        if array.ndim != ndim or 0 in array.shape:
            raise shape_mismatch(name, f"an array of {ndim} axes, none of them empty", array.shape)
        finite.check(name, array)
    return result


def in_floating_point(x: Stage) -> Stage:
    """The stage as float32 if it is float32, else as float64. Raises not_real."""
    finite.real(x.key, x.tensor)
    if x.tensor.dtype in (np.float32, np.float64):
        return x
    return replace(x, tensor=x.tensor.astype(np.float64))


def _sequence(
    key: str,
    given: np.ndarray | Stage,
    role: str,
    labels: Labels | Axis | None,
    dtype: np.dtype | None = None,
) -> Stage:
    if labels is None and isinstance(given, Stage):
        labels = given.axes[1]
    tensor = given.tensor if isinstance(given, Stage) else given
    (array,) = _in_one_precision({key: tensor}, 3)
    if dtype is not None:
        array = finite.in_precision(key, array, dtype)
    return notation.given(
        key, array, notation.axes("batch", role, "d_model", labels={role: labels})
    )


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
