"""A Plotly chart, which ``views.frame`` has drawn again when the theme changes."""

import re
from contextlib import nullcontext
from typing import Any

import numpy as np
import streamlit as st

from views.text import numbers

WIDE = 6  # maps side by side from which a figure scrolls sideways rather than shrink to nothing
DESCRIBED = 8  # lines, rows of bars or maps whose numbers are read out
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
    return _MARKUP.sub("", text or "")


def _numbers(values: Any) -> np.ndarray:
    """The finite numbers of a trace; none of what is text."""
    try:
        flat = np.asarray(values, float).ravel()
    except (TypeError, ValueError):
        return np.empty(0)
    return flat[np.isfinite(flat)]
