"""Each step of attention as a Stage: the result of ``core.ops`` with axes, formula and rule."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core import around, finite, ops
from core.errors import InputError
from core.notation import axes, given, latex
from core.options import LARGEST, SCALES, AttentionOptions, Rows
from core.rules import (
    Constant,
    Dot,
    Given,
    Index,
    Mask,
    Operand,
    Product,
    Round,
    Rule,
    Softmax,
    Stack,
    Sum,
)
from core.trace import Stage
from core.weights import Weights

PER_KEY = ("batch", "head", "query", "key")


class Stages(list[Stage]):
    """Stages in their order; those that are computed are rounded to a half precision, if any."""

    def __init__(self, precision: str | None, known: Iterable[Stage] = ()) -> None:
        super().__init__(known)
        self._precision = precision

    def add(self, stage: Stage) -> Stage:
        """Round a stage, append it and return it. Raises beyond_precision.

        Copies are of numbers that are rounded.
        """
        rounds = self._precision is not None and stage.tensor.dtype.kind == "f"
        if rounds and not isinstance(stage.rule, Operand | Stack):
            stage = _rounded(stage, str(self._precision))
        self.append(stage)
        return stage


def projection(key: str, x: Stage, weights: Weights, side: str = "query") -> Stage:
    """Q = X W^Q + b^Q, and likewise K and V (section 3.2.2). side: the role of their tokens.

    Raises not_finite.
    """
    packed = {"Q": weights.W_Q, "K": weights.W_K, "V": weights.W_V}[key]
    b = {"Q": weights.b_Q, "K": weights.b_K, "V": weights.b_V}[key]
    role, heads, width = weights.heads_of(key)
    tensor = finite.computed(key, ops.project, x.tensor, packed, b, heads)
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


def scaled(scores: Stage, d_k: int, options: AttentionOptions) -> Stage:
    """The scores / √d_k, or times another scale, / temperature (section 3.2.1)."""
    scale, temperature = options.scale_for(d_k), options.temperature
    if isinstance(options.scale, str):
        symbol, divisor = SCALES[options.scale].symbol, SCALES[options.scale].divisor
    else:
        symbol, divisor = "s", _divisor(scale)
    factors: list[Rule] = [Operand(scores.key, PER_KEY), Constant(scale, symbol)]
    formula = rf"\frac{{\text{{scores}}}}{{{divisor}}}" if divisor else r"s \cdot \text{scores}"
    if options.scale == 1:
        formula = r"\text{scores}"
    if temperature != 1:
        factors.append(Constant(1 / temperature, "1/T"))
        formula = rf"\frac{{1}}{{T}} \cdot {formula}"
    tensor = ops.scale_scores(scores.tensor, scale, temperature)
    kind = "unscaled" if scale / temperature == 1 else ""
    return Stage(
        "scaled",
        rf"\text{{scaled}} = {formula}",
        tensor,
        scores.axes,
        Product(tuple(factors)),
        kind,
    )


def _divisor(scale: float) -> str:
    """The divisor of the scores as text if it is an integer above 1; else empty."""
    divisor = round(1 / scale) if scale else 0
    return str(divisor) if divisor > 1 and abs(scale * divisor - 1) < 1e-9 else ""


def masked(scaled: Stage, added: list[Stage]) -> Stage:
    """The scaled scores plus biases, and −∞ where a mask does not allow (section 3.2.3).

    added: the masks; slopes and distance of ALiBi (Press et al., 2022, section 3); the bias, behind
    its table and the buckets if it is relative (Raffel et al., 2020, section 2.1).
    """
    of = {stage.key: stage for stage in added}
    hides = [stage for stage in added if stage.tensor.dtype == bool]
    rule: Rule = Operand(scaled.key, PER_KEY)
    formula = rf"\text{{masked}} = \text{{{scaled.key}}}"
    tensor, bias = scaled.tensor, None
    summands: list[Rule] = []
    if "slopes" in of:
        slopes, distance = of["slopes"], of["distance"]
        tensor = tensor + ops.alibi(slopes.tensor, distance.tensor).astype(tensor.dtype)
        factors = (slopes.operand, distance.operand)
        summands.append(Product((*factors, Constant(-1.0, "-"))))
        formula += r" - \text{slopes} \cdot \text{distance}"
    if "bias" in of:
        summands.append(of["bias"].operand)
        formula += " + B"
        bias = _spread(of["bias"])
    if summands:
        rule = Sum((rule, *summands))
    if hides:
        rule = Mask(rule, tuple(mask.operand for mask in hides))
        formula += " + M"
    tensor = ops.mask_scores(tensor, tuple(_spread(mask) for mask in hides), bias)
    kind = ("biased_and_masked" if hides else "biased") if "bias_table" in of else ""
    return Stage("masked", formula, tensor, scaled.axes, rule, kind)


def weights(logits: Stage, sinks: Stage | None = None) -> Stage:
    """Softmax over the keys (section 3.2.1), and over the sink of the head if there are sinks."""
    sink = None if sinks is None else sinks.operand
    rule = Softmax(Operand(logits.key, PER_KEY), "key", logits.size("key"), sink)
    of = rf"\text{{{logits.key}}}" + ("" if sinks is None else r",\, \text{sinks}")
    formula = rf"\text{{weights}} = \operatorname{{softmax}}({of})"
    added = None if sinks is None else sinks.tensor[:, None, None]
    kind = "" if sinks is None else "sink_weights"
    return Stage("weights", formula, ops.softmax(logits.tensor, added), logits.axes, rule, kind)


def dropped(weights: Stage, dropout: float, seed: int, rows: Rows | None = None) -> list[Stage]:
    """The stages keep (which weights dropout keeps) and dropped (Srivastava et al., 2014).

    rows: the index of the first of these queries and the number of all. By default these are all.
    """
    heads, queries = (0, weights.size("head")), rows or (0, weights.size("query"))
    keep = ops.dropout_mask(weights.tensor.shape, dropout, seed, heads, queries)
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
    formula = rf"\text{{head\_output}}_i = {latex(weights.key)} \cdot {latex(V.key)}"
    return Stage("head_output", formula, tensor, (*weights.axes[:3], V.axes[3]), rule)


def concat(head_output: Stage) -> Stage:
    """The concatenated heads (section 3.2.2)."""
    d_v = head_output.size("d_v")
    column = (("div", "concat", d_v), "query", ("mod", "concat", d_v))
    rule = Operand(head_output.key, ("batch", *column))
    columns = axes("concat", labels={"concat": _of_heads(head_output.size("head"), d_v)})
    named = (head_output.axes[0], head_output.axes[2], *columns)
    of = latex(head_output.key)
    formula = rf"\text{{concat}} = [{of}_1, \dots, {of}_h]"
    return Stage("concat", formula, ops.merge_heads(head_output.tensor), named, rule)


@lru_cache(64)
def _of_heads(heads: int, d_v: int) -> tuple[str, ...]:
    """The names of the columns of the concatenated heads: 1·1, 1·2, …"""
    return tuple(f"{head + 1}·{j + 1}" for head in range(heads) for j in range(d_v))


def output(concat: Stage, W_O: np.ndarray, b: np.ndarray | None, heads: int) -> Stage:
    """Concat times W^O (section 3.2.2). W_O: packed over the heads. Raises not_finite."""
    d_v = len(W_O) // heads
    rule = around.linear_rule(
        Operand("concat", ("batch", "query", "concat")),
        Operand("W_O", (("div", "concat", d_v), ("mod", "concat", d_v), "d_model")),
        concat.size("concat"),
        None if b is None else Operand("b_O", ("d_model",)),
    )
    tensor = finite.computed("output", ops.linear, concat.tensor, W_O, b)
    formula = r"\text{output} = \text{concat} \cdot W^O" + (" + b^O" if b is not None else "")
    return Stage("output", formula, tensor, (*concat.axes[:2], *axes("d_model")), rule)


def _spread(stage: Stage) -> np.ndarray:
    """The tensor reshaped to (batch, head, query, key), with length 1 for missing axes."""
    sizes = tuple(stage.size(role) for role in PER_KEY)
    return stage.tensor.reshape(sizes)


def _rounded(stage: Stage, precision: str) -> Stage:
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
