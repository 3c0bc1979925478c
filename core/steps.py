"""Each step of attention as a Stage: the result of ``core.ops`` with axes, formula and rule."""

from dataclasses import replace

import numpy as np

from core import around, ops
from core.axis import Axis
from core.errors import InputError
from core.notation import axes, given, latex
from core.options import LARGEST
from core.rotary import Rotary
from core.rules import (
    Activation,
    Constant,
    Dot,
    Given,
    Index,
    Mask,
    Operand,
    Product,
    Rotate,
    Round,
    Rule,
    Softmax,
    Stack,
    Sum,
)
from core.trace import Stage
from core.weights import Weights

PER_KEY = ("batch", "head", "query", "key")


def parameters(weights: Weights) -> list[Stage]:
    """The parameters as stages: (head, d_model, d_k), W_O (head, d_v, d_model), and the biases.

    W_K and W_V have the axis kv_head if heads share them. gamma_Q and gamma_K, (d_k,), are last.
    Views of the packed matrices, not copies.
    """
    by_head = {
        "W_Q": (weights.W_Q, weights.b_Q, "d_k"),
        "W_K": (weights.W_K, weights.b_K, "d_k"),
        "W_V": (weights.W_V, weights.b_V, "d_v"),
    }
    stages = []
    for key, (W, b, width) in by_head.items():
        role, heads = heads_of(key[-1], weights)
        columns = W.reshape(W.shape[0], heads, -1)
        named = axes(role, "d_model", width)
        stages.append(given(key, columns.swapaxes(0, 1), named, "parameter"))
        if b is not None:
            rows = b.reshape(heads, -1)
            stages.append(given(f"b_{key[-1]}", rows, axes(role, width), "parameter"))
    if weights.W_O is not None:
        W_O = weights.W_O.reshape(weights.heads, weights.d_v, -1)
        stages.append(given("W_O", W_O, axes("head", "d_v", "d_model"), "parameter"))
        if weights.b_O is not None:
            stages.append(given("b_O", weights.b_O, axes("d_model"), "parameter"))
    for key, gamma in (("gamma_Q", weights.gamma_Q), ("gamma_K", weights.gamma_K)):
        if gamma is not None:
            stages.append(given(key, gamma, axes("d_k"), "parameter"))
    return stages


def heads_of(letter: str, weights: Weights) -> tuple[str, int]:
    """The role and the number of the heads of Q, K or V."""
    shared = letter != "Q" and weights.kv_heads < weights.heads
    return ("kv_head", weights.kv_heads) if shared else ("head", weights.heads)


def projection(
    key: str,
    x: Stage,
    weights: Weights,
    side: str,
    width: str,
) -> Stage:
    """Q = X W^Q + b^Q, and likewise K and V (section 3.2.2)."""
    packed = {"Q": weights.W_Q, "K": weights.W_K, "V": weights.W_V}[key]
    b = {"Q": weights.b_Q, "K": weights.b_K, "V": weights.b_V}[key]
    role, heads = heads_of(key, weights)
    with np.errstate(over="ignore", invalid="ignore"):
        tensor = ops.project(x.tensor, packed, b, heads)
    rule = around.linear_rule(
        Operand(x.key, ("batch", side, "d_model")),
        Operand(f"W_{key}", (role, "d_model", width)),
        packed.shape[0],
        None if b is None else Operand(f"b_{key}", (role, width)),
    )
    formula = rf"{key} = {latex(x.key)} W^{key}" + (rf" + b^{key}" if b is not None else "")
    named = axes("batch", role, side, width, labels={side: x.axes[1]})
    return Stage(key, formula, tensor, named, rule, kind_of(key, role))


_SHARED = {"K": "shared_keys", "V": "shared_values"}


def kind_of(key: str, role: str) -> str:
    """The kind of Q, K or V, by the role of its heads."""
    return "" if role == "head" else _SHARED[key]


def normed_per_head(x: Stage, gamma: Stage, epsilon: float) -> Stage:
    """RMSNorm of every query or key (Dehghani et al., 2023, section 2).

    x: (batch, head, token, d_k), and gamma (d_k,). Raises not_finite.
    """
    return around.rms_normed(x, epsilon, gamma, f"{x.key}_normed")


def rotated(x: Stage, cos: Stage, sin: Stage, rotary: Rotary) -> Stage:
    """Rotary positions: x · cos ∓ partner · sin (Su et al., 2021, section 3.4.2).

    x: (batch, head, token, d_k). cos, sin: (token, pair), or (token, d_k) where not all of a vector
    is rotated. The partner of a number stands half the rotated width further on, or before it in
    the second half; beside it if interleaved.
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
        Operand(x.key, x.roles),
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
    return Stage(f"{letter}_rotated", formula, tensor, x.axes, rule)


def scores(Q: Stage, K: Stage) -> Stage:
    """Q Kᵀ (section 3.2.1)."""
    rule = Dot(
        Operand(Q.key, ("batch", "head", "query", "d_k")),
        Operand(K.key, ("batch", _head_read(Q, K), "key", "d_k")),
        "d_k",
        Q.size("d_k"),
    )
    tensor = ops.dot_product_scores(Q.tensor, K.tensor)
    formula = rf"\text{{scores}} = {latex(Q.key)} {latex(K.key)}^\top"
    return Stage("scores", formula, tensor, (*Q.axes[:3], K.axes[2]), rule)


def _head_read(own: Stage, shared: Stage) -> Index:
    """The index of the key or value head that a head reads: its own or that of its group."""
    if "head" in shared.roles:
        return "head"
    return ("div", "head", own.size("head") // shared.size("kv_head"))


def scaled(scores: Stage, scale: float, temperature: float, is_paper_scale: bool) -> Stage:
    """The scores times scale / temperature (section 3.2.1)."""
    symbol = r"1/\sqrt{d_k}" if is_paper_scale else "s"
    factors: list[Rule] = [Operand(scores.key, PER_KEY), Constant(scale, symbol)]
    divisor = r"\sqrt{d_k}" if is_paper_scale else _divisor(scale)
    formula = rf"\frac{{\text{{scores}}}}{{{divisor}}}" if divisor else r"s \cdot \text{scores}"
    if scale == 1 and not is_paper_scale:
        formula = r"\text{scores}"
    if temperature != 1:
        factors.append(Constant(1 / temperature, "1/T"))
        formula = rf"\frac{{1}}{{T}} \cdot {formula}"
    tensor = ops.scale_scores(scores.tensor, scale, temperature)
    return Stage(
        "scaled", rf"\text{{scaled}} = {formula}", tensor, scores.axes, Product(tuple(factors))
    )


def _divisor(scale: float) -> str:
    """The divisor of the scores as text if it is an integer above 1; else empty."""
    divisor = round(1 / scale) if scale else 0
    return str(divisor) if divisor > 1 and abs(scale * divisor - 1) < 1e-9 else ""


def capped(scaled: Stage, cap: float) -> Stage:
    """Logit soft-capping (Gemma Team, 2024, section 2)."""
    share = Product((Operand(scaled.key, PER_KEY), Constant(1 / cap, "1/c")))
    rule = Product((Constant(cap, "c"), Activation("tanh", share)))
    formula = r"\text{capped} = c \cdot \tanh(\text{scaled} / c)"
    return Stage("capped", formula, ops.soft_cap(scaled.tensor, cap), scaled.axes, rule)


def present(key: str, past: Stage, new: Stage, side: Axis) -> Stage:
    """Keys or values of earlier tokens, and behind them those of new ones: the KV cache.

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


def masked(
    scaled: Stage, hides: list[Stage], bias: Stage | None, linear_bias: list[Stage]
) -> Stage:
    """The scaled scores plus biases, and −∞ where a mask does not allow (section 3.2.3).

    linear_bias: the stages slopes and distance of ALiBi, or none (Press et al., 2022, section 3).
    """
    rule: Rule = Operand(scaled.key, PER_KEY)
    formula = rf"\text{{masked}} = \text{{{scaled.key}}}"
    tensor = scaled.tensor
    added: list[Rule] = []
    if linear_bias:
        slopes, distance = linear_bias
        tensor = tensor + ops.alibi(slopes.tensor, distance.tensor).astype(tensor.dtype)
        factors = (Operand(stage.key, stage.roles) for stage in linear_bias)
        added.append(Product((*factors, Constant(-1.0, "-"))))
        formula += r" - \text{slopes} \cdot \text{distance}"
    if bias:
        added.append(Operand("bias", bias.roles))
        formula += " + B"
    if added:
        rule = Sum((rule, *added))
    if hides:
        rule = Mask(rule, tuple(Operand(mask.key, mask.roles) for mask in hides))
        formula += " + M"
    tensor = ops.mask_scores(
        tensor, tuple(_spread(mask) for mask in hides), None if bias is None else _spread(bias)
    )
    return Stage("masked", formula, tensor, scaled.axes, rule)


def weights(logits: Stage, sinks: Stage | None = None) -> Stage:
    """Softmax over the keys (section 3.2.1), and over the sink of the head if there are sinks."""
    sink = None if sinks is None else Operand(sinks.key, sinks.roles)
    rule = Softmax(Operand(logits.key, PER_KEY), "key", logits.size("key"), sink)
    of = rf"\text{{{logits.key}}}" + ("" if sinks is None else r",\, \text{sinks}")
    formula = rf"\text{{weights}} = \operatorname{{softmax}}({of})"
    added = None if sinks is None else sinks.tensor[:, None, None]
    kind = "" if sinks is None else "sink_weights"
    return Stage("weights", formula, ops.softmax(logits.tensor, added), logits.axes, rule, kind)


def in_precision(stage: Stage, precision: str | None) -> Stage:
    """The stage rounded to ``float16`` or ``bfloat16``; unchanged for None.

    Raises beyond_precision.
    """
    if precision is None or stage.tensor.dtype.kind != "f":
        return stage
    tensor = ops.round_to(stage.tensor, precision)
    beyond = np.isinf(tensor) & np.isfinite(stage.tensor)
    if beyond.any():
        value = np.abs(stage.tensor[beyond]).max()
        raise InputError(
            "beyond_precision",
            name=stage.key,
            value=f"{value:.6g}",
            precision=precision,
            limit=f"{LARGEST[precision]:.6g}",
        )
    if isinstance(stage.rule, Given):
        return replace(stage, tensor=tensor)
    return replace(stage, tensor=tensor, rule=Round(stage.rule, precision))


def dropped(
    weights: Stage, dropout: float, seed: int, among: tuple[int, int] | None = None
) -> list[Stage]:
    """The stages keep (which weights dropout keeps) and dropped (Srivastava et al., 2014).

    among: the index of the first of these heads and the number of all; by default these are all.
    """
    first, heads = among or (0, weights.size("head"))
    keep = ops.dropout_mask(weights.tensor.shape, dropout, seed, first, heads)
    tensor = ops.apply_dropout(weights.tensor, keep, dropout)
    constant = Constant(1 / (1 - dropout), "1/(1-p)")
    rule = Product((Operand("weights", PER_KEY), Operand("keep", PER_KEY), constant))
    formula = r"\text{dropped} = \frac{\text{weights} \odot \text{keep}}{1 - p}"
    return [
        given("keep", keep, weights.axes, "random"),
        Stage("dropped", formula, tensor, weights.axes, rule),
    ]


def head_output(weights: Stage, V: Stage) -> Stage:
    """The weighted sum of the values (section 3.2.1)."""
    rule = Dot(
        Operand(weights.key, PER_KEY),
        Operand(V.key, ("batch", _head_read(weights, V), "key", "d_v")),
        "key",
        V.size("key"),
    )
    tensor = ops.weighted_sum(weights.tensor, V.tensor)
    formula = rf"\text{{head\_output}}_i = \text{{{weights.key}}} \cdot {latex(V.key)}"
    return Stage("head_output", formula, tensor, (*weights.axes[:3], V.axes[3]), rule)


def concat(head_output: Stage) -> Stage:
    """The concatenated heads (section 3.2.2)."""
    d_v = head_output.size("d_v")
    column = (("div", "concat", d_v), "query", ("mod", "concat", d_v))
    rule = Operand("head_output", ("batch", *column))
    names = tuple(
        f"{head + 1}·{j + 1}" for head in range(head_output.size("head")) for j in range(d_v)
    )
    named = (head_output.axes[0], head_output.axes[2], *axes("concat", labels={"concat": names}))
    formula = r"\text{concat} = [\text{head\_output}_1, \dots, \text{head\_output}_h]"
    return Stage("concat", formula, ops.merge_heads(head_output.tensor), named, rule)


def output(concat: Stage, weights: Weights) -> Stage:
    """Concat times W^O (section 3.2.2)."""
    assert weights.W_O is not None
    d_v, b = weights.d_v, weights.b_O
    rule = around.linear_rule(
        Operand("concat", ("batch", "query", "concat")),
        Operand("W_O", (("div", "concat", d_v), ("mod", "concat", d_v), "d_model")),
        concat.size("concat"),
        None if b is None else Operand("b_O", ("d_model",)),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        tensor = ops.linear(concat.tensor, weights.W_O, b)
    formula = r"\text{output} = \text{concat} \cdot W^O" + (" + b^O" if b is not None else "")
    return Stage("output", formula, tensor, (*concat.axes[:2], *axes("d_model")), rule)


def _spread(stage: Stage) -> np.ndarray:
    """The tensor reshaped to (batch, head, query, key), with length 1 for missing axes."""
    sizes = tuple(stage.size(role) for role in PER_KEY)
    return stage.tensor.reshape(sizes)
