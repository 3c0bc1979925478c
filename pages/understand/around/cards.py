"""The residual connection, and the source code of the steps around attention."""

import inspect

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import sublayer
from core.experiments.sublayer import by_order
from core.layers import FeedForward
from pages.understand.around.controls import D_MODEL, SEED
from pages.understand.around.grids import signed, vectors
from views.text import Words, numbers
from views.text.spans import mathematics, spans
from views.widgets.grids import grids
from views.widgets.prose import prose
from views.widgets.sentence_line import token_names

NONE = "—"


def added(trace: Trace, texts: Words) -> None:
    """X + output = residual, with the cosine of each row with that of X."""
    names = token_names(trace)
    X, output, residual = (trace[key].tensor[0] for key in ("X", "output", "residual"))
    scale = signed(X, output, residual)
    alone, together = sublayer.cosine(output, X), sublayer.cosine(residual, X)
    behind = ((), cosines(alone, texts), cosines(together, texts))
    grids(
        [
            vectors(title, values, names, scale, after, sign)
            for title, values, after, sign in zip(
                ("X", "output", "residual"),
                (X, output, residual),
                behind,
                ("+", "=", ""),
                strict=True,
            )
        ],
        key="residual",
    )
    closer = together - alone
    if not np.isnan(closer).all():
        row = int(np.nanargmax(closer))
        reads = spans(
            texts.residual_reads,
            token=(names[row], "query"),
            alone=numbers.plain(alone[row], 2),
            together=numbers.plain(together[row], 2),
        )
        prose([reads], key="residual_reads")


def code(texts: Words) -> None:
    """Where the weights come from, and the source code of the steps."""
    st.caption(mathematics(texts.origin.format(d_model=D_MODEL, seed=SEED)))
    with st.expander(texts.code):
        for verb in (ops.apply_dropout, ops.add, ops.layer_norm, by_order, FeedForward.stages):
            st.code(inspect.getsource(verb), language="python", wrap_lines=True)


def cosines(values: np.ndarray, texts: Words) -> list[str]:
    """The text behind each row; a row of zeros has no cosine."""
    return [
        texts.cosine.format(cosine=NONE if np.isnan(cosine) else numbers.plain(cosine, 2))
        for cosine in values
    ]
