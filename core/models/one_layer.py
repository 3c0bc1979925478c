"""One layer of a checkpoint: its output, its trace, or the patterns of its heads."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core import finite, nested
from core.experiments.head_patterns import HeadPattern, of_heads
from core.layers import FeedForward, Norm
from core.models import forward
from core.models.block import (
    final_norm,
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
    pre_norm_attention,
    pre_norm_feed_forward,
)
from core.models.model import Model
from core.trace import Trace

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


def layer_trace(
    model: Model, embedded: Trace, x: np.ndarray, number: int, head: int | None, parameter: str
) -> Trace:
    """The parts input, encoder/L/self and encoder/L/feed_forward, and behind the last final_norm.

    x: (token, d_model), the input of the layer. number: L, from 1. head: the only one of which the
    trace has stages; None for all. parameter: the origin of the weights, as for ``nested.compose``.
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
            causal=config.causal,
            rotary=layer.rotary,
            window=layer.window,
            scale=attention_scale,
            post_norm=attention_norm,
            head=head,
        )
        parts[behind] = pre_norm_feed_forward(
            output_stage(parts[path]), fed, second, feed_forward_scale, feed_forward_norm
        )
    else:
        assert isinstance(first, Norm) and isinstance(second, Norm)
        assert isinstance(fed, FeedForward)
        parts[path] = post_norm_attention(
            comes_in, weights, first, causal=config.causal, kind="own_stream"
        )
        parts[behind] = post_norm_feed_forward(output_stage(parts[path]), fed, second)
    begins = next(iter(parts[behind]))
    edges = {f"{behind}/{begins}": f"{path}/{output_stage(parts[path]).key}"}
    if number == 1:
        edges[f"{path}/{begins}"] = "input/X"
    if number == config.layers and model.names.final_norm and not model.names.head:
        norm = model.final_norm()
        assert isinstance(norm, Norm)
        parts[FINAL_NORM] = final_norm(output_stage(parts[behind]), norm)
        edges[f"{FINAL_NORM}/X"] = f"{behind}/{output_stage(parts[behind]).key}"
    return nested.compose(parts, edges, parameter)


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


def head_patterns(
    model: Model,
    weights: np.ndarray,
    number: int,
    special: tuple[int, ...],
    ids: Sequence[int] = (),
) -> list[HeadPattern | None]:
    """The patterns of some heads of a layer; None where no query has more than one key.

    weights: (head, query, key). number: of the layer, from 1. special: indices of special tokens.
    ids: of the tokens of a text.
    """
    config = model.config
    window = config.windows[number - 1] if config.windows else None
    visible_keys = forward.allowed(weights.shape[-1], config.causal, window).sum(axis=1)  # (query,)
    return of_heads(weights, visible_keys[None], special=special, ids=ids)
