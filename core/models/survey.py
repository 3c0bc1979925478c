"""The patterns of all heads of a checkpoint's layer, with one block of weights in memory."""

import numpy as np

from core.experiments.head_patterns import HeadPattern, of_heads
from core.models import forward
from core.models.model import Model
from core.models.one_layer import layer_output


def layer_patterns(
    model: Model, x: np.ndarray, number: int, special: tuple[int, ...], behind: np.ndarray | None
) -> tuple[tuple[HeadPattern | None, ...], np.ndarray]:
    """The patterns of a layer's heads, and its output.

    x: (token, d_model), what comes in. number: from 1. special: places of special tokens. behind:
    the output, if it is cached. None for a head in which no query sees more than one key.
    """
    config, n = model.config, len(x)
    window = model.config.windows[number - 1] if model.config.windows else None
    seen = forward.allowed(n, config.causal, window).sum(axis=1)  # (query,)
    heads: list[HeadPattern | None] = []

    def observe(weights: np.ndarray) -> None:
        heads.extend(of_heads(weights, seen[None], special=special))

    if behind is None:
        behind = layer_output(model, x, number, observe)
    else:
        forward.attention_weights(
            x, model.layer(number), observe, causal=config.causal, pre_norm=config.pre_norm
        )
    return tuple(heads), behind
