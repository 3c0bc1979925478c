"""LayerNorm: its input and output, and its invariance to scale and shift of a row."""

from collections.abc import Sequence

import numpy as np

from core import Trace, ops
from core.around import LAYER_NORM_EPSILON
from core.experiments import sublayer
from core.experiments.sublayer import by_order
from pages.understand.around.cards import vectors
from pages.understand.around.controls import WEIGHTS, Inputs, move_input
from views.figures.scale import signed_scale
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose
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
