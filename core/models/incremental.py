"""The forward pass of a decoder in parts: tokens that were passed before are not passed again.

Each layer needs of earlier tokens their keys and values alone ("Efficiently Scaling Transformer
Inference", Pope et al., 2023, section 2); the residual stream is kept too, for what is read from
it. Without a trace; ``core.models.cached`` shows what a cache is, stage by stage.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core import finite
from core.models import forward
from core.models.forward import KeyValues
from core.models.model import Model


@dataclass(frozen=True, eq=False)
class Passed:
    """What a decoder has computed of a text.

    ids: of its tokens. streams: what enters each layer, from 1, and behind the last one what leaves
    it: (token, d_model). caches: K and V of each layer, (kv_head, token, width).
    """

    ids: tuple[int, ...] = ()
    streams: tuple[np.ndarray, ...] = ()
    caches: tuple[KeyValues, ...] = ()

    def common(self, ids: tuple[int, ...]) -> int:
        """The number of tokens with which both texts begin."""
        pairs = zip(self.ids, ids, strict=False)
        return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(self.ids), len(ids)))

    def first(self, tokens: int) -> "Passed":
        """The same of the first tokens alone: later ones change nothing for them."""
        return Passed(
            self.ids[:tokens],
            tuple(x[:tokens] for x in self.streams),
            tuple((K[:, :tokens], V[:, :tokens]) for K, V in self.caches),
        )


def passed(
    model: Model,
    before: Passed,
    ids: tuple[int, ...],
    x: np.ndarray,
    progress: Callable[[int, int], None] | None = None,
    begun: Passed | None = None,
) -> Passed:
    """Pass tokens through all layers of a pre-norm decoder, behind those that were passed before.

    ids: of these tokens; x: their embeddings, (token, d_model). progress: called after each layer
    with the number of layers done and in all. begun: of the same tokens by the model without its
    interventions: the layers in front of the first of these are taken from it. Raises not_finite.
    """
    layers, first = model.config.layers, model.interventions.first_layer if begun else 1
    streams, caches = [x], list[KeyValues]()
    if begun:
        streams, caches = list(begun.streams[:first]), list(begun.caches[: first - 1])
        x = streams[-1]
    for number in range(first, layers + 1):
        layer = model.layer(number)
        x = forward.entering(x, layer, len(before.ids))
        X = forward.normed(x, layer.attention_norm)
        cache = forward.key_values(X, layer, before.caches[number - 1] if before.ids else None)
        x = forward.pre_norm_output(x, forward.attention(X, layer, True, cache=cache), layer)
        finite.check(f"layer {number}", x)
        streams.append(x)
        caches.append(cache)
        if progress:
            progress(number, layers)
    if before.ids:
        pairs = zip(before.streams, streams, strict=True)
        streams = [np.concatenate(pair) for pair in pairs]
    return Passed(before.ids + ids, tuple(streams), tuple(caches))
