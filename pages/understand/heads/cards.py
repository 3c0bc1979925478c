"""The cost of heads, and the attention pattern of each."""

from collections.abc import Sequence

import streamlit as st

from core import Trace, cost, shapes
from core.experiments.heads import divisors, spread
from pages.understand.heads.controls import Inputs
from views.figures.chart import Figure, bars, chart
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import scale_of
from views.preferences import theme
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.chart import show_chart
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.sentence_line import token_names
from views.widgets.table import table

COUNTED = ("parameters", "projections", "scores", "weighted_sum", "output", "weights")


def price(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw the cost for every number of heads, as bars and as a table."""
    n = trace["X"].size("token")
    costs = [shapes.attention_cost(n, inputs.d_model, h) for h in divisors(inputs.d_model)]
    heading(texts.cost)
    left, right = st.columns([1, 1.4], gap="medium", vertical_alignment="center")
    with left:
        figure = _equal_bars(costs, inputs.heads, texts, theme())
        show_chart(figure, key="bars", alt=texts.cost)
    with right:
        rows = []
        for one in costs:
            row = [one.heads, one.d_k, *(getattr(one, name) for name in COUNTED)]
            printed = [numbers.count(value) for value in row]
            rows.append(
                [f"**{text}**" for text in printed] if one.heads == inputs.heads else printed
            )
        table(texts.columns, rows)
    mine = costs[divisors(inputs.d_model).index(inputs.heads)]
    learnt = {key: cost.stage_cost(trace[key]).parameters for key in shapes.MATRICES}
    sentence = {
        "inward": sum(learnt[key] for key in ("W_Q", "W_K", "W_V")),
        "outward": learnt["W_O"],
        "scores": mine.scores,
        "weights": mine.weights,
        "d_model": inputs.d_model,
        "n": n,
    }
    fields = {name: numbers.count(value) for name, value in sentence.items()}
    prose([spans(texts.cost_says, **fields)], key="cost_says")


def _equal_bars(
    costs: Sequence[shapes.HeadsCost], chosen: int, texts: Words, theme: Theme
) -> Figure:
    """Stacked bars of the multiply-adds for Q, K and V, attention, and output, by number of heads.

    chosen: the number of heads whose bar is not faded.
    """
    colours = (
        role_colour("d_model", theme), PALETTES[theme].share[2], role_colour("d_k", theme)
    )  # fmt: skip
    spent = zip(*((one.projections, one.attention, one.output) for one in costs), strict=True)
    names = [f"h = {one.heads}" for one in costs]
    opacity = [1 if one.heads == chosen else 0.45 for one in costs]
    traces = [
        bars(
            names, part, colour, name=name, marker={"opacity": opacity},
            hover=map(numbers.count, part), before="%{x}: ",
        )
        for part, name, colour in zip(spent, texts.parts, colours, strict=True)
    ]  # fmt: skip
    return chart(
        traces, theme, x="", y=texts.multiply_adds, height=260, barmode="stack", bargap=0.35
    )


def patterns(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw the weights of each head, and sentences on how much they differ."""
    heading(texts.why)
    weights, names = trace["weights"].tensor[0], token_names(trace)
    scale = scale_of(trace, "weights")
    grids(
        [
            Grid(texts.head.format(head=head), one, scale, names, names, digits=2, small=True)
            for head, one in enumerate(weights, start=1)
        ],
        key="patterns",
    )
    distance = spread(weights)
    if distance is None:
        prose([[(texts.why_one, "")]], key="why")
        return
    one, other = (texts.head.format(head=head + 1) for head in distance.pair)
    sentence = spans(
        texts.why_many, heads=str(inputs.heads), one=(one, "head"), other=(other, "head"),
        most=numbers.short(distance.most), mean=numbers.short(distance.mean),
    )  # fmt: skip
    prose([sentence, spans(texts.why_random, seed=str(inputs.seed))], key="why")
