"""Steps that came after the paper: QK norm, rotary positions, the KV cache, logit soft-capping.

And what a reader changes on purpose (``core.interventions``).
"""

import numpy as np

from core import around, finite, notation, ops
from core.axis import Axis
from core.errors import shape_mismatch
from core.interventions import LayerChanges
from core.notation import given, latex
from core.options import AttentionOptions
from core.rotary import Rotary
from core.rules import Activation, Constant, Index, Operand, Product, Rotate, Rule, Stack, Sum
from core.steps import PER_KEY, Stages
from core.trace import Stage
from core.weights import Weights


def normed(stages: Stages, Q: Stage, K: Stage, weights: Weights) -> tuple[Stage, Stage]:
    """Add RMSNorm of queries and keys, if there is a γ (Dehghani et al., 2023, section 2).

    Q, K: (batch, head, token, d_k). gamma_Q, gamma_K among the stages: (d_k,). Raises not_finite.
    """
    gammas = {stage.key: stage for stage in stages}
    if "gamma_Q" in gammas:
        Q = stages.add(around.rms_normed(Q, weights.epsilon, gammas["gamma_Q"], "Q_normed"))
    if "gamma_K" in gammas:
        K = stages.add(around.rms_normed(K, weights.epsilon, gammas["gamma_K"], "K_normed"))
    return Q, K


def rotated_and_cached(
    stages: Stages, Q: Stage, K: Stage, V: Stage, options: AttentionOptions
) -> tuple[Stage, Stage, Stage]:
    """Add rotary positions and the cache, if they are among the options; Q, K, V for attention.

    Raises shape_mismatch, not_real and not_finite.
    """
    if options.rotary is not None:
        n, width = Q.tensor.shape[2:]
        if K.tensor.shape[2] != n:
            raise shape_mismatch("K", f"{n} tokens, as Q has, for rotary positions", K.tensor.shape)
        if options.rotary.d_k > width:
            raise shape_mismatch("Q", f"d_k of at least {options.rotary.d_k}", Q.tensor.shape)
        *tables, cos, sin = options.rotary.stages(
            Q.axes[2], n, width, Q.tensor.dtype, options.past_length
        )
        stages += tables  # as transformers does: in half precision, angles are not rounded
        cos, sin = stages.add(cos), stages.add(sin)
        Q, K = (stages.add(rotated(x, cos, sin, options.rotary)) for x in (Q, K))
    if options.past is None:
        return Q, K, V
    past_K, past_V = (
        stages.add(_past(name, array, new))
        for name, array, new in zip("KV", options.past, (K, V), strict=True)
    )
    if past_V.tensor.shape[2] != options.past_length:
        raise shape_mismatch("past_V", f"of {options.past_length} keys", past_V.tensor.shape)
    (side,) = notation.axes("key")
    K = stages.add(present("present_K", past_K, K, side))
    V = stages.add(present("present_V", past_V, V, side))
    return Q, K, V


def _past(name: str, cached: np.ndarray, new: Stage) -> Stage:
    """Cached keys or values as a stage, checked. Raises shape_mismatch, not_real and not_finite."""
    key = f"past_{name}"
    array = finite.in_precision(key, finite.real(key, cached), new.tensor.dtype)
    batch, heads, _, width = new.tensor.shape
    if array.ndim != 4 or array.shape[:2] + array.shape[3:] != (batch, heads, width):
        raise shape_mismatch(key, f"({batch}, {heads}, past, {width})", array.shape)
    finite.check(key, array)
    (side,) = notation.axes("past_key")
    return given(key, array, (*new.axes[:2], side, new.axes[3]), "cached")


def rotated(x: Stage, cos: Stage, sin: Stage, rotary: Rotary) -> Stage:
    """Rotary positions: x · cos ∓ partner · sin (Su et al., 2021, section 3.4.2).

    x: (batch, head, token, d_k). cos, sin: (token, pair), or (token, d_k) where not all of a vector
    is rotated. The partner of an entry is half the rotated width away, or beside it if
    interleaved.
    """
    letter, (batch, head, side, width) = x.key[0], x.roles
    half = rotary.d_k // 2
    if rotary.interleaved:
        second: Index = ("mod", width, 2)
        pair: Index = ("div", width, 2)
        partner: Index = ("join", pair, 2, ("mod", ("join", 1, 1, width), 2))
        firsts = slice(0, rotary.d_k, 2)
    else:
        second, pair = ("div", width, half), ("mod", width, half)
        partner = ("mod", ("join", 1, half, width), rotary.d_k)
        firsts = slice(half)
    by_pair = "pair" in cos.roles
    angle = (side, pair if by_pair else width)
    rule = Rotate(
        x.operand,
        Operand(x.key, (batch, head, side, partner)),
        Operand(cos.key, angle),
        Operand(sin.key, angle),
        second,
    )
    formula = (
        rf"\text{{{letter}\_rotated}} = {latex(x.key)} \odot \text{{cos}}"
        rf" + \operatorname{{rotate\_half}}({latex(x.key)}) \odot \text{{sin}}"
    )
    turns = [table.tensor if by_pair else table.tensor[:, firsts] for table in (cos, sin)]
    tensor = ops.rotate(x.tensor, turns[0], turns[1], rotary.interleaved)
    kind = "shared_rotated_keys" if head == "kv_head" else ""
    return Stage(f"{letter}_rotated", formula, tensor, x.axes, rule, kind)


def present(key: str, past: Stage, new: Stage, side: Axis) -> Stage:
    """The KV cache with the new keys or values appended.

    past: (batch, kv_head, past, width). new: (batch, kv_head, new, width). side: the axis of all.
    """
    batch, head, _, width = new.roles
    length = past.tensor.shape[2]
    parts = (
        Operand(past.key, (batch, head, "key", width)),
        Operand(new.key, (batch, head, ("minus", "key", length), width)),
    )
    rule = Stack("key", parts, (length, new.tensor.shape[2]))
    formula = rf"{latex(key)} = [{latex(past.key)}; {latex(new.key)}]"
    tensor = np.concatenate([past.tensor, new.tensor], axis=2)
    return Stage(key, formula, tensor, (*new.axes[:2], side, new.axes[3]), rule)


def capped(scaled: Stage, cap: float) -> Stage:
    """Logit soft-capping (Gemma Team, 2024, section 2)."""
    share = Product((Operand(scaled.key, PER_KEY), Constant(1 / cap, "1/c")))
    rule = Product((Constant(cap, "c"), Activation("tanh", share)))
    formula = r"\text{capped} = c \cdot \tanh(\text{scaled} / c)"
    return Stage("capped", formula, ops.soft_cap(scaled.tensor, cap), scaled.axes, rule)


def set_weights(stages: Stages, weights: Stage, logits: Stage, options: AttentionOptions) -> Stage:
    """Add the weights with rows that are set by hand, if there are any; the weights for V.

    logits: of the weights, −∞ where a query may not attend.
    """
    changes = options.changes
    if changes is None or not changes.sets_weights:
        return weights
    visible, instead = logits.tensor > -np.inf, np.full(weights.tensor.shape, np.nan)
    changes.set_weights(instead, visible, options.past_length)
    return _replaced(
        stages,
        weights,
        instead,
        ("rows_kept", "rows_set", "set_weights"),
        ("head", "query"),
        "input",
    )


def changed_outputs(stages: Stages, head_output: Stage, options: AttentionOptions) -> Stage:
    """Add the heads' outputs, muted or scaled and patched, as far as they are; the last stage."""
    changes, last = options.changes, head_output
    if changes is None:
        return last
    if changes.factors:
        factors = np.ones((1, last.size("head"), 1, 1), last.tensor.dtype)
        changes.scale(factors)
        factor = stages.add(given("factor", factors.ravel(), last.axes[1:2], "input"))
        formula = rf"\text{{muted}}_i = \text{{factor}}_i \cdot {latex(last.key)}_i"
        rule = Product((factor.operand, last.operand))
        tensor = ops.multiply(last.tensor, factors)
        last = stages.add(Stage("muted", formula, tensor, last.axes, rule))
    if changes.patches_heads:
        instead = np.full(last.tensor.shape[1:], np.nan)
        changes.patch(instead, options.past_length)
        keys = ("tokens_kept", "patch", "patched")
        last = _replaced(stages, last, instead, keys, ("head", "query"), "earlier")
    return last


def entering(
    stream: Stage, changes: LayerChanges | None, key: str = "patched_stream", kind: str = ""
) -> list[Stage]:
    """The residual stream, (batch, token, d_model), and patched if it is; the last enters.

    key, kind: of the patched one.
    """
    stages = Stages(None, [stream])
    if changes is not None and changes.patches_stream:
        instead = np.full(stream.tensor.shape[1:], np.nan)
        changes.patch_stream(instead)
        keys = ("kept_x", "patch_x", key)
        _replaced(stages, stream, instead, keys, stream.roles[1:2], "earlier", kind)
    return stages


def _replaced(
    stages: Stages,
    of: Stage,
    instead: np.ndarray,
    keys: tuple[str, str, str],
    rows: tuple[str, ...],
    what: str,
    kind: str = "",
) -> Stage:
    """Add a stage with some rows replaced: of · kept + instead.

    instead: the other rows, NaN in those that are kept, with or without the axis batch. keys: of
    the stages kept, instead and the result. rows: the roles along which rows are counted. what: as
    in ``Given``, of the other rows. kind: of the result.
    """
    named, dtype = of.axes[of.tensor.ndim - instead.ndim :], of.tensor.dtype
    kept = np.isnan(instead).all(axis=-1, keepdims=True).astype(dtype)  # (…, row, 1)
    set_rows = np.where(kept, 0, instead).astype(dtype)
    of_rows = kept[0, ..., 0] if instead.ndim > len(rows) + 1 else kept[..., 0]
    switch = stages.add(given(keys[0], of_rows, tuple(of.axis(role) for role in rows), "input"))
    other = stages.add(given(keys[1], set_rows, named, what))
    product: Rule = Product((of.operand, switch.operand))
    formula = rf"{latex(keys[2])} = {latex(of.key)} \cdot {latex(keys[0])} + {latex(keys[1])}"
    tensor = ops.replaced(of.tensor, kept, set_rows)
    return stages.add(Stage(keys[2], formula, tensor, of.axes, Sum((product, other.operand)), kind))
