"""The decoder of an encoder–decoder over one memory, token by token, with a KV cache."""

from collections.abc import Mapping

import numpy as np

from core import finite, ops
from core.layers import AnyNorm
from core.models import forward
from core.models.model import Layer, Model
from core.options import AttentionOptions


class Decoding:
    """A decoder that has read some tokens, with the keys and values of every layer in its cache."""

    def __init__(self, model: Model, memory: np.ndarray, known: "Decoding | None" = None) -> None:
        """model: with cross-attention. memory: the output of the encoder, (key, d_model).

        known: of the same model with other changes, whose matrices need not be read again; nor are
        keys and values computed again of the same memory.
        """
        self._model, self.memory = model, memory
        if known is None:
            self._layers = [model.layer(n + 1) for n in range(model.config.layers)]
        else:
            self._layers = [model.changing(one, n + 1) for n, one in enumerate(known._layers)]
        self._memory: list[forward.KeyValues]
        if known is not None and known.memory is memory:
            self._memory = known._memory
        else:
            self._memory = [
                (_heads("K", memory, layer.cross, layer), _heads("V", memory, layer.cross, layer))
                for layer in self._layers
            ]
        self._own: list[forward.KeyValues | None] = [None] * len(self._layers)
        self._past = 0

    def step(self, numbers: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Logits of the token behind these, (vocabulary,) float32, and their cross weights.

        numbers: the ids of tokens behind those of earlier steps. The weights are those of the last
        of them: (layer, head, key). Raises not_finite.
        """
        x = _input_vectors(self._model, numbers, self._past)
        crossed = []
        for number in range(1, len(self._layers) + 1):
            x, weights = self.layer_output(x, number)
            crossed.append(weights[:, -1])
        self._past += len(numbers)
        logits = self._model.logits(_last_vector(self._model, x[-1:]))
        finite.check("logits", logits)
        return logits, np.array(crossed)

    def layer_output(self, x: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The output of a layer, (token, d_model), and its cross weights, (head, token, key).

        x: (token, d_model), of tokens behind those in the cache. number: from 1.
        """
        layer, pre_norm = self._layers[number - 1], self._model.config.pre_norm

        def before(x: np.ndarray, norm: AnyNorm) -> np.ndarray:
            return forward.normed(x, norm) if pre_norm else x

        def behind(x: np.ndarray, norm: AnyNorm) -> np.ndarray:
            return x if pre_norm else forward.normed(x, norm)

        x = forward.entering(x, layer, self._past)
        X = before(x, layer.attention_norm)
        K, V = (_heads(name, X, layer.attention, layer) for name in "KV")
        own = self._own[number - 1]
        if own is not None:
            K, V = (np.concatenate([old, new], 1) for old, new in zip(own, (K, V), strict=True))
        self._own[number - 1] = K, V
        options, past = layer.options(causal=True), self._past
        added, _ = _attend(X, K, V, layer.attention, layer, options, past)
        x = behind(x + added, layer.attention_norm)
        X, memory = before(x, layer.cross_norm), self._memory[number - 1]
        added, weights = _attend(X, *memory, layer.cross, layer, layer.cross_options(), past)
        x = behind(x + added, layer.cross_norm)
        fed = forward.feed_forward(before(x, layer.feed_forward_norm), layer.feed_forward)
        return behind(x + fed, layer.feed_forward_norm), weights


def _input_vectors(model: Model, numbers: tuple[int, ...], first: int) -> np.ndarray:
    """What enters the first layer for tokens: (token, d_model).

    numbers: their ids. first: the position of the first of them.
    """
    x = model.input_rows("E", numbers) * np.float32(model.config.embedding_scale)
    if "position" in model.names.inputs:
        x += model.input_rows("position", tuple(range(first, first + len(numbers))))
    return x


def _last_vector(model: Model, x: np.ndarray) -> np.ndarray:
    """What the language model head gets for the output of the last layer, (1, d_model)."""
    return forward.final_normed(x, model)[0] * np.float32(model.config.output_scale)


def _heads(
    name: str, X: np.ndarray, parameters: Mapping[str, np.ndarray], layer: Layer
) -> np.ndarray:
    """Q, K or V by head: (head, token, d_k). X: (token, d_model)."""
    projected = forward.linear(X, parameters[f"W_{name}"], parameters.get(f"b_{name}"))
    return projected.reshape(len(X), layer.heads, -1).swapaxes(0, 1)


def _attend(
    X: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    parameters: Mapping[str, np.ndarray],
    layer: Layer,
    options: AttentionOptions,
    past: int,
) -> tuple[np.ndarray, np.ndarray]:
    """MultiHead of X, (token, d_model), over keys and values; and the weights.

    The queries are the last of the keys where they are masked or biased by their distance. past:
    the position of the first of them.
    """
    Q = _heads("Q", X, parameters, layer)
    scores = Q @ K.swapaxes(1, 2) * np.float32(options.scale_for(Q.shape[2]))  # (head, query, key)
    n, total = scores.shape[1:]
    if options.relative:
        scores += options.relative.bias(n, total, total - n)
    if options.causal:
        scores[:, ~np.tri(n, total, total - n, dtype=bool)] = -np.inf
    changes = options.changes
    if changes is not None:
        hidden = changes.hidden(n, total, past)
        if hidden is not None:
            scores[:, ~hidden] = -np.inf
    weights = ops.softmax(scores)
    if changes is not None:
        changes.set_weights(weights, scores > -np.inf, past)
    outputs = weights @ V
    if changes is not None:
        changes.scale(outputs)
        changes.patch(outputs, past)
    concat = outputs.swapaxes(0, 1).reshape(len(X), -1)
    return forward.linear(concat, parameters["W_O"], parameters.get("b_O")), weights
