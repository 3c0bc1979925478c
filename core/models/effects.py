"""What each head of a decoder does for one token: every head is muted in turn.

"Are Sixteen Heads Really Better than One?" (Michel et al., 2019), section 3.2, for one prediction.
A run begins at the layer of the muted head with the stream of the unchanged run, and the runs of
many heads pass a layer together, so that its matrices are read once for all of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core import finite
from core.interventions import Change, Interventions
from core.models import forward
from core.models.incremental import Passed
from core.models.model import Layer, Model

ROWS = 2**10  # tokens, of all runs that pass a layer together


@dataclass(frozen=True)
class Effect:
    """What muting a head does. layer, head: from 1.

    change: of ln p of the token that is asked for. likeliest: the id of the next token then.
    """

    layer: int
    head: int
    change: float
    likeliest: int


def effects(
    model: Model,
    passed: Passed,
    target: int,
    progress: Callable[[int, int], None] | None = None,
    known: int = 0,
    of: Sequence[tuple[int, int]] | None = None,
) -> Iterator[Effect]:
    """Yields the effect of every head in order, some layers at a time.

    model: a decoder with its norms in front. passed: of the text, by this model. target: the id of
    a token that may come next. progress: called after each layer of each group of runs with the
    work that is done and in all; its exceptions end the run and propagate. known: the number of
    heads whose effects are known, by a run that was ended. of: some heads alone, by layer and head
    from 0, in order. Raises not_finite.
    """
    config = model.config
    every = (
        [*of]
        if of
        else [(layer, head) for layer in range(config.layers) for head in range(config.heads)]
    )
    at_once = max(1, ROWS // len(passed.ids))
    groups = [every[first : first + at_once] for first in range(known, len(every), at_once)]
    work = sum(config.layers - layer for layer, _ in every)
    done = sum(config.layers - layer for layer, _ in every[:known])
    unchanged = passed.streams[-1][-1:]

    def counted(runs: int) -> None:
        nonlocal done
        done += runs
        if progress:
            progress(done, work)

    for group in groups:
        rows = np.concatenate([unchanged, _last_rows(model, passed, group, counted)])
        (before, *found), (_, *likeliest) = log_probability(model, rows, target)
        for (layer, head), after, token in zip(group, found, likeliest, strict=True):
            yield Effect(layer + 1, head + 1, float(after - before), int(token))


def each_muted(
    probabilities: Callable[[Interventions], np.ndarray],
    interventions: Interventions,
    shape: tuple[int, int],
    target: int,
    progress: Callable[[int, int], None] | None = None,
    known: int = 0,
    part: str = "encoder",
) -> Iterator[Effect]:
    """Yields the effect of every head in order, by one whole run of a small model for each.

    probabilities: of the outcomes, (outcome,), with changes; those given to it end with the muted
    head. interventions: those of the model.
    shape: layers and heads. part: of ``Change``. The rest as for ``effects``.
    """
    layers, heads = shape
    before = probabilities(interventions)[target]
    for number in range(known, layers * heads):
        layer, head = number // heads + 1, number % heads + 1
        muted = (*interventions.changes, Change("mute", layer, head, part=part))
        after = probabilities(replace(interventions, changes=muted))
        if progress:
            progress(number + 1, layers * heads)
        change = float(np.log(after[target]) - np.log(before))
        yield Effect(layer, head, change, int(after.argmax()))


def log_probability(model: Model, rows: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """ln p of a next token, and the likeliest one, by rows behind the last layer, (run, d_model).

    Both (run,). Raises not_finite.
    """
    logits = model.logits(forward.normed(rows, model.final_norm()))  # (run, vocabulary)
    finite.check("logits", logits)
    top = logits.max(axis=-1, keepdims=True)
    total = np.exp(logits - top).sum(axis=-1, dtype=np.float64)
    return logits[:, target] - top[:, 0] - np.log(total), logits.argmax(axis=-1)


def _last_rows(
    model: Model, passed: Passed, group: list[tuple[int, int]], counted: Callable[[int], None]
) -> np.ndarray:
    """The last token's vector behind the last layer, each with one head muted: (run, d_model).

    group: layer and head of each run, from 0, in order.
    """
    layers = model.config.layers
    x = passed.streams[0][None][:0]  # (run, token, d_model)
    for number in range(group[0][0], layers):
        layer, last = model.layer(number + 1), number == layers - 1
        x = _passed_on(x, layer, last) if len(x) else x[:, -1:] if last else x
        muted = [head for at, head in group if at == number]
        if muted:
            made = _without_heads(passed, layer, number, muted, last)
            x = np.concatenate([x, made])
        finite.check(f"layer {number + 1}", x)
        counted(len(x))
    return x[:, -1]


def _passed_on(x: np.ndarray, layer: Layer, last: bool) -> np.ndarray:
    """The output of a layer for several runs, (run, token, d_model); of the last token if last."""
    x = forward.entering(x, layer)
    X = forward.normed(x, layer.attention_norm)
    cache = forward.key_values(X, layer)
    if last:
        x, X = x[:, -1:], X[:, -1:]
    return _behind(x, forward.attention(X, layer, True, cache=cache), layer)


def _without_heads(
    passed: Passed, layer: Layer, number: int, heads: list[int], last: bool
) -> np.ndarray:
    """The output of a layer, from 0, without each of these heads: as from ``_passed_on``."""
    x = forward.entering(passed.streams[number], layer)
    if last:
        x = x[-1:]
    X = forward.normed(x, layer.attention_norm)
    cache, W_O = passed.caches[number], layer.attention["W_O"]
    outputs = forward.head_outputs(X, layer, True, cache=cache)  # (head, token, d_v)
    by_head = W_O.reshape(layer.heads, -1, W_O.shape[1])
    left = forward.mixed(outputs, layer) - outputs[heads] @ by_head[heads]  # (run, token, d_model)
    return _behind(np.broadcast_to(x, left.shape), left, layer)


def _behind(x: np.ndarray, output: np.ndarray, layer: Layer) -> np.ndarray:
    """The output of a layer, by what enters it and the output of its attention."""
    flat = (-1, x.shape[-1])
    made = forward.pre_norm_output(x.reshape(flat), output.reshape(flat), layer)
    return made.reshape(x.shape)
