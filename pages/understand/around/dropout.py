"""Dropout on the weights: one draw, and the mean of many."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import Trace
from core.experiments.damage import farthest_sum
from core.experiments.dropout import over_draws
from pages.understand.around.controls import Around
from pages.understand.around.words import AroundWords
from views import numbers
from views.figures.scale import Scale, round_up
from views.spans import Span, plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose
from views.widgets.sentence_line import token_names

DRAWS = 200
ROOMY = 4  # tokens, up to which cells can be wide


def dropped(given: Around, trace: Trace, texts: AroundWords) -> None:
    """The weights, one draw of them, and the mean of many draws."""
    weights, names = trace["weights"], token_names(trace)
    one = trace["dropped" if given.dropout else "weights"]
    many = over_draws(weights, given.dropout, given.draw, DRAWS)
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
                digits=2,
                small=len(names) > ROOMY,
                sign=sign,
            )
            for (title, values), sign in zip(shown.items(), ("→", "", ""), strict=True)
        ],
        key="dropped",
    )
    if not given.dropout:
        prose([spans(texts.not_dropped)], key="dropped_reads")
        return
    mean_reads = spans(
        texts.mean_reads,
        draws=str(DRAWS),
        farthest=numbers.short(many.farthest),
        expected=numbers.short(many.expected),
    )
    prose([_draw(given, trace, names, texts), mean_reads], key="dropped_reads")
    st.caption(plain(texts.training))


def _draw(given: Around, trace: Trace, names: Sequence[str], texts: AroundWords) -> list[Span]:
    """What this draw did to the weights."""
    keep = trace["keep"].tensor
    if not keep.any():
        return spans(texts.all_dropped, count=str(keep.size))
    row, total = farthest_sum(trace["dropped"].tensor[0, 0])
    return spans(
        texts.dropped_reads,
        dropped=str(int((~keep).sum())),
        count=str(keep.size),
        factor=numbers.short(1 / (1 - given.dropout)),
        token=(names[row], "query"),
        sum=numbers.plain(total, 2),
    )


def _sums(weights: np.ndarray) -> list[str]:
    return [f"Σ {numbers.plain(total, 2)}" for total in weights.sum(axis=1)]
