"""The prediction of the next token, as stages that end in probabilities."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core import finite, layers, ops
from core.limits import LISTED_TOKENS
from core.models import forward
from core.models.block import IN, normed_stream
from core.models.model import Model
from core.nested import as_input
from core.trace import Stage, Trace


@dataclass(frozen=True)
class Listed:
    """The likeliest of all tokens, and what the others come to.

    numbers: ids, likeliest first. probabilities: theirs, among all tokens. others: the logsumexp of
    the logits of all other tokens; left: how many these are.
    """

    numbers: tuple[int, ...]
    probabilities: tuple[float, ...]
    others: float
    left: int


@dataclass(frozen=True, eq=False)
class Prediction:
    """The trace of the language model head, and the probabilities of all tokens.

    probabilities: (vocabulary,). likeliest: ids of the tokens in the trace, likeliest first.
    """

    trace: Trace
    probabilities: np.ndarray
    likeliest: tuple[int, ...]


def predict(model: Model, stream: Stage, name_of: Callable[[int], str]) -> Prediction:
    """The next token: softmax(norm(stream)_n W_P) for the last vector ("Language Models are
    Unsupervised Multitask Learners", Radford et al., 2019, section 2).

    stream: output of the last layer, (batch, token, d_model). name_of: the text of a token's id.
    Raises not_finite.
    """
    last = forward.normed(stream.tensor[0, -1:], model.final_norm())[0]
    logits = model.logits(last)  # (vocabulary,)
    finite.check("logits", logits)
    found = listed(logits)
    return Prediction(
        prediction_trace(model, stream, found, name_of), ops.softmax(logits), found.numbers
    )


def listed(logits: np.ndarray, also: int | None = None) -> Listed:
    """The tokens of the largest logits. logits: (vocabulary,). also: a token listed in any case."""
    most = min(LISTED_TOKENS, len(logits))
    largest = np.argpartition(-logits, most - 1)[:most]
    numbers = largest[np.lexsort((largest, -logits[largest]))].tolist()
    if also is not None and also not in numbers:
        numbers.append(also)
    left = np.delete(logits, numbers).astype(np.float64)
    top = left.max(initial=-np.inf)
    others = float(top + np.log(np.exp(left - top).sum())) if len(left) else -np.inf
    outcomes = ops.softmax(np.array([*logits[numbers], others], np.float64))
    return Listed(tuple(numbers), tuple(outcomes[:-1].tolist()), others, len(left))


def prediction_trace(
    model: Model, stream: Stage, found: Listed, name_of: Callable[[int], str]
) -> Trace:
    """The stages from a stream to the probabilities of the listed tokens.

    stream: (batch, token, d_model); found: what is likeliest behind its last vector.
    The stages are stream, those of the norm, last_vector, and those of ``core.layers.output_head``,
    where all tokens that are not listed are one outcome.
    """
    comes_in = as_input(stream, "stream", IN)
    normed = normed_stream(comes_in, model.final_norm())
    last = layers.last_token(normed[-1], "last_vector")
    head = layers.output_head(
        last,
        np.ascontiguousarray(model.output_rows(found.numbers).T),  # (d_model, listed)
        None,
        "vocabulary",
        [name_of(number) for number in found.numbers],
        (np.array([[found.others]]), f"+ {found.left}") if found.left else None,
    )
    return Trace([comes_in, *normed, last, *head])
