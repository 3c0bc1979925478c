"""Tensors that another program has computed, as a trace: weights alone, or Q, K and V."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from core import finite, nested, steps
from core.arrays import as_numpy, named_sides
from core.attention import scaled_dot_product_attention
from core.errors import out_of_range, shape_mismatch
from core.notation import axes, given
from core.options import DEFAULT, AttentionOptions
from core.rules import Given
from core.trace import Trace
from core.weights import output_parameters

LAYER = "layer/{}"  # from 1, as in ``Checkpoint.run``
WEIGHTS = "(head, query, key), (layer, head, query, key), or a tuple of (batch, head, query, key)"


def trace_of(
    *tensors: Any,
    tokens: Iterable[Any] | None = None,
    key_tokens: Iterable[Any] | None = None,
    mask: Any = None,
    W_O: Any = None,
    options: AttentionOptions = DEFAULT,
) -> Trace:
    """The trace of attention weights, or of Q, K and V.

    tensors: either the weights, (head, query, key), (layer, head, query, key), or the tuple of
        (batch, head, query, key), one for each layer, that ``output_attentions`` of Hugging Face
        gives; several layers become the parts ``layer/1``, ``layer/2``, …. Or Q, K and V: (head,
        query, d_k), with the batch in front of it or without heads, of which K and V may have
        fewer: what ``F.scaled_dot_product_attention`` takes.
    tokens, key_tokens: names of queries and keys, or such names for each sample; by default keys
        have those of the queries if they are as many. Tokens may be the second of two arguments.
    mask: as its ``attn_mask``: True where a query may attend, or what is added to the scores.
    W_O: (h·d_v, d_model) or (head, d_v, d_model): goes on to concat and output.
    options: other options for Q, K and V, such as ``causal``.

    NumPy, PyTorch or JAX (``core.arrays``). Of weights alone a cell opens no further: what it was
    computed from is not known. Raises what ``scaled_dot_product_attention`` raises, out_of_range
    for negative weights, and TypeError for another number of tensors.
    """
    if len(tensors) == 2 and tokens is None:
        *tensors, tokens = tensors  # type: ignore[assignment]
    labels = {"query": tokens, "key": key_tokens}
    if len(tensors) == 3:
        Q, K, V = (_with_leading_axes(name, t) for name, t in zip("QKV", tensors, strict=True))
        options = options if mask is None else with_mask(options, mask)
        if key_tokens is None and Q.shape[2] == K.shape[2]:
            labels["key"] = tokens
        trace = scaled_dot_product_attention(Q, K, V, options, labels=_given_names(labels))
        return from_elsewhere(trace if W_O is None else with_output(trace, W_O))
    if len(tensors) != 1:
        raise TypeError(f"the weights, or Q, K and V: 1 tensor or 3, not {len(tensors)}")
    if mask is not None or W_O is not None or options is not DEFAULT:
        raise TypeError("mask, W_O and options are for Q, K and V; weights are taken as they are")
    layers = [_weights_alone(layer, labels) for layer in _layers(tensors[0])]
    if len(layers) == 1:
        return layers[0]
    return nested.compose({LAYER.format(i): layer for i, layer in enumerate(layers, start=1)}, {})


def _layers(weights: Any) -> list[np.ndarray]:
    """The weights of each layer: (batch, head, query, key)."""
    if isinstance(weights, tuple | list):
        return [_with_leading_axes("weights", layer) for layer in weights]
    array = finite.real("weights", weights)
    if array.ndim not in (2, 3, 4, 5):
        raise shape_mismatch("weights", WEIGHTS, array.shape)
    layers = [*array] if array.ndim > 3 else [array]
    return [_with_leading_axes("weights", layer) for layer in layers]


def _with_leading_axes(name: str, tensor: Any) -> np.ndarray:
    """With the axes batch and head, of length 1 where they are missing. Raises shape_mismatch."""
    array = finite.real(name, tensor)
    if not 2 <= array.ndim <= 4 or 0 in array.shape:
        last = "key" if name == "weights" else "width"
        raise shape_mismatch(name, f"(batch, head, token, {last}), none empty", array.shape)
    return array[(None,) * (4 - array.ndim)]


def _given_names(labels: dict[str, Any]) -> dict[str, Any]:
    return {role: names for role, names in labels.items() if names is not None}


def _weights_alone(array: np.ndarray, labels: dict[str, Any]) -> Trace:
    finite.check("weights", array)
    if array.min() < 0:
        raise out_of_range("weights", float(array.min()), "at least 0")
    if labels["key"] is None and array.shape[2] == array.shape[3]:
        labels = dict.fromkeys(labels, labels["query"])
    named = axes(*steps.PER_KEY, labels=named_sides(_given_names(labels)))
    return from_elsewhere(Trace([given("weights", array.copy(), named)]))


def from_elsewhere(trace: Trace) -> Trace:
    """The trace, whose given tensors another program computed, and whose weights are its own."""
    of = {Given("input"): Given("elsewhere"), Given("parameter"): Given("checkpoint")}
    return Trace(
        replace(stage, rule=of[stage.rule])
        if isinstance(stage.rule, Given) and stage.rule in of
        else stage
        for stage in trace.values()
    )


def with_mask(options: AttentionOptions, mask: Any) -> AttentionOptions:
    """The options with a mask as PyTorch has it: True where a query may attend, or added numbers.

    The least finite number, with which Hugging Face masks, means the same as −∞.
    """
    array = as_numpy(mask)
    if array.dtype == bool:
        return replace(options, allowed=array)
    numbers = finite.real("mask", array)
    least = np.finfo(numbers.dtype).min / 2 if numbers.dtype.kind == "f" else -np.inf
    hidden = numbers <= least
    added = np.where(hidden, 0, numbers)
    if hidden.any():
        options = replace(options, allowed=~hidden)
    return replace(options, bias=added) if added.any() else options


def with_output(trace: Trace, W_O: Any, b_O: np.ndarray | None = None) -> Trace:
    """The trace up to concat and output. W_O: as for ``trace_of``; b_O: (d_model,)."""
    head_output = trace["head_output"]
    heads, d_v = head_output.size("head"), head_output.size("d_v")
    matrix = finite.in_precision("W_O", finite.real("W_O", W_O), head_output.tensor.dtype)
    matrix = matrix.reshape(-1, matrix.shape[-1]) if matrix.ndim == 3 else matrix
    if matrix.ndim != 2 or len(matrix) != heads * d_v:
        raise shape_mismatch("W_O", f"({heads * d_v}, d_model)", matrix.shape)
    finite.check("W_O", matrix)
    concat = steps.concat(head_output)
    stages = [*trace.values(), *output_parameters(matrix, b_O, heads), concat]
    return Trace([*stages, steps.output(concat, matrix, b_O, heads)])
