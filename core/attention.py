"""Multi-head attention with every intermediate stage.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2. The inputs are checked in
``core.inputs``; a line of the paper is a function of ``core.steps``, and what came after the paper
is in ``core.variants``.
"""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from core import around, blockwise, inputs, steps, variants
from core.axis import Axis, Labels
from core.options import DEFAULT, AttentionOptions, Rows, mask_stages, sink_stage
from core.trace import Stage, Trace
from core.weights import Weights


def multi_head_attention(
    X: np.ndarray | Trace,
    weights: Weights,
    options: AttentionOptions = DEFAULT,
    *,
    memory: np.ndarray | Stage | None = None,
    given: Mapping[str, np.ndarray] | None = None,
    labels: Mapping[str, Labels | Axis] | None = None,
) -> Trace:
    r"""Multi-head attention: h heads in parallel, concatenated and projected.

    MultiHead(X) = Concat(head_1, …, head_h) W^O,
    head_i = Attention(X W_i^Q, X W_i^K, X W_i^V)   (section 3.2.2)

    X: (batch, query, d_model), or a trace that ends in such a stage ``X``: its stages then come
        first, with their labels, and without a memory its stage ``key_mask`` is the default of
        ``options.key_mask``.
    memory: (batch, key, width) for cross-attention: Q from X, K and V from memory.
        None: all three from X, and key is query.
    given: Q, K or V that replace the computed ones: (batch, head, query, d_k), …; K and V of
        shared heads with the axis kv_head.
    labels: names of the tokens, as for ``scaled_dot_product_attention``; ``key`` with a memory.

    X in float32 or a half precision is computed in float32, everything else in float64.
    Raises ValueError for rotary positions or a cache with a memory, and what
    ``scaled_dot_product_attention`` raises.
    """
    of = inputs.sequences(X, weights, options, memory, given, labels)
    stages, weights, options = steps.Stages(options.precision, of.stages), of.weights, of.options

    Q = stages.add(of.given.get("Q") or steps.projection("Q", of.x, weights))  # X W^Q
    K = stages.add(of.given.get("K") or steps.projection("K", of.memory, weights, of.key))  # X W^K
    V = stages.add(of.given.get("V") or steps.projection("V", of.memory, weights, of.key))  # X W^V
    Q, K = variants.normed(stages, Q, K, weights)
    outputs = _attention(stages, Q, K, V, options)
    last = stages.add(steps.concat(outputs))  # Concat(head_1, …, head_h)
    if weights.W_O is not None:
        last = stages.add(
            steps.output(last, weights.W_O, weights.b_O, weights.heads)
        )  # Concat(head_1, …, head_h) W^O
    if options.residual:
        residual = stages.add(around.residual(of.x, last))  # X + output
        stages.add(around.normalised(residual))
    return Trace(stages)


def scaled_dot_product_attention(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    options: AttentionOptions = DEFAULT,
    *,
    labels: Mapping[str, Labels | Axis] | None = None,
) -> Trace:
    r"""Scaled dot-product attention: each query's softmax weights average the values.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V   (section 3.2.1)

    Q: (batch, head, query, d_k). K: (batch, kv_head, key, d_k). V: (batch, kv_head, key, d_v).
    kv_head: as many as heads, or a divisor of them, each shared by consecutive heads.
    labels: names of the positions along ``query`` and ``key``, or axes with such names.

    float32 (or half) in all of Q, K, V is computed in float32, everything else in float64. Arrays
    of PyTorch and JAX are taken as they are (``core.arrays``).
    Raises ValueError for labels of another role, shape_mismatch, out_of_range, not_finite,
    not_real, not_boolean, boolean_bias, and beyond_precision for a result that a half precision
    cannot hold.
    """
    stages = steps.Stages(options.precision)
    queries, keys, values = map(stages.add, inputs.heads(Q, K, V, options, labels))
    _attention(stages, queries, keys, values, options)
    return Trace(stages)


def _attention(
    stages: steps.Stages, Q: Stage, K: Stage, V: Stage, options: AttentionOptions
) -> Stage:
    """Add the stages from Q, K and V to the outputs of the heads, which are returned."""
    Q, K, V = variants.rotated_and_cached(stages, Q, K, V, options)
    attend = partial(_attend, K=K, V=V, options=options)
    in_blocks = blockwise.is_large(Q, K) and (
        options.changes is None or not options.changes.sets_weights
    )
    stages += blockwise.attention(attend, Q, K) if in_blocks else attend(Q)
    return variants.changed_outputs(stages, stages[-1], options)


def _attend(
    Q: Stage, rows: Rows | None = None, *, K: Stage, V: Stage, options: AttentionOptions
) -> Iterator[Stage]:
    """The stages from the masks to head_output. rows: which of the queries are in Q; None: all.

    As an iterator, so that a caller can stop at the one that it reads.
    """
    stages = steps.Stages(options.precision)
    added = mask_stages(options, Q, K, V, rows)
    yield from added
    yield (logits := stages.add(steps.scores(Q, K)))  # Q Kᵀ
    yield (logits := stages.add(steps.scaled(logits, Q.size("d_k"), options)))  # Q Kᵀ / √d_k
    if options.soft_cap is not None:
        yield (logits := stages.add(variants.capped(logits, options.soft_cap)))
    if added:
        yield (logits := stages.add(steps.masked(logits, added)))
    sinks = None if options.sinks is None else stages.add(sink_stage(options.sinks, Q))
    if sinks:
        yield sinks
    yield (weights := stages.add(steps.weights(logits, sinks)))  # softmax(Q Kᵀ / √d_k)
    if options.dropout:
        keep, dropped = steps.dropped(weights, options.dropout, options.seed, rows)
        yield stages.add(keep)
        yield (weights := stages.add(dropped))
    known = len(stages)
    weights = variants.set_weights(stages, weights, logits, options)
    yield from stages[known:]
    yield stages.add(steps.head_output(weights, V))  # softmax(Q Kᵀ / √d_k) V
