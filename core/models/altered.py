"""A decoder with other attention: the trace of one layer, or the log probabilities with all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from core import finite, notation, ops, variants
from core.attention import multi_head_attention
from core.masks import alibi_slopes
from core.models import embeddings, forward
from core.models.block import IN, normed_stream
from core.models.model import Layer, Model
from core.nested import as_input
from core.options import AttentionOptions
from core.rules import Given
from core.sources.position import sinusoids
from core.sources.tokenizer import Encoding
from core.trace import Stage, Trace
from core.weights import Weights

PositionKind = Literal["none", "sinusoids", "alibi", "paired", "moved"]
POSITION_KINDS: tuple[PositionKind, ...] = get_args(PositionKind)
MOVED = 64  # positions


@dataclass(frozen=True, eq=False)
class Attention:
    """The attention of one layer on one text: its input, its weights and its options.

    source: the stages stream, gamma and X, (batch 1, token, d_model), with the tokens' names.
    """

    source: Trace
    weights: Weights
    options: AttentionOptions

    def with_options(self, **options: Any) -> "Attention":
        """The same with other options, by the names of ``AttentionOptions``."""
        return replace(self, options=replace(self.options, **options))

    def trace(self) -> Trace:
        """Every stage from stream to output; the weights are *trained*.

        Raises what ``multi_head_attention`` raises.
        """
        trace = multi_head_attention(self.source, self.weights, self.options)
        return Trace(
            replace(stage, rule=Given("trained")) if stage.rule == Given("parameter") else stage
            for stage in trace.values()
        )


Change = Callable[[Attention], Attention]


def perplexity(log_probabilities: np.ndarray) -> float:
    """e to the mean of −log p: among how many equally likely tokens the model has to guess."""
    return float(np.exp(-log_probabilities.mean()))


def attention(model: Model, encoding: Encoding, layer: int) -> Attention:
    """The attention of a layer, from 1, of a pre-norm decoder. Raises not_finite."""
    stage = embeddings.token_embeddings(model, encoding)["X"]
    x = stage.tensor[0]
    for before in range(1, layer):
        x = forward.layer_forward(x, model.layer(before), causal=True, pre_norm=True)
    finite.check(f"layer {layer}", x)
    return attention_of(replace(stage, tensor=x[None]), model.layer(layer))


def log_probabilities(model: Model, encoding: Encoding, change: Change | None = None) -> np.ndarray:
    """log p of each token behind the first, given those before it: (token − 1,) float64.

    change: is applied to the attention of every layer. Raises not_finite, and what
    ``multi_head_attention`` raises.
    """
    last = streams(model, encoding, change)[-1][:-1]  # (token − 1, d_model)
    logits = next_logits(model, last)  # (token − 1, vocabulary)
    following = np.asarray(encoding.ids[1:])
    return np.log(ops.softmax(logits)[np.arange(len(following)), following])


def streams(model: Model, encoding: Encoding, change: Change | None) -> list[np.ndarray]:
    """The residual stream before the first layer and behind each one: (token, d_model) each.

    change: is applied to the attention of every layer. Raises as ``log_probabilities``.
    """
    stage = embeddings.token_embeddings(model, encoding)["X"]
    found = [stage.tensor[0]]
    for number in range(1, model.config.layers + 1):
        layer, x = model.layer(number), found[-1]
        if change is None:
            x = forward.layer_forward(x, layer, causal=True, pre_norm=True)
        else:
            given = attention_of(stage, layer)
            changed = change(given)
            x = forward.entering(x, layer)
            x = forward.pre_norm_output(x, _output(given, changed, layer), layer)
        finite.check(f"layer {number}", x)
        found.append(x)
        stage = replace(stage, tensor=x[None])
    return found


def next_logits(model: Model, stream: np.ndarray) -> np.ndarray:
    """The logits of the next token by the stream behind the last layer: (…, vocabulary) float64."""
    return model.logits(forward.normed(stream, model.final_norm())).astype(np.float64)


def _output(given: Attention, changed: Attention, layer: Layer) -> np.ndarray:
    """The output of changed attention: (token, d_model). given: that of the layer."""
    if changed.source is given.source and changed.options is given.options:
        # Other weights alone need no trace, which takes longer than its numbers.
        weights = {
            name: value for name, value in vars(changed.weights).items() if value is not None
        }
        other = replace(layer, attention=weights, kv_heads=changed.weights.kv_heads)
        return forward.attention(given.source["X"].tensor[0], other, causal=True)
    trace = multi_head_attention(changed.source, changed.weights, changed.options)
    output: np.ndarray = trace["output"].tensor[0]
    return output


def attention_of(stream: Stage, layer: Layer) -> Attention:
    """The attention of a layer on the residual stream (batch 1, token, d_model)."""
    given = as_input(stream, "stream", IN)
    enters = variants.entering(given, layer.changes)
    source = Trace([*enters, *normed_stream(enters[-1], layer.attention_norm)])
    return Attention(source, layer.weights(), layer.options(causal=True))


def with_positions(attention: Attention, kind: PositionKind) -> Attention:
    """The attention of a decoder with rotary positions, with others instead.

    ``none``: no rotation. ``sinusoids``: none, and sinusoids added to X ("Attention Is All You
    Need", Vaswani et al., 2017, section 3.5), here in front of the projections of the layer.
    ``alibi``: none, and linear biases ("Train Short, Test Long", Press et al., 2022, section 3).
    ``paired``: rotation of other pairs, neighbours in place of halves or the other way round.
    ``moved``: as trained, with every token ``MOVED`` positions later.
    """
    if kind in ("moved", "paired"):
        rotary = attention.options.rotary
        assert rotary is not None
        if kind == "paired":
            other = replace(rotary, interleaved=not rotary.interleaved)
            return attention.with_options(rotary=other)
        return attention.with_options(rotary=replace(rotary, offset=MOVED))
    unrotated = attention.with_options(rotary=None)
    if kind == "sinusoids":
        return replace(unrotated, source=_with_sinusoids(attention.source))
    if kind == "alibi":
        return unrotated.with_options(alibi=alibi_slopes(attention.weights.heads))
    return unrotated


def _with_sinusoids(source: Trace) -> Trace:
    """A trace whose only stage is X + position: (batch 1, token, d_model)."""
    X = source["X"]
    shifted = X.tensor + sinusoids(*X.tensor.shape[1:]).astype(X.tensor.dtype)
    return Trace([notation.given("X", shifted, X.axes)])
