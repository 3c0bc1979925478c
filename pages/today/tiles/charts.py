"""The output of one query as tiles come in, and the traffic that tiles save."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.experiments.tiles import flash_traffic, plain_traffic
from views import numbers
from views.figures.chart import chart
from views.figures.palette import PALETTES, Theme

KILOBYTES = (8, 16, 32, 64, 96, 128, 192, 256)
WIDTHS = (64, 128)


def outputs(
    so_far: np.ndarray, plain: np.ndarray, theme: Theme, *, names: tuple[str, str], x: str
) -> go.Figure:
    """The numbers of O / l so far as bars, and those of plain attention as marks.

    so_far, plain: (d_v,). names: of the bars and of the marks.
    """
    palette = PALETTES[theme]
    places = list(range(1, len(plain) + 1))
    bars: dict[str, Any] = {
        "type": "bar", "x": places, "y": so_far.tolist(), "name": names[0],
        "marker": {"color": palette.share[2]},
        "hovertext": [numbers.short(float(value)) for value in so_far],
        "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
    }  # fmt: skip
    marks: dict[str, Any] = {
        "type": "scatter", "mode": "markers", "x": places, "y": plain.tolist(), "name": names[1],
        "marker": {
            "symbol": "line-ew-open", "size": 11, "color": palette.signed[-1],
            "line": {"width": 2.5, "color": palette.signed[-1]},
        },
        "hovertext": [numbers.short(float(value)) for value in plain],
        "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
    }  # fmt: skip
    return chart(
        [bars, marks], theme, x=x, y="", height=230, bargap=0.25,
        xaxis={"showgrid": False, "zeroline": False, "range": [0.3, len(plain) + 0.7]},
    )  # fmt: skip


def saved(
    n: int, theme: Theme, *, line: str, chip: tuple[float, str], x: str, y: str, itemsize: int = 2
) -> go.Figure:
    """How many times less passes to and from the large memory, by the memory on the chip.

    line: the name of a line, with ``{d}``. chip: kilobytes of one that exists, and its name.
    """
    palette = PALETTES[theme]
    traces: list[dict[str, Any]] = []
    for d, colour in zip(WIDTHS, (palette.share[2], palette.signed[-1]), strict=True):
        times = [
            plain_traffic(n, d).total / flash_traffic(n, d, size * 1024 // itemsize).total
            for size in KILOBYTES
        ]
        traces.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": line.format(d=d),
                "x": list(KILOBYTES), "y": times, "line": {"color": colour, "width": 2},
                "hovertext": [numbers.short(value) for value in times],
                "hovertemplate": "%{x} KiB: %{hovertext}<extra></extra>",
            }
        )  # fmt: skip
    traces.append(
        {
            "type": "scatter", "mode": "lines", "name": chip[1], "x": [chip[0], chip[0]],
            "y": [0, max(traces[0]["y"])], "hoverinfo": "skip",
            "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        }
    )  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=260,
        xaxis={"tickvals": list(KILOBYTES)[2:], "zeroline": False}, yaxis={"rangemode": "tozero"},
        shapes=[
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1,
                "line": {"color": palette.soft, "width": 1},
            }
        ],
    )  # fmt: skip
