"""The contribution of each head to the output, and the output without some heads (ablation)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import heads
from core.limits import SPLIT
from pages.understand.heads.controls import Inputs
from views import link, parse
from views.figures.scale import signed_scale
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose, source_code
from views.widgets.sentence_input import token_names


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
