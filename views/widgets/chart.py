"""A Plotly chart, which ``views.frame`` has drawn again when the theme changes."""

import re
from contextlib import nullcontext
from html import escape, unescape
from typing import Any

import numpy as np
import streamlit as st

from views.text import numbers

WIDE = 6  # maps side by side from which a figure scrolls sideways rather than shrink to nothing
DESCRIBED = 8  # lines, rows of bars or maps whose numbers are read out
CELLS = 32**2  # of a map whose numbers stand behind it
_MARKUP = re.compile(r"<[^>]*>")


def show_chart(figure: Any, key: str, alt: str, *, maps: int = 1) -> None:
    """Show a figure of ``views.figures.chart``. alt: what it is about. maps: side by side.

    On a narrow screen a figure of more than ``WIDE`` maps scrolls sideways: see ``frame.css``.
    """
    with st.container(key=f"wide_{key}") if maps > WIDE else nullcontext():
        st.plotly_chart(
            figure, key=key, theme=None, config={"displayModeBar": False},
            alt=described(figure, alt),
        )  # fmt: skip
    if tables := tables_of(figure, alt):
        with st.container(key=f"numbers_{key}"):  # which frame.css hides from those who see the map
            st.html(tables)


def tables_of(figure: Any, alt: str) -> str:
    """Every cell of each map as HTML, for those who do not see it; of a large map nothing.

    A cell has the text that the map shows there under the pointer, or its number.
    """
    maps = [one for one in figure.data if one.type == "heatmap"]
    titles = [_bare(note.text) for note in figure.layout.annotations[: len(maps)]]
    if len(titles) < len(maps):
        titles = [""] * len(maps)
    tables = ""
    for one, title in zip(maps, titles, strict=True):
        values = np.asarray(one.z, float)
        if values.size > CELLS:
            continue
        texts = one.text if one.text is not None else np.vectorize(_number)(values)
        names = [str(i + 1) for i in range(len(texts))] if one.y is None else map(str, one.y)
        rows = (
            f"<th scope=row>{escape(_bare(name))}<td>"
            + "<td>".join(escape(_bare(str(cell))) for cell in row)
            for name, row in zip(names, texts, strict=True)
        )
        caption = escape(": ".join(filter(None, (alt, title))))
        tables += f"<table><caption>{caption}</caption><tr>{'<tr>'.join(rows)}</table>"
    return tables


def described(figure: Any, alt: str) -> str:
    """What a figure shows, for those who do not see it: what it is about, its axes, its numbers.

    Of a line or a row of bars the first and the last number, of a map the least and the largest.
    """
    axes = [_bare(axis.title.text) for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    says = [alt, " × ".join(filter(None, axes))]
    for trace in figure.data[:DESCRIBED]:
        is_map = trace.type == "heatmap"
        values = _numbers(trace.z if is_map else trace.x if trace.orientation == "h" else trace.y)
        if not values.size:
            continue
        ends = (values.min(), values.max()) if is_map else (values[0], values[-1])
        between = " … " if is_map else " → "
        text = between.join(dict.fromkeys(numbers.short(float(end)) for end in ends))
        says.append(": ".join(filter(None, (_bare(trace.name), text))))
    return "; ".join(filter(None, says))


def _bare(text: str | None) -> str:
    return unescape(_MARKUP.sub("", text or ""))


def _number(value: float) -> str:
    return numbers.short(value) if np.isfinite(value) else ""


def _numbers(values: Any) -> np.ndarray:
    """The finite numbers of a trace; none of what is text."""
    try:
        flat = np.asarray(values, float).ravel()
    except (TypeError, ValueError):
        return np.empty(0)
    return flat[np.isfinite(flat)]
