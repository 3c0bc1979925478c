"""Dropout on the weights: one random mask, and the mean over many."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import Trace
from core.experiments.mistakes import farthest_sum
from core.experiments.sublayer import over_draws
from pages.understand.around.controls import Inputs
from views.figures.scale import Scale, round_up
from views.text import Words, numbers
from views.text.spans import Span, plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose
from views.widgets.sentence_input import token_names

DRAWS = 200
WIDE_CELLS = 4  # tokens, up to which cells can be wide


def dropped(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw the weights, the weights after dropout, and the mean over many dropout masks."""
    weights, names = trace["weights"], token_names(trace)
    one = trace["dropped" if inputs.dropout else "weights"]
    many = over_draws(weights, inputs.dropout, inputs.draw, DRAWS)
    shown = {
        "weights": weights.tensor[0, 0],
        "dropped": one.tensor[0, 0],
        texts.mean.format(draws=DRAWS): many.mean[0, 0],
    }
    scale = Scale("share", 0, round_up(max(float(values.max()) for values in shown.values())))
    grids(
        [
            Grid(
                title,
                values,
                scale,
                names,
                names,
                after=_sums(values),
                digits=numbers.DECIMALS,
                small=len(names) > WIDE_CELLS,
                sign=sign,
            )
            for (title, values), sign in zip(shown.items(), ("→", "", ""), strict=True)
        ],
        key="dropped",
    )
    if not inputs.dropout:
        prose([spans(texts.not_dropped)], key="dropped_reads")
        return
    mean_reads = spans(
        texts.mean_reads,
        draws=str(DRAWS),
        farthest=numbers.short(many.farthest),
        expected=numbers.short(many.expected),
    )
    prose([_draw(inputs, trace, names, texts), mean_reads], key="dropped_reads")
    st.caption(plain(texts.training))


def _draw(inputs: Inputs, trace: Trace, names: Sequence[str], texts: Words) -> list[Span]:
    """A sentence on what this dropout mask changed."""
    keep = trace["keep"].tensor
    if not keep.any():
        return spans(texts.all_dropped, count=str(keep.size))
    row, total = farthest_sum(trace["dropped"].tensor[0, 0])
    return spans(
        texts.dropped_reads,
        dropped=str(int((~keep).sum())),
        count=str(keep.size),
        factor=numbers.short(1 / (1 - inputs.dropout)),
        token=(names[row], "query"),
        sum=numbers.plain(total),
    )


def _sums(weights: np.ndarray) -> list[str]:
    return [f"Σ {numbers.plain(total)}" for total in weights.sum(axis=1)]
