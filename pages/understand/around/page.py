from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import Trace, ops
from core.around import LAYER_NORM_EPSILON
from core.experiments import sublayer
from core.experiments.mistakes import farthest_sum
from core.experiments.sublayer import by_order, over_draws
from pages.understand.around.cards import code, feed_forward, residual, vectors
from pages.understand.around.controls import WEIGHTS, Inputs, around_input, first, move_input
from views.figures.scale import Scale, round_up, signed_scale
from views.preferences import in_language, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, plain, spans
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.sentence_input import token_names

VISIBLE = 0.005  # the difference from which on two printed numbers differ


def normalised(trace: Trace, texts: Words) -> None:
    """Draw LayerNorm, and LayerNorm of a scaled and shifted input."""
    names = token_names(trace)
    residual, result = (trace[key].tensor[0] for key in ("residual", "normalised"))
    grids(
        [
            _measured("residual", residual, names, texts, "→"),
            _measured("normalised", result, names, texts),
        ],
        key="normalised",
    )
    prose([_before_and_after(residual, result, names, texts)], key="normalised_reads")
    factor, shift = move_input(texts)
    changed = sublayer.moved(residual, factor, shift)
    again = ops.layer_norm(changed, LAYER_NORM_EPSILON)
    sign = numbers.MINUS if shift < 0 else "+"
    title = texts.moved.format(factor=numbers.bare(factor), shift=f"{sign} {abs(shift)}")
    grids(
        [_measured(title, changed, names, texts, "→"), _measured(texts.again, again, names, texts)],
        key="moved",
    )
    difference = float(np.abs(again - result).max())
    template = texts.forgets_reads if difference < VISIBLE else texts.epsilon_reads
    fields = (
        {"epsilon": numbers.short(LAYER_NORM_EPSILON)} if template is texts.epsilon_reads else {}
    )
    reads = spans(
        template,
        factor=numbers.bare(factor),
        shift=numbers.plain(shift, 0),
        difference=numbers.short(difference),
        **fields,
    )
    prose([reads], key="moved_reads")


def norm_orders(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw the sublayer with the norm behind it and before it, and with RMSNorm."""
    names = token_names(trace)
    grids(
        [
            _measured(texts.position[name], values, names, texts)
            for name, values in by_order(trace, WEIGHTS, inputs.options).items()
        ],
        key="positions",
    )
    prose([spans(text) for text in texts.positions_read], key="positions_read")


def _before_and_after(
    residual: np.ndarray, result: np.ndarray, names: Sequence[str], texts: Words
) -> list[Span]:
    """A sentence on the row whose mean and standard deviation LayerNorm changes most."""
    means, deviations = sublayer.mean_and_deviation(residual)
    new_means, new_deviations = sublayer.mean_and_deviation(result)
    row = int(np.hypot(means, deviations - 1).argmax())
    return spans(
        texts.normalised_reads,
        token=(names[row], "query"),
        mean=numbers.plain(means[row]),
        deviation=numbers.plain(deviations[row]),
        new_mean=numbers.plain(new_means[row]),
        new_deviation=numbers.plain(new_deviations[row]),
    )


def _measured(
    title: str, values: np.ndarray, names: Sequence[str], texts: Words, sign: str = ""
) -> Grid:
    """A matrix with mean and standard deviation behind each row."""
    after = [
        texts.spread.format(mean=numbers.plain(mean), deviation=numbers.short(deviation))
        for mean, deviation in zip(*sublayer.mean_and_deviation(values), strict=True)
    ]
    return vectors(title, values, names, signed_scale(values, rounded=True), after, sign)


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


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(lambda: around_input(texts), Inputs.trace, first(), words())
with st.container(border=True, key="dropped_card"):
    heading(texts.dropout)
    dropped(inputs, trace, texts)
with st.container(border=True, key="residual_card"):
    heading(texts.residual)
    residual(trace, texts)
with st.container(border=True, key="normalised_card"):
    heading(texts.normalised)
    normalised(trace, texts)
with st.container(border=True, key="places_card"):
    heading(texts.norm_positions)
    norm_orders(inputs, trace, texts)
with st.container(border=True, key="feed_forward_card"):
    heading(texts.feed_forward)
    feed_forward(trace, texts)
code(texts)
lesson.footer(texts.lesson, words())
