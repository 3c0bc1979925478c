"""The prediction of the next token, as stages that end in probabilities."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core import finite, layers, ops
from core.limits import LISTED_TOKENS
from core.models.block import IN, normed_stream
from core.models.model import Model
from core.nested import as_input
from core.trace import Stage, Trace


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
    The stages are stream, those of the norm, last_vector, and those of ``core.layers.output_head``,
    where all tokens that are not listed are one outcome.
    Raises not_finite.
    """
    comes_in = as_input(stream, "stream", IN)
    norm = model.final_norm()
    normed = normed_stream(comes_in, norm)
    last = layers.last_token(normed[-1], "last_vector")
    logits = model.logits(last.tensor[0, 0])  # (vocabulary,)
    finite.check("logits", logits)
    likeliest = np.argsort(-logits, kind="stable")[:LISTED_TOKENS]
    left = np.delete(logits, likeliest).astype(np.float64)
    top = left.max(initial=-np.inf)
    others = (np.array([[top + np.log(np.exp(left - top).sum())]]), f"+ {len(left)}")
    head = layers.output_head(
        last,
        np.ascontiguousarray(model.output_rows(likeliest.tolist()).T),  # (d_model, listed)
        None,
        "vocabulary",
        [name_of(int(number)) for number in likeliest],
        others if len(left) else None,
    )
    trace = Trace([comes_in, *normed, last, *head])
    return Prediction(trace, ops.softmax(logits), tuple(map(int, likeliest)))
