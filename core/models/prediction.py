"""The prediction of the next token, as stages that end in probabilities."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core import finite, layers, ops
from core.limits import LISTED_PIECES, LISTED_TOKENS
from core.models import forward
from core.models.block import IN, normed_stream
from core.models.model import Model
from core.nested import as_input
from core.rules import Constant, Product
from core.trace import Stage, Trace

Others = tuple[np.ndarray, str]  # as for ``core.layers.output_head``


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
    others = (np.array([[found.others]]), f"+ {found.left}") if found.left else None
    head = _head(model, last, found.numbers, others, name_of)
    return Trace([comes_in, *normed, last, *head])


def predict_rows(
    model: Model, stream: Stage, following: Sequence[int], name_of: Callable[[int], str]
) -> Trace:
    """The tokens that the decoder of an encoder–decoder writes: a distribution for every row.

    stream: output of the last layer, (batch, token, d_model). following: ids that are outcomes of
    their own beside the likeliest of every row. name_of: the text of a token's id.
    The stages are those of ``predict``, with all rows in place of last_vector, and X_scaled behind
    the norm where the model has such a factor. Without a norm X is the first one.
    Raises not_finite.
    """
    if model.names.final_norm:
        comes_in = as_input(stream, "stream", IN)
        before = [comes_in, *normed_stream(comes_in, model.final_norm())]
    else:
        before = [as_input(stream, "X", IN, "last_vectors")]
    if model.config.output_scale != 1:
        before.append(scaled(before[-1], model.config.output_scale))
    x = before[-1]
    logits = model.logits(x.tensor[0])  # (token, vocabulary)
    finite.check("logits", logits)
    listed, others = outcomes(logits, following, LISTED_PIECES)
    return Trace([*before, *_head(model, x, listed, others, name_of)])


def scaled(X: Stage, scale: float) -> Stage:
    """X times 1 / √d_model, as T5 has it in front of a tied head."""
    symbol = r"1/\sqrt{d_{\text{model}}}"
    tensor = X.tensor * np.float32(scale)
    rule = Product((X.operand, Constant(scale, symbol)))
    formula = r"\text{X\_scaled} = \frac{X}{\sqrt{d_{\text{model}}}}"
    return Stage("X_scaled", formula, tensor, X.axes, rule)


def outcomes(
    logits: np.ndarray, following: Sequence[int], most: int
) -> tuple[list[int], Others | None]:
    """The ids that are outcomes of their own, and all others as one; None if there are none.

    logits: (position, vocabulary). following: ids that are listed first; then come so many of the
    likeliest ones of every position. The others: their logsumexp, (batch 1, position), and a name.
    """
    likeliest = [largest_of(row, most) for row in logits]
    listed = list(dict.fromkeys([*following, *np.array(likeliest).T.ravel().tolist()]))
    left = logits.shape[1] - len(listed)
    if not left:
        return listed, None
    rest = np.array([_logsumexp(np.delete(row, listed)) for row in logits])
    return listed, (rest[None], f"+ {left}")


def largest_of(row: np.ndarray, most: int) -> np.ndarray:
    """The indices of the largest numbers, largest first; of equal ones the first comes first."""
    least = np.partition(row, -most)[-most] if most < len(row) else -np.inf
    found = np.flatnonzero(row >= least)
    largest: np.ndarray = found[np.argsort(-row[found], kind="stable")][:most]
    return largest


def _logsumexp(logits: np.ndarray) -> float:
    numbers, top = logits.astype(np.float64), float(logits.max())
    return top + float(np.log(np.exp(numbers - top).sum()))


def _head(
    model: Model,
    x: Stage,
    listed: Sequence[int],
    others: Others | None,
    name_of: Callable[[int], str],
) -> list[Stage]:
    """The stages of the language model head, for the tokens that are listed."""
    W = np.ascontiguousarray(model.output_rows(listed).T)  # (d_model, listed)
    b = None if model.output_bias is None else model.output_bias[list(listed)]
    names = [name_of(one) for one in listed]
    return layers.output_head(x, W, b, "vocabulary", names, others)
