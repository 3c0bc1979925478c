"""One layer of a checkpoint: its output, its trace, or the patterns of its heads."""

from dataclasses import replace

import numpy as np

from core import finite, nested
from core.layers import AnyNorm, FeedForward, Norm
from core.models import forward
from core.models.block import (
    final_norm,
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
    pre_norm_attention,
    pre_norm_feed_forward,
)
from core.models.model import Layer, Model
from core.trace import Stage, Trace

FINAL_NORM = "final_norm"  # a part behind the last layer


def layer_output(
    model: Model, x: np.ndarray, number: int, observe: forward.Observer | None = None
) -> np.ndarray:
    """The output of a layer for x, (token, d_model). number: from 1. Raises not_finite.

    observe: gets the weights of its attention, as from ``forward.layer_forward``.
    """
    config, numbers = model.config, model.layer(number)
    made = forward.layer_forward(
        x, numbers, causal=config.causal, pre_norm=config.pre_norm, observe=observe
    )
    finite.check(f"layer {number}", made)
    return made


Parts = tuple[dict[str, Trace], dict[str, str]]  # the arguments of ``nested.compose``


def layer_trace(model: Model, embedded: Trace, x: np.ndarray, number: int, parameter: str) -> Trace:
    """The trace of one layer, of the parts that ``layer_parts`` lists.

    parameter: the origin of the weights, as for ``nested.compose``.
    """
    return nested.compose(*layer_parts(model, embedded, x, number), parameter)


def layer_parts(model: Model, embedded: Trace, x: np.ndarray, number: int) -> Parts:
    """The parts input, encoder/L/self and encoder/L/feed_forward, and behind the last final_norm.

    x: (token, d_model), the input of the layer. number: L, from 1.
    """
    layer, config = model.layer(number), model.config
    comes_in = replace(embedded["X"], tensor=x[None])
    path, behind = f"encoder/{number}/self", f"encoder/{number}/feed_forward"
    parts, weights = {"input": embedded}, layer.weights()
    first, second, fed = layer.attention_norm, layer.feed_forward_norm, layer.feed_forward
    attention_scale, feed_forward_scale = layer.scales or (None, None)
    attention_norm, feed_forward_norm = layer.post_norms or (None, None)
    if config.pre_norm:
        parts[path] = pre_norm_attention(
            comes_in,
            weights,
            first,
            layer.options(causal=config.causal),
            scale=attention_scale,
            post_norm=attention_norm,
        )
        parts[behind] = pre_norm_feed_forward(
            output_stage(parts[path]), fed, second, feed_forward_scale, feed_forward_norm
        )
    else:
        parts[path] = post_norm_attention(
            comes_in, weights, _norm(first), options=layer.options(causal=config.causal),
            kind="own_stream",
        )  # fmt: skip
        parts[behind] = _post_norm_feed_forward(parts[path], layer)
    begins = next(iter(parts[behind]))
    edges = {f"{behind}/{begins}": f"{path}/{output_stage(parts[path]).key}"}
    if number == 1:
        edges[f"{path}/{next(iter(parts[path]))}"] = "input/X"
    if number == config.layers and model.names.final_norm and not model.names.head:
        parts[FINAL_NORM] = final_norm(output_stage(parts[behind]), model.final_norm())
        edges[f"{FINAL_NORM}/X"] = f"{behind}/{output_stage(parts[behind]).key}"
    return parts, edges


def decoder_layer_parts(
    model: Model, embedded: Trace, x: Stage, memory: Stage, number: int
) -> Parts:
    """The parts target, decoder/L/self, decoder/L/cross and decoder/L/feed_forward.

    x: (batch, token, d_model), the input of the layer. memory: the output of the encoder.
    number: L, from 1.
    """
    layer, path = model.layer(number), f"decoder/{number}"
    if model.config.pre_norm:
        own = pre_norm_attention(
            x, layer.weights(), layer.attention_norm, layer.options(causal=True)
        )
        cross = pre_norm_attention(
            output_stage(own),
            layer.cross_weights(),
            layer.cross_norm,
            layer.cross_options(),
            memory=memory,
        )
        fed = pre_norm_feed_forward(
            output_stage(cross), layer.feed_forward, layer.feed_forward_norm
        )
    else:
        own = post_norm_attention(
            x, layer.weights(), _norm(layer.attention_norm), options=layer.options(causal=True),
            kind="own_stream",
        )  # fmt: skip
        cross = post_norm_attention(
            output_stage(own), layer.cross_weights(), _norm(layer.cross_norm), memory=memory,
            options=layer.cross_options(),
        )  # fmt: skip
        fed = _post_norm_feed_forward(cross, layer)
    parts = {
        "target": embedded, f"{path}/self": own, f"{path}/cross": cross,
        f"{path}/feed_forward": fed,
    }  # fmt: skip
    begins = next(iter(fed))
    edges = {
        f"{path}/cross/{begins}": f"{path}/self/{output_stage(own).key}",
        f"{path}/feed_forward/{begins}": f"{path}/cross/{output_stage(cross).key}",
    }
    if number == 1:
        edges[f"{path}/self/{next(iter(own))}"] = "target/X"
    return parts, edges


def _norm(norm: AnyNorm) -> Norm:
    """The LayerNorm of a post-norm layer, which has no other."""
    assert isinstance(norm, Norm)
    return norm


def _post_norm_feed_forward(before: Trace, layer: Layer) -> Trace:
    assert isinstance(layer.feed_forward, FeedForward)
    norm = _norm(layer.feed_forward_norm)
    return post_norm_feed_forward(output_stage(before), layer.feed_forward, norm)


def observed_layer(
    model: Model,
    x: np.ndarray,
    number: int,
    observe: forward.Observer,
    output: np.ndarray | None = None,
) -> np.ndarray:
    """The output of a layer for x, (token, d_model); ``observe`` gets the weights of its heads.

    number: from 1. output: the result, if it is cached; then only the weights are computed.
    """
    if output is None:
        return layer_output(model, x, number, observe)
    layer, config = model.layer(number), model.config
    forward.attention_weights(x, layer, observe, causal=config.causal, pre_norm=config.pre_norm)
    return output
