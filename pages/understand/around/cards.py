"""The residual connection, the feed-forward layer, and the source code of all steps."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import Trace, ops
from core.around import LAYER_NORM_EPSILON
from core.experiments import sublayer
from core.experiments.sublayer import WIDER, by_order, seeded_feed_forward
from core.layers import FeedForward
from pages.understand.around.controls import D_MODEL, SEED
from views.figures.scale import Scale, signed_scale
from views.text import Words, numbers
from views.text.spans import mathematics, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose, source_code
from views.widgets.sentence_input import token_names

NONE = "—"


def residual(trace: Trace, texts: Words) -> None:
    """X + output = residual, with the cosine of each row with that of X."""
    names = token_names(trace)
    X, output, residual = (trace[key].tensor[0] for key in ("X", "output", "residual"))
    scale = signed_scale(X, output, residual, rounded=True)
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
            alone=numbers.plain(alone[row]),
            together=numbers.plain(together[row]),
        )
        prose([reads], key="residual_reads")


def code(texts: Words) -> None:
    """Where the weights come from, and the source code of the steps."""
    st.caption(mathematics(texts.origin.format(d_model=D_MODEL, seed=SEED)))
    source_code(
        texts.code, ops.apply_dropout, ops.add, ops.layer_norm, by_order, FeedForward.stages,
        wrap_lines=True,
    )  # fmt: skip


def cosines(values: np.ndarray, texts: Words) -> list[str]:
    """The text behind each row; a row of zeros has no cosine."""
    return [
        texts.cosine.format(cosine=NONE if np.isnan(cosine) else numbers.plain(cosine))
        for cosine in values
    ]


def vectors(
    title: str,
    values: np.ndarray,
    names: Sequence[str],
    scale: Scale,
    after: Sequence[str],
    sign: str = "",
) -> Grid:
    """A matrix (token, d_model). after: the text behind each row."""
    return Grid(
        title,
        values,
        scale,
        names,
        column_role="d_model",
        after=after,
        digits=numbers.DECIMALS,
        small=True,
        sign=sign,
    )


def feed_forward(trace: Trace, texts: Words) -> None:
    """Draw x → hidden → FFN(x), and LayerNorm(x + FFN(x)), which goes to the next layer."""
    names, x = token_names(trace), trace["normalised"]
    made = {stage.key: stage.tensor for stage in seeded_feed_forward(D_MODEL, SEED).stages(x)}
    hidden, output = made["hidden"][0], made["output"][0]
    last = ops.layer_norm(ops.add(x.tensor[0], output), LAYER_NORM_EPSILON)
    drawn = (
        ("x = normalised", x.tensor[0], "→"),
        ("hidden = ReLU(x W_1 + b_1)", hidden, "→"),
        ("FFN(x) = hidden W_2 + b_2", output, "→"),
        ("LayerNorm(x + FFN(x))", last, ""),
    )
    grids(
        [
            vectors(title, values, names, signed_scale(values, rounded=True), (), sign)
            for title, values, sign in drawn
        ],
        key="fed_forward",
    )
    reads = spans(
        texts.feed_forward_reads,
        d_model=str(D_MODEL),
        d_ff=str(WIDER * D_MODEL),
        zeros=str(int(np.count_nonzero(hidden == 0))),
        count=str(hidden.size),
        feed_forward=str(2 * WIDER * D_MODEL**2),
        attention=str(4 * D_MODEL**2),
    )
    prose([reads], key="feed_forward_reads")
