from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from core import Trace, cost, ops, shapes
from core.experiments import heads
from core.experiments.heads import divisors, largest_difference, projected_apart, spread
from core.experiments.mistakes import origin, reshape_only
from core.limits import SPLIT
from pages.understand.heads.controls import Inputs, heads_input, heads_trace
from views import link, parse
from views.figures.chart import Figure, bars, chart
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale, scale_of, signed_scale
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose, source_code, table
from views.widgets.sentence_input import FIRST_TEXT, token_names


def contribution_grids(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw the contributions, which add up to the output, and the output with muted heads."""
    heading(texts.adds)
    muted = _mute(texts, inputs.heads)
    head_output, output = trace["head_output"].tensor, trace["output"].tensor[0]
    by_head = heads.contributions(head_output, inputs.weights)[0]
    remaining = heads.output_without(head_output, inputs.weights, muted)[0]
    signed = signed_scale(by_head, output, remaining)
    row, column = _cell(len(output), inputs.d_model)
    marked = np.zeros(output.shape, dtype=bool)
    marked[row, column] = True

    def grid(title: str, values: np.ndarray, **more: Any) -> Grid:
        return Grid(
            title, values, more.pop("scale", signed), token_names(trace), numbered(values.shape[1]),
            column_role="d_model", digits=numbers.DECIMALS, small=True, **more,
        )  # fmt: skip

    def clicked(_: int, row: int, column: int) -> None:
        link.set_value("row", row + 1)
        link.set_value("column", column + 1)

    last = inputs.heads - 1
    sums = [
        grid(
            texts.contribution.format(head=head + 1), one, marked=marked,
            sign="=" if head == last else "+", note=texts.silent if head in muted else "",
        )
        for head, one in enumerate(by_head)
    ]  # fmt: skip
    whole = grid("output", output, marked=marked, note=texts.contribution_note)
    grids([*sums, whole], key="sums", on_click=clicked)
    fields: dict[str, str | Span] = {"heads": str(inputs.heads), "d_v": str(inputs.weights.d_v)}
    prose(
        [
            spans(texts.adds_says, **fields),
            _sum(
                texts, token_names(trace)[row], column, by_head[:, row, column], output[row, column]
            ),
        ],
        key="adds_says",
    )
    _muted(texts, trace, inputs, muted, by_head, remaining, grid)


def _mute(texts: Words, count: int) -> list[int]:
    """Draw the choice of muted heads and return them, from 0."""
    link.bind_param("mute", [1], _heads_of_link, lambda on: ",".join(map(str, on)) or "0")
    key = f"mute_{count}"
    link.show(key, [head for head in st.session_state["mute"] if head <= count])

    def chosen() -> None:
        link.set_value("mute", sorted(st.session_state[key]))

    on = st.pills(
        texts.mute, range(1, count + 1), selection_mode="multi", key=key, on_change=chosen,
        format_func=lambda head: texts.head.format(head=head),
    )  # fmt: skip
    return [head - 1 for head in sorted(on)]


def _heads_of_link(written: str) -> list[int]:
    if written == "0":
        return []
    return sorted({parse.number(1, SPLIT.d_model)(part) for part in written.split(",")})


def _cell(rows: int, columns: int) -> tuple[int, int]:
    """The selected cell of the output, from 0, clipped to its size."""
    link.bind_param("row", 1, parse.number(1, SPLIT.tokens))
    link.bind_param("column", 1, parse.number(1, SPLIT.d_model))
    row, column = st.session_state["row"], st.session_state["column"]
    return min(row, rows) - 1, min(column, columns) - 1


def _sum(texts: Words, token: str, column: int, terms: np.ndarray, total: float) -> list[Span]:
    """The sum of one cell, with digits with which the printed terms add up."""
    digits = numbers.digits_that_add_up(terms.tolist(), float(total))
    shown = numbers.MOST_DIGITS if digits is None else digits
    printed = [numbers.plain(float(term), shown) for term in terms]
    return spans(
        texts.sum_says, row=(token, "query"), column=str(column + 1),
        terms=" + ".join([printed[0], *map(numbers.bracketed, printed[1:])]),
        equals=("≈" if digits is None else "=", ""),
        total=numbers.plain(float(total), shown),
    )  # fmt: skip


def _muted(
    texts: Words,
    trace: Trace,
    inputs: Inputs,
    muted: list[int],
    by_head: np.ndarray,
    remaining: np.ndarray,
    grid: Callable[..., Grid],
) -> None:
    """Draw concat with zeros for the muted heads, and the output before and after."""
    if not muted:
        prose([[(texts.mute_none, "")]], key="mute_says")
        return
    output = trace["output"].tensor[0]
    concat = ops.merge_heads(heads.ablated(trace["head_output"].tensor, muted))[0]
    d_v = inputs.weights.d_v
    from_muted = np.zeros(concat.shape, dtype=bool)
    for head in muted:
        from_muted[:, head * d_v : (head + 1) * d_v] = True
    called = texts.list_mark.join(texts.head.format(head=head + 1) for head in muted)
    change = remaining - output
    grids(
        [
            grid(
                "concat",
                concat,
                is_masked=from_muted,
                scale=signed_scale(trace["concat"].tensor),
                sign="→",
            ),
            grid(texts.without.format(heads=called), remaining, sign="−"),
            grid("output", output, sign="="),
            grid(texts.difference, change),
        ],
        key="without",
    )
    names = token_names(trace)
    largest = np.unravel_index(np.abs(change).argmax(), change.shape)
    sentence = spans(
        texts.mute_says, heads=(called, "head"), columns=str(d_v * len(muted)),
        apart=numbers.short(heads.largest_difference(-change, by_head[muted].sum(axis=0))),
        largest=numbers.short(float(change[largest])), row=(f"“{names[largest[0]]}”", "query"),
    )  # fmt: skip
    prose([sentence], key="mute_says")


def code(texts: Words) -> None:
    """Draw the source code of the functions."""
    source_code(
        texts.code, ops.split_heads, ops.merge_heads, heads.projected_apart, heads.distances,
        heads.contributions, heads.output_without, together=True,
    )  # fmt: skip


def numbered(count: int) -> list[str]:
    """The names of columns without names: ``1`` … count."""
    return [str(number) for number in range(1, count + 1)]


COUNTED = ("parameters", "projections", "scores", "weighted_sum", "output", "weights")


def cost_by_heads(inputs: Inputs, trace: Trace, texts: Words) -> None:
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
            Grid(
                texts.head.format(head=head),
                one,
                scale,
                names,
                names,
                digits=numbers.DECIMALS,
                small=True,
            )
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
    # The row in which both heads give most, to different words.
    both = weights[list(distance.pair)]
    most, keys = both.max(axis=-1), both.argmax(axis=-1)
    sums = np.where(keys[0] != keys[1], most.sum(axis=0), 0)
    if sums.max() > 1:
        row = int(sums.argmax())
        (first, second), (key, other_key) = most[:, row], keys[:, row]
        fields: dict[str, str | Span] = {"one": (one, "head"), "other": (other, "head")}
        fields |= {"first": numbers.plain(float(first)), "second": numbers.plain(float(second))}
        fields |= {"query": (f"“{names[row]}”", "query")}
        fields |= {"key": (f"“{names[key]}”", "key"), "other_key": (f"“{names[other_key]}”", "key")}
        prose([spans(texts.why_doubled, **fields)], key="doubled_says")


def packed(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw how much one packed product and h separate ones differ."""
    heading(texts.packed)
    apart = projected_apart(trace["X"].tensor, inputs.weights)
    largest = max(largest_difference(apart[key], trace[key].tensor) for key in apart)
    sentence = spans(
        texts.packed_says, heads=str(inputs.heads), d_k=str(trace["Q"].size("d_k")),
        apart=numbers.short(largest), how=(texts.rounding if largest else texts.exact, ""),
    )  # fmt: skip
    prose([sentence], key="packed_says")


def split(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw which numbers head 1 gets by view and transpose, and by view alone."""
    heading(texts.split)
    names, n, d_k = token_names(trace), trace["Q"].size("query"), trace["Q"].size("d_k")
    whole = ops.merge_heads(trace["Q"].tensor)
    scale = scale_of(trace, "Q")
    ways = {texts.right: ops.split_heads, texts.wrong: reshape_only}
    for number, (name, way) in enumerate(ways.items()):
        cells = [origin(way, n, inputs.heads, d_k, 0, row) for row in range(n)]
        taken = np.zeros((n, inputs.d_model), dtype=bool)
        for token, column in (cell for row in cells for cell in row):
            taken[token, column] = True
        rows = [
            texts.wrong_row.format(token=names[row[0][0]], first=row[0][1] + 1, last=row[-1][1] + 1)
            for row in cells
        ]
        is_wrong = name == texts.wrong
        grids(
            [
                _packed(whole[0], names, scale, taken, sign="→", note=texts.packed_note),
                Grid(
                    f"{name} (query {n}, d_k {d_k})", way(whole, inputs.heads)[0, 0], scale, rows,
                    numbered(d_k), column_role="d_k", small=True,
                    note=texts.wrong_note if is_wrong and inputs.heads > 1 else "",
                ),
            ],
            key=f"split_{number}",
        )  # fmt: skip
    if inputs.heads == 1:
        prose([[(texts.split_one, "")]], key="split_says")
        return
    sentence = spans(
        texts.split_says, d_model=str(inputs.d_model), first=(f"“{names[0]}”", "query"), n=str(n),
        heads=str(inputs.heads), d_k=str(d_k), count=str(n * d_k),
        wrong=(texts.list_mark.join(rows), "query"),
    )  # fmt: skip
    prose([sentence], key="split_says")


def _packed(
    values: np.ndarray,
    names: tuple[str, ...],
    scale: Scale,
    taken: np.ndarray,
    *,
    sign: str,
    note: str,
) -> Grid:
    n, d_model = values.shape
    return Grid(
        f"Q (query {n}, d_model {d_model})", values, scale, names, numbered(d_model),
        column_role="d_model", marked=taken, sign=sign, note=note, small=True,
    )  # fmt: skip


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
first = Inputs(link.first_text(FIRST_TEXT))
inputs, trace = computed(lambda: heads_input(texts), heads_trace, first, words())
with st.container(border=True, key="patterns_card"):
    patterns(inputs, trace, texts)
with st.container(border=True, key="price_card"):
    cost_by_heads(inputs, trace, texts)
with st.container(border=True, key="added_card"):
    contribution_grids(inputs, trace, texts)
with st.container(border=True, key="split_card"):
    packed(inputs, trace, texts)
    split(inputs, trace, texts)
code(texts)
lesson.footer(texts.lesson, words())
