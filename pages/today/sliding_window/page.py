from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core import Trace, masks
from core.experiments import sliding_window
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.sliding_window import layers_needed, long_reading, mean_weight, reach
from core.limits import TODAY
from core.models.altered import Attention
from pages.today.sliding_window import charts
from views import link, parse
from views.figures.axis import shortened
from views.figures.scale import Scale, largest, round_up
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.choice import choice
from views.widgets.decoder_input import (
    Reading,
    decoder_input,
    first_reading,
    sentence_perplexity,
    trained_perplexity,
)
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer

FIRST_WINDOW, MOST_SINKS = 3, 4
CURVE = (1, 2, 3, 4, 6, 8, 12, 16)  # windows of which the perplexity is drawn


@dataclass(frozen=True, eq=False)
class Windowed:
    """A sentence in the decoder with a sliding window.

    window: tokens that a query attends to, itself among them. sinks: first tokens to which every
    query attends. global_token: its number from 1; 0 for none.
    """

    reading: Reading
    window: int = FIRST_WINDOW
    sinks: int = 0
    global_token: int = 0

    @property
    def n(self) -> int:
        """The number of tokens."""
        return len(self.reading.encoding.ids)

    @property
    def options(self) -> dict[str, Any]:
        """The fields of ``AttentionOptions``."""
        return {
            "window": (self.window - 1, -1),
            "sink_tokens": self.sinks,
            "global_tokens": tuple([self.global_token - 1] if self.global_token else []),
        }

    def change(self, attention: Attention) -> Attention:
        """The attention of a layer with the window."""
        return attention.with_options(**self.options)

    @property
    def perplexity(self) -> float:
        """Of the sentence, with the window in all layers."""
        name = ("window", self.window, self.sinks, self.global_token)
        return sentence_perplexity(self.reading, name, self.change)

    @property
    def mask(self) -> Any:
        """Which keys a query attends to in one layer: (query, key) bool."""
        options = self.options
        return sliding_window.allowed(self.n, self.window, self.sinks, options["global_tokens"])

    def traces(self) -> tuple[Trace, Trace]:
        """The layer as trained and with the window. Raises core.errors.InputError."""
        attention = self.reading.attention
        return attention.trace(), self.change(attention).trace()


def window_input(words: Words, texts: Words) -> Windowed:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    link.bind_param("window", FIRST_WINDOW, parse.number(1, TODAY.tokens))
    link.bind_param("sinks", 0, parse.number(0, MOST_SINKS))
    link.bind_param("global", 0, parse.number(0, TODAY.tokens))
    text = st.container()  # filled last: the controls stay where a text is refused
    left, middle, right = st.columns([3, 2, 2], gap="medium")
    left.slider(texts.window, 1, TODAY.tokens, key="window", help=texts.window_help)
    middle.slider(texts.sinks, 0, MOST_SINKS, key="sinks", help=texts.sinks_help)
    with text:
        reading = decoder_input(passes=2 * len(CURVE))
    names = reading.encoding.tokens
    if st.session_state["global"] > len(names):
        link.replace_param("global", 0)
    labels = [texts.no_global, *(f"{i} · {shortened(name)}" for i, name in enumerate(names, 1))]
    choice(
        texts.global_token, "global", range(len(labels)), labels.__getitem__, where=right,
        help=texts.global_help,
    )  # fmt: skip
    state = st.session_state
    return Windowed(reading, state["window"], state["sinks"], state["global"])


def query_input(n: int) -> int:
    """The query, from 0, whose receptive field is drawn; the last one by default."""
    chosen: int = link.bind_param("query", 0, parse.number(0, TODAY.tokens))
    if chosen > n:
        chosen = link.replace_param("query", 0)
    return (chosen or n) - 1


BESIDE = 11  # tokens up to which the table leaves room for the drawing
NARROW = 5  # characters of a token above a column
# The window of large models, and the period of their layers without one (0: none is without).
PATTERNS = {
    "full": (None, 0),
    "mistral": (4096, 0),
    "gemma_2": (4096, 2),
    "gemma_3": (1024, 6),
    "gpt_oss": (128, 2),
}


def through_layers(windowed: Windowed, query: int, texts: Words) -> None:
    """Draw how many layers each key needs to reach each query, and the paths to one query."""
    heading(texts.claim)
    names = windowed.reading.encoding.tokens
    layers, mask = windowed.reading.model.layers, windowed.mask
    needed = layers_needed(reach(mask, layers))
    labels = [shortened(name, NARROW) for name in names]
    chosen = np.zeros(mask.shape, bool)
    chosen[query, : query + 1] = True
    beside = len(names) <= BESIDE
    left, right = st.columns([8, 5], gap="medium") if beside else (st.container(), st.container())
    with left:
        st.caption(plain(texts.needed))
        grid = Grid(
            "", np.where(needed, needed, np.inf), Scale("share", 0, 2 * layers), labels, labels,
            is_masked=needed == 0, marked=chosen, note=texts.needed_note, digits=0, small=True,
        )  # fmt: skip
        grids([grid], key="needed", on_click=lambda _, row, column: _choose(row))
    with right:
        title = spans(texts.reached, token=(names[query], "query"), layers=str(layers))
        prose([title], key="reached", style="quiet")
        levels = [
            texts.input_level,
            *(texts.level.format(number=number + 1) for number in range(layers)),
        ]
        figure = charts.field(mask, query, layers, names, theme(), node=texts.node, levels=levels)
        show_chart(figure, key="field", alt="".join(text for text, _ in title))
    prose([_field_says(windowed, query, needed, texts)], key="field_says")


def _choose(row: int) -> None:
    link.set_value("query", row + 1)


def _field_says(windowed: Windowed, query: int, needed: np.ndarray, texts: Words) -> list[Span]:
    names, row = windowed.reading.encoding.tokens, needed[query]
    reached = int((row > 0).sum())
    if query == 0:
        kind = "first"
    elif reached <= query:
        kind = "some"
    else:
        kind = "short_cut" if windowed.sinks or windowed.global_token else "all"
    return spans(
        texts.field_says[kind],
        token=(names[query], "query"),
        first=(names[0], "key"),
        direct=str(int(windowed.mask[query].sum())),
        reached=str(reached),
        before=str(query + 1),
        most=str(int(row.max())),
        layers=str(windowed.reading.model.layers),
        step=str(windowed.window - 1),
    )


def on_decoder(windowed: Windowed, before: Trace, after: Trace, texts: Words) -> None:
    """Draw the weights of all heads with and without the window, and the sentence's perplexity."""
    heading(texts.on_decoder)
    mask, names = windowed.mask, windowed.reading.encoding.tokens
    plainly, narrowed = (trace["weights"].tensor[0] for trace in (before, after))
    high = round_up(max(largest(trace, ("weights",)) for trace in (before, after)))
    apart = np.abs(narrowed - plainly).max()
    ends = round_up(float(apart)) if apart else 1.0
    past = np.tri(len(mask)) > 0
    for name, values, allowed, scale in (
        ("trained", plainly, past, Scale("share", 0, high)),
        ("chosen", narrowed, mask, Scale("share", 0, high)),
        ("difference", narrowed - plainly, past, Scale("signed", -ends, ends)),
    ):
        st.caption(mathematics(texts.panels[name]))
        drawn = np.where(allowed, values, np.nan)
        figure = charts.heads(drawn, mask, scale, names, theme(), head=texts.head, cell=texts.cell)
        show_chart(figure, key=f"heads_{name}", alt=texts.panels[name])
    st.caption(mathematics(texts.outline))
    _says(windowed, plainly, texts)
    _curve(windowed, texts)


def _says(windowed: Windowed, plainly: np.ndarray, texts: Words) -> None:
    reading = windowed.reading
    n, first = windowed.n, reading.encoding.tokens[0]
    whole = trained_perplexity(windowed.reading)
    if windowed.mask.sum() == n * (n + 1) // 2:
        prose([spans(texts.says["wide"], perplexity=numbers.short(whole))], key="says")
        return
    outside = mean_weight(plainly, ~windowed.mask)
    first_key = np.zeros((n, n), bool)
    first_key[:, 0] = True
    on_first = mean_weight(plainly, first_key)
    outside_line = spans(
        texts.says["outside"],
        layer=str(reading.layer),
        outside=numbers.per_cent(float(outside.mean())),
        least=numbers.per_cent(float(outside.min())),
        most=numbers.per_cent(float(outside.max())),
        first=(first, "key"),
        on_first=numbers.per_cent(float(on_first.mean())),
    )
    now = windowed.perplexity
    kind = "worse" if now > whole else "no_worse"
    measured = spans(texts.says[kind], before=numbers.short(whole), after=numbers.short(now))
    if not windowed.sinks:
        with_sink = replace(windowed, sinks=1).perplexity
        measured += spans(
            texts.says["with_first" if with_sink < now else "with_first_worse"],
            first=(first, "key"),
            with_first=numbers.short(with_sink),
        )
    prose([outside_line, measured], key="says")


def _curve(windowed: Windowed, texts: Words) -> None:
    n = windowed.n
    windows = [*(width for width in CURVE if width < n), n]
    if len(windows) == 1:
        return
    whole = trained_perplexity(windowed.reading)

    def along(sinks: int) -> list[float]:
        return [
            whole if width == n else Windowed(windowed.reading, width, sinks).perplexity
            for width in windows
        ]

    here = min(windowed.window, n), windowed.perplexity
    figure = charts.perplexities(
        windows, {"plain": along(0), "with_first": along(1)}, whole, here, theme(),
        names=texts.lines, x=texts.window_axis, y=texts.perplexity_axis,
    )  # fmt: skip
    st.caption(mathematics(texts.curve))
    show_chart(figure, key="curve", alt=texts.curve)


def costs(windowed: Windowed, texts: Words) -> None:
    """Draw what is computed here, and a table of what large models compute and keep."""
    heading(in_language(DECODER).costs)
    n = windowed.n
    line = spans(
        texts.own_pairs,
        n=str(n),
        all=numbers.count(sliding_window.pairs(n, n)),
        left=numbers.count(int(windowed.mask.sum())),
    )
    prose([line], key="own_pairs")
    st.caption(
        mathematics(
            texts.of_named.format(
                name=LLAMA_8B.name, layers=LLAMA_8B.layers, tokens=numbers.count(CONTEXT)
            )
        )
    )
    rows = []
    for name, (window, every) in PATTERNS.items():
        cost = long_reading(LLAMA_8B, CONTEXT, window, every)
        rows.append(
            [
                texts.patterns[name],
                plain(numbers.power_of_ten(cost.multiply_adds)),
                plain(numbers.size(cost.cache_bytes)),
                numbers.count(cost.field),
            ]
        )
    table(texts.columns, rows)
    far = long_reading(LLAMA_8B, CONTEXT, *PATTERNS["mistral"])
    line = spans(
        texts.mistral,
        layers=str(LLAMA_8B.layers),
        window=numbers.count(PATTERNS["mistral"][0] or CONTEXT),
        field=numbers.count(far.field),
        tokens=numbers.count(CONTEXT),
    )
    counted = (in_language(DECODER).counted, "")
    prose([line, [counted]], key="mistral", style="quiet")


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
windowed, (before, after) = computed(
    partial(window_input, words(), texts),
    Windowed.traces,
    Windowed(first_reading(own=True)),
    words(),
)
query = query_input(windowed.n)
with st.container(border=True, key="reach_card"):
    through_layers(windowed, query, texts)
with st.container(border=True, key="decoder_card"):
    on_decoder(windowed, before, after, texts)
step_viewer(
    after, words(), follow=False,
    origin=windowed.reading.origin, steps=steps_of(after), first="masked",
    start={"query": windowed.n - 1},
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs(windowed, texts)
sources(texts.papers, masks.window, sliding_window.reach, sliding_window.pairs)
lesson.footer(texts.lesson, words())
