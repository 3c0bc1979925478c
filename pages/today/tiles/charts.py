"""The output of one query as tiles come in, and the traffic that tiles save."""

from typing import Any

import numpy as np

from core.experiments.tiles import flash_traffic, plain_traffic
from views.figures.chart import QUIET, Figure, bars, chart, dotted, lines, marks
from views.figures.palette import PALETTES, Theme
from views.text import numbers

KILOBYTES = (8, 16, 32, 64, 96, 128, 192, 256)
WIDTHS = (64, 128)


def outputs(
    so_far: np.ndarray, plain: np.ndarray, theme: Theme, *, names: tuple[str, str], x: str
) -> Figure:
    """The numbers of O / l so far as bars, and those of plain attention as marks.

    so_far, plain: (d_v,). names: of the bars and of the marks.
    """
    palette = PALETTES[theme]
    places = list(range(1, len(plain) + 1))
    output = bars(
        places, so_far, palette.share[2], name=names[0], hover=map(numbers.short, so_far.tolist()),
        before="%{x}: ",
    )  # fmt: skip
    other = marks(
        places, plain, palette.signed[-1], 11, name=names[1],
        marker={"symbol": "line-ew-open", "line": {"width": 2.5, "color": palette.signed[-1]}},
        hover=map(numbers.short, plain.tolist()), before="%{x}: ",
    )  # fmt: skip
    return chart(
        [output, other], theme, x=x, y="", height=230, bargap=0.25,
        xaxis={**QUIET, "range": [0.3, len(plain) + 0.7]},
    )  # fmt: skip


def saved(
    n: int, theme: Theme, *, line: str, chip: tuple[float, str], x: str, y: str, itemsize: int = 2
) -> Figure:
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
            lines(
                KILOBYTES, times, colour, size=6, name=line.format(d=d),
                hover=map(numbers.short, times), before="%{x} KiB: ",
            )
        )  # fmt: skip
    traces.append(dotted([chip[0]] * 2, [0, max(traces[0]["y"])], theme, name=chip[1]))
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
