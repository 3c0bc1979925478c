"""Printed numbers and claims of study notes, to be checked against the computed ones.

Numbers are stored as printed, so that their number of digits is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

import numpy as np

from core import masks, ops
from core.exercises.judging import Guess
from core.exercises.proofreading import Print
from core.experiments.heads import contributions
from core.experiments.recurrent import RecurrentNet, jacobians
from core.models.by_hand import Sheet
from core.models.worked import D4_H2, WO_AI_BEIJING
from core.shapes import attention_cost
from core.sources import text
from core.trace import Trace
from core.weights import Weights

CAUSAL = WO_AI_BEIJING.with_options(causal=True)
D_MODEL, HEADS, SEED = 512, 8, 7


@dataclass(frozen=True)
class Erratum:
    """A printed claim, the sheet that it is about, and the cell that shows the correct number.

    cell: index into the stage's tensor. printed: the numbers; None for a claim without numbers.
    rests_on: names of the errata from which these numbers follow.
    """

    name: str
    sheet: Sheet
    stage: str
    cell: tuple[int, ...]
    printed: Print | None = None
    rests_on: tuple[str, ...] = ()


def _printed(stage: str, lines: str, head: int = 0, row: int = 0) -> Print:
    """Printed numbers from text, with rows separated by semicolons."""
    numbers = tuple(tuple(map(_guess, line.split())) for line in lines.split(";"))
    return Print(stage, numbers, head, row)


def _guess(text: str) -> Guess:
    unit = Decimal((0, (1,), int(Decimal(text).as_tuple().exponent)))
    return Guess(float(text), float(unit))


_ALL = (
    Erratum("q1", D4_H2, "Q", (0, 0, 0, 1), _printed("Q", "0.85 -0.05; -0.29 0.74")),
    Erratum("q2", D4_H2, "Q", (0, 1, 0, 1), _printed("Q", "2.15 0.65; -1.32 1.02", head=1)),
    Erratum(
        "softmax_row_2", CAUSAL, "weights", (0, 0, 1, 0),
        _printed("weights", "0.31 0.69", row=1),
    ),
    Erratum(
        "output_row_2", CAUSAL, "head_output", (0, 0, 1, 0),
        _printed("head_output", "16.9", row=1), ("softmax_row_2",),
    ),
    Erratum(
        "output_row_3", CAUSAL, "head_output", (0, 0, 2, 0),
        _printed("head_output", "26", row=2),
    ),
    Erratum("double_division", D4_H2, "concat", (0, 0, 2)),
    Erratum("orthogonal", D4_H2, "Q", (0, 1, 0, 0)),
    Erratum("source_causal", WO_AI_BEIJING, "weights", (0, 0, 0, 2)),
    Erratum("mask_zero", CAUSAL, "weights", (0, 0, 0, 1)),
    Erratum("column_convention", D4_H2, "Q", (0, 0, 0, 0)),
    Erratum("parameter_count", D4_H2, "output", (0, 0, 0)),
    Erratum("nonlinear_combination", D4_H2, "output", (0, 1, 1)),
    Erratum("rnn_previous_word", CAUSAL, "weights", (0, 0, 2, 0)),
    Erratum("subject_predicate", WO_AI_BEIJING, "scores", (0, 0, 0, 2)),
)  # fmt: skip
ERRATA: Mapping[str, Erratum] = MappingProxyType({one.name: one for one in _ALL})


def in_order(erratum: Erratum) -> list[Print]:
    """All printed numbers that lead to an erratum, and its own."""
    names = (*erratum.rests_on, erratum.name)
    return [one for name in names if (one := ERRATA[name].printed) is not None]


def mask_filled_with_zero() -> tuple[np.ndarray, np.ndarray]:
    """Weights of 我爱北京 with masked scores set to 0 and to −∞: (query, key) each."""
    trace = CAUSAL.trace()
    scaled = trace["scaled"].tensor[0, 0]
    filled = np.where(masks.causal(3, 3), scaled, 0)
    return ops.softmax(filled), trace["weights"].tensor[0, 0]


def source_masked() -> tuple[np.ndarray, np.ndarray]:
    """Weights of 我爱北京 with the causal mask and without it: (query, key) each."""
    one, other = (sheet.trace()["weights"].tensor[0, 0] for sheet in (CAUSAL, WO_AI_BEIJING))
    return one, other


def overlap_of_heads() -> np.ndarray:
    """Cosines of the columns of W^Q of two heads; all 0 if their subspaces were orthogonal."""
    one, other = (W / np.linalg.norm(W, axis=0) for W in D4_H2.matrices["W_Q"])
    return one.T @ other  # (d_k of head 1, d_k of head 2)


def by_rows_and_columns() -> tuple[np.ndarray, np.ndarray]:
    """Q of head 1 with tokens as rows, X W, and with tokens as columns, Wᵀ Xᵀ."""
    X, W = D4_H2.matrices["X"], D4_H2.matrices["W_Q"][0]
    return X @ W, W.T @ X.T


def added_by_heads() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The contributions of head 1 and of head 2, and the output: (query, d_model) each."""
    trace = D4_H2.trace()
    matrices = D4_H2.matrices
    W_Q, W_K, W_V = (np.concatenate(list(matrices[name]), axis=1) for name in ("W_Q", "W_K", "W_V"))
    weights = Weights(W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=matrices["W_O"], heads=2)
    parts = contributions(trace["head_output"].tensor, weights)
    return parts[0, 0], parts[0, 1], trace["output"].tensor[0]


def left_of_the_words() -> np.ndarray:
    """The sensitivity of the last state of a seeded recurrent net to each word of 我爱北京.

    The norm of ∂h_3/∂x_j, (word,); spectral radius 0.9.
    """
    source: Trace = text.embed([list(WO_AI_BEIJING.tokens)], 8, SEED)
    net = RecurrentNet.seeded(8, 8, 0.9, SEED)
    answers = jacobians(net, source["X"].tensor[0])[-1]  # (word, width, d_model)
    return np.linalg.norm(answers, ord=2, axis=(1, 2))


def parameters() -> tuple[int, int]:
    """The parameters of Q, K and V, and with those of W^O, for d_model = 512 and 8 heads."""
    counted = attention_cost(1, D_MODEL, HEADS)
    return counted.projections, counted.parameters


def divided() -> tuple[int, int, int]:
    """d_model / h, that divided by h again, and the resulting width of concat."""
    once = D_MODEL // HEADS
    return once, once // HEADS, HEADS * (once // HEADS)
