"""Memory traffic of attention in tiles and in the usual order."""

from typing import Any

import streamlit as st

from core.experiments import tiles
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.tiles import SOFTMAX_ACCESSES, SRAM_BYTES, Traffic
from pages.today.tiles.controls import Tiled
from views.figures.chart import Figure, chart, dotted, lines
from views.figures.palette import PALETTES, Theme
from views.preferences import in_language, theme
from views.text import DECODER, Words, numbers
from views.text.spans import mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.prose import heading, prose, table

ITEMSIZE = 2  # bytes of a number, as on the cards for which the papers count
ROWS = 128  # queries of a block, of those that FlashAttention-2 uses
KILOBYTES = (8, 16, 32, 64, 96, 128, 192, 256)
WIDTHS = (64, 128)


def _kinds(n: int, d: int) -> dict[str, Traffic]:
    return {
        "plain": tiles.plain_traffic(n, d),
        "flash": tiles.flash_traffic(n, d, SRAM_BYTES // ITEMSIZE),
        "flash_2": tiles.flash_2_traffic(n, d, ROWS),
    }


def memory(tiled: Tiled, texts: Words) -> None:
    """Draw the traffic of the reader's sentence and of a long text, and what tiles save."""
    heading(in_language(DECODER).costs)
    n = len(tiled.reading.encoding.ids)
    d = tiled.reading.attention.weights.d_k
    lead = spans(texts.memory_lead, chip=numbers.count(SRAM_BYTES // 1024), rows=str(ROWS))
    prose([lead], key="memory_lead")
    for title, tokens, width in (
        (texts.own.format(n=n, d=d), n, d),
        (
            texts.named.format(name=LLAMA_8B.name, tokens=numbers.count(CONTEXT), d=LLAMA_8B.d_k),
            CONTEXT,
            LLAMA_8B.d_k,
        ),
    ):
        st.caption(mathematics(title))
        table(
            texts.columns,
            [
                [texts.traffic[name], *(plain(numbers.size(ITEMSIZE * count)) for count in counts)]
                for name, found in _kinds(tokens, width).items()
                for counts in [(found.reads, found.writes, found.stored)]
            ],
        )
    _says(n, d, texts)
    st.caption(mathematics(texts.saved.format(tokens=numbers.count(CONTEXT))))
    figure = saved_traffic(
        CONTEXT, theme(), line=texts.line, chip=(SRAM_BYTES / 1024, texts.chip),
        x=texts.on_chip_axis, y=texts.times_axis, itemsize=ITEMSIZE,
    )  # fmt: skip
    show_chart(figure, key="saved", alt=texts.saved)


def _says(n: int, d: int, texts: Words) -> None:
    here, far = _kinds(n, d), _kinds(CONTEXT, LLAMA_8B.d_k)
    less = [here[name].total < here["plain"].total for name in ("flash", "flash_2")]
    pays = "both" if all(less) else "second" if less[1] else "too_short"
    totals = {name: numbers.size(ITEMSIZE * found.total) for name, found in here.items()}
    prose(
        [
            spans(texts.pays[pays], n=str(n), **totals),
            spans(
                texts.memory,
                stored=numbers.size(ITEMSIZE * far["plain"].stored),
                all=numbers.size(ITEMSIZE * far["plain"].stored * LLAMA_8B.heads),
                heads=str(LLAMA_8B.heads),
                left=numbers.size(ITEMSIZE * far["flash_2"].stored),
            ),
            spans(
                texts.softmax,
                safe=str(SOFTMAX_ACCESSES["safe"]),
                online=str(SOFTMAX_ACCESSES["online"]),
            ),
        ],
        key="pays",
    )


def saved_traffic(
    n: int, theme: Theme, *, line: str, chip: tuple[float, str], x: str, y: str, itemsize: int = 2
) -> Figure:
    """The ratio of memory traffic without and with tiles, by the size of the on-chip memory.

    line: the name of a line, with ``{d}``. chip: kilobytes of one that exists, and its name.
    """
    palette = PALETTES[theme]
    traces: list[dict[str, Any]] = []
    for d, colour in zip(WIDTHS, (palette.share[2], palette.signed[-1]), strict=True):
        times = [
            tiles.plain_traffic(n, d).total
            / tiles.flash_traffic(n, d, size * 1024 // itemsize).total
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
