"""What passes through which memory, in tiles and in the usual order."""

import streamlit as st

from core.experiments import tiles
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.tiles import SOFTMAX_ACCESSES, SRAM_BYTES, Traffic
from pages.today.tiles import charts
from pages.today.tiles.controls import Tiled
from views.preferences import in_language, theme
from views.text import DECODER, Words, numbers
from views.text.spans import mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.prose import heading, prose
from views.widgets.table import table

ITEMSIZE = 2  # bytes of a number, as on the cards for which the papers count
ROWS = 128  # queries of a block, of those that FlashAttention-2 uses


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
    figure = charts.saved(
        CONTEXT, theme(), line=texts.line, chip=(SRAM_BYTES / 1024, texts.chip),
        x=texts.on_chip_axis, y=texts.times_axis, itemsize=ITEMSIZE,
    )  # fmt: skip
    show_chart(figure, key="saved", alt=texts.saved)


def _says(n: int, d: int, texts: Words) -> None:
    here, far = _kinds(n, d), _kinds(CONTEXT, LLAMA_8B.d_k)
    pays = "pays" if here["flash_2"].total < here["plain"].total else "too_short"
    prose(
        [
            spans(texts.pays[pays], n=str(n)),
            spans(
                texts.memory,
                kept=numbers.size(ITEMSIZE * far["plain"].stored),
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
