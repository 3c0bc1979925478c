"""Frequent questions about shapes and matrices, answered with the numbers of the trace."""

import numpy as np
import streamlit as st

from core import Stage, Trace, ops
from core.experiments import cross
from pages.understand.cross.cards import in_head
from pages.understand.cross.controls import Pair
from views.figures.axis import shortened
from views.figures.scale import Scale
from views.text import Words, numbers
from views.text.spans import Span, mathematics, plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.table import table


def questions(pair: Pair, trace: Trace, texts: Words) -> None:
    """Draw the questions and answers."""
    Q, K, scores = (trace[key] for key in ("Q", "K", "scores"))
    heading(texts.questions)
    with st.expander(plain(texts.lengths)):
        fields: dict[str, str | Span] = {
            "n_q": (str(Q.size("query")), "query"),
            "n_k": (str(K.size("key")), "key"),
            "d_k": (str(Q.size("d_k")), "d_k"),
            "Q": in_head(Q),
            "K": in_head(K),
            "scores": in_head(scores),
            "output": in_head(trace["output"]),
        }
        prose([spans(line, **fields) for line in texts.lengths_read], key="lengths_read")
    with st.expander(plain(texts.four.format(shape=Q.tensor.shape))):
        _four(Q, K, scores, texts)
    with st.expander(plain(texts.again)):
        _again(pair, trace, texts)


def _four(Q: Stage, K: Stage, scores: Stage, texts: Words) -> None:
    shown = {"Q": Q, "K": K, "scores": scores}
    columns = [texts.ordinals, texts.meanings]
    for stage in shown.values():
        sizes = zip(stage.roles, stage.tensor.shape, strict=True)
        columns.append(tuple(mathematics(f"{role} {size}") for role, size in sizes))
    table((texts.number, texts.meaning, *shown), list(zip(*columns, strict=True)))
    same = Q.tensor.shape == scores.tensor.shape
    read = texts.four_same if same else texts.four_read
    shape = str(scores.tensor.shape)
    prose([spans(read, shape=shape), spans(texts.four_batch)], key="four_read")


def _again(pair: Pair, trace: Trace, texts: Words) -> None:
    x = trace["X"].tensor
    gram = ops.dot_product_scores(x, x)[0]  # (token, token)
    scores = pair.attend(None)["scores"].tensor[0, 0]
    tokens = [shortened(token) for token in pair.query_tokens]
    prose(
        [
            spans(
                texts.again_read,
                symmetric=numbers.difference(cross.asymmetry(gram)),
                asymmetric=numbers.difference(cross.asymmetry(scores)),
            )
        ],
        key="again_read",
    )
    corners = np.zeros(scores.shape, dtype=bool)
    corners[0, -1] = corners[-1, 0] = len(tokens) > 1
    if len(tokens) > 1:
        prose(
            [
                spans(
                    texts.again_pair,
                    a=(tokens[0], "query"),
                    b=(tokens[-1], "key"),
                    one=numbers.short(float(gram[0, -1])),
                    there=numbers.short(float(scores[0, -1])),
                    back=numbers.short(float(scores[-1, 0])),
                )
            ],
            key="again_pair",
        )
    grids(
        [
            Grid(
                title, values, Scale("signed", -high, high), tokens, tokens,
                marked=corners, note=note, digits=numbers.DECIMALS, small=True,
            )
            for title, values, note in (
                ("X Xᵀ", gram, ""), ("Q Kᵀ", scores, texts.first_head),
            )
            for high in (float(np.abs(values).max()),)
        ],
        key="again",
    )  # fmt: skip
