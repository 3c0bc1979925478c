import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.experiments.jacobian import attention_jacobian, stretch
from core.experiments.recurrent import (
    RecurrentNet,
    attention_layer,
    gated_share,
    jacobians,
    recurrent_layer,
)
from core.limits import LIMITS
from core.options import AttentionOptions
from core.sources import text as source
from pages.understand.before.charts import exponents, influence_by_distance, triangle
from views import link, parse
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.errors import LastValidInput, computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose, table
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input

D_MODEL, HEADS, WIDTH = 16, 2, 16
FIRST_RADIUS, FIRST_SEED = 0.9, 7
RADII, MOST_TIMES = (0.1, 2.5), 8


@dataclass(frozen=True)
class Inputs:
    """The sentence, its repetitions, and the recurrent net.

    radius: the spectral radius of W_h. squashes: whether the net applies tanh.
    """

    written: str
    times: int = 1
    radius: float = FIRST_RADIUS
    squashes: bool = True
    seed: int = FIRST_SEED

    def attention_trace(self) -> Trace:
        """Causal attention over the sentence. Raises core.errors.InputError."""
        lines = source.read(self.written, "word")
        tokens = (tuple(token for line in lines for token in line) * self.times)[: LIMITS.tokens]
        embedded = source.embed([tokens], D_MODEL, self.seed, position=False)
        return multi_head_attention(
            embedded, Weights.seeded(D_MODEL, HEADS, self.seed), AttentionOptions(causal=True)
        )

    def net(self) -> RecurrentNet:
        """The recurrent net, with random weights."""
        return RecurrentNet.seeded(D_MODEL, WIDTH, self.radius, self.seed, has_tanh=self.squashes)


@dataclass(frozen=True, eq=False)
class Influence:
    """The norms ‖∂h_t / ∂x_j‖ in the recurrent net and in attention, each (step, word)."""

    words: tuple[str, ...]
    net: np.ndarray
    attention: np.ndarray


def compute_influence(inputs: Inputs, attention_trace: Trace) -> Influence:
    """The influence of each word on each step, in both models."""
    X = attention_trace["X"]
    return Influence(
        tuple(X.axis("token").label(index) for index in range(X.size("token"))),
        stretch(jacobians(inputs.net(), X.tensor[0])),
        stretch(attention_jacobian(attention_trace)[0]),
    )


def before_input(texts: Words) -> Inputs:
    """Draw the controls and return their values."""
    link.bind_param("text", texts.sample)
    link.bind_param("times", 1, parse.number(1, MOST_TIMES))
    link.bind_param("radius", FIRST_RADIUS, parse.number(*RADII, float))
    link.bind_param("tanh", True, parse.flag)
    written = st.text_input(texts.text, key="text")
    tokenization_notes(written, "word")
    last_sentence = link.remembered(LastValidInput).inputs.get("sentence")
    if last_sentence and last_sentence.written != written:
        st.button(
            texts.yours, key="yours", on_click=link.set_value, args=("text", last_sentence.written)
        )
    columns = st.columns([1.6, 1.3, 0.6, 0.7], vertical_alignment="bottom", gap="medium")
    link.offer("radius", [tenth / 10 for tenth in range(1, round(10 * RADII[1]) + 1)])
    radius = columns[0].slider(texts.radius, *RADII, step=0.1, key="radius", help=texts.radius_help)
    times = columns[1].slider(
        texts.times, 1, MOST_TIMES, key="times",
        help=texts.times_help.format(tokens=LIMITS.tokens),
    )  # fmt: skip
    squashes = columns[2].toggle(texts.tanh, key="tanh", help=texts.tanh_help)
    seed = seed_input(texts.seed, FIRST_SEED, where=columns[3])
    return Inputs(written, times, radius, squashes, seed)


GATE, LONG, LARGE = 0.99, 1000, 1e5


def summary(influence: Influence, inputs: Inputs, texts: Words) -> None:
    """Draw sentences on this input, and on gates, radius and cost."""
    n = len(influence.words)
    with st.container(border=True, key="findings_card"):
        heading(texts.heading)
        prose(_read(influence, texts), key="reads")
        distance = max(n - 1, 1)
        more = [
            spans(texts.history),
            spans(texts.all_visible),
            spans(
                texts.gates, gate=str(GATE), distance=str(distance),
                share=numbers.short(gated_share(GATE, distance)),
                share_long=numbers.short(gated_share(GATE, LONG)),
            ),
            spans(
                texts.price, n=str(n), even=numbers.short(1 / n), pairs=numbers.count(n * n * HEADS)
            ),
        ]  # fmt: skip
        if inputs.radius > 1:
            more.insert(2, spans(texts.radius_above if inputs.squashes else texts.radius_linear))
        prose(more, key="more")
        origin = spans(
            texts.origin, d_model=str(D_MODEL), heads=str(HEADS), width=str(WIDTH),
            seed=str(inputs.seed),
        )  # fmt: skip
        prose([spans(texts.measured), origin], key="origin", style="quiet")


def _read(influence: Influence, texts: Words) -> list[list[Span]]:
    net, attention = influence.net[-1], influence.attention[-1]
    short = [shortened(word) for word in influence.words]
    distance = len(short) - 1
    if not distance:
        return [
            spans(
                texts.one_word, net=_printed(float(net[0])),
                attention=_printed(float(attention[0])),
            )
        ]  # fmt: skip
    share = float(net[0] / net[-1])
    low, high = (int(f(attention[:-1])) for f in (np.argmin, np.argmax))
    lines = [
        spans(
            texts.grows if share > 1 else texts.fades,
            first=(short[0], "key"), last=(short[-1], "query"),
            distance=str(distance), left=_printed(float(net[0])),
            own=_printed(float(net[-1])), share=_printed(share),
            factor=_printed(share ** (1 / distance)),
        ),
        spans(
            texts.stays, first=(short[0], "key"), left=_printed(float(attention[0])),
            low_word=(short[low], "key"), low_back=str(distance - low),
            low=_printed(float(attention[low])), high_word=(short[high], "key"),
            high_back=str(distance - high), high=_printed(float(attention[high])),
        ),
    ]  # fmt: skip
    alike = [j for j, word in enumerate(influence.words[:-1]) if word == influence.words[0]]
    if len(alike) > 1:
        lines.append(
            spans(
                texts.repeated, first=(short[0], "key"), count=str(len(alike)),
                spread=_printed(float(np.ptp(attention[alike]))),
                ratio=_printed(float(net[alike[-1]] / net[alike[0]])),
            )
        )  # fmt: skip
    return lines


def _printed(value: float) -> str:
    return numbers.short(value) if value < LARGE else numbers.power_of_ten(value)


HEIGHT = 360
SQUASHED, LINEAR = r"h_t = \tanh(W_h h_{t-1} + W_x x_t)", "h_t = W_h h_{t-1} + W_x x_t"
ATTENDED = r"\mathrm{MultiHead}(X)_t"


def influence_charts(influence: Influence, inputs: Inputs, texts: Words) -> None:
    """Draw the influence in both models as triangles, and their last rows by distance."""
    ends = exponents(influence.net, influence.attention)
    first, second, third = st.columns([1, 1, 1.1], gap="medium")
    for column, name, lengths, formula in (
        (first, "net", influence.net, SQUASHED if inputs.squashes else LINEAR),
        (second, "attention", influence.attention, ATTENDED),
    ):
        with column, st.container(border=True, key=f"{name}_card"):
            heading(texts[name])
            st.markdown(f"${formula}$")
            figure = triangle(
                lengths, influence.words, ends, theme(), x=texts.word, y=texts.step, height=HEIGHT
            )
            alt = f"{texts[name]} · {texts.step} · {texts.word}"
            show_chart(figure, f"{name}_triangle", alt)
    with third, st.container(border=True, key="curve_card"):
        heading(texts.by_distance)
        curves = {texts.net: influence.net[-1], texts.attention: influence.attention[-1]}
        figure = influence_by_distance(
            curves, influence.words, theme(), x=texts.back, y=texts.left, height=HEIGHT
        )
        show_chart(figure, "curve", f"{texts.by_distance} · {texts.left}")


def path_lengths(n: int, texts: Words) -> None:
    """Table 1 of the paper (path length, sequential operations, cost) for n words."""
    net, attention = (
        recurrent_layer(n, D_MODEL, WIDTH),
        attention_layer(n, D_MODEL, HEADS),
    )
    grows = (("O(n)", "O(1)"), ("O(n)", "O(1)"), ("O(n·d²)", "O(n²·d)"))
    counted = (
        (net.path, attention.path),
        (net.sequential, attention.sequential),
        (net.multiply_adds, attention.multiply_adds),
    )
    rows = [
        [name, *(plain(f"{numbers.count(c)} · {o}") for c, o in zip(row, growth, strict=True))]
        for name, row, growth in zip(texts.path_rows, counted, grows, strict=True)
    ]
    names = [name.format(n=n) for name in texts.path_columns]
    with st.container(border=True, key="path_card"):
        heading(texts.path_heading)
        table(names, rows)
        st.caption(mathematics(texts.path_note))


def last_row(influence: Influence, texts: Words) -> None:
    """The influence of each word on the last step, in numbers."""
    values = np.stack([influence.net[-1], influence.attention[-1]])
    scale = Scale("share", 0, round_up(float(values.max())), root=True)
    with st.expander(texts.last_row):
        names = tuple(shortened(word) for word in influence.words)
        rows = (texts.net, texts.attention)
        grids([Grid(texts.left, values, scale, rows, names)], key="last_row")


def code(texts: Words) -> None:
    """The source code of the functions that compute the Jacobians."""
    functions: tuple[Callable[..., Any], ...] = (jacobians, attention_jacobian)
    with st.expander(texts.code):
        for function in functions:
            file = function.__module__.replace(".", "/") + ".py"
            st.caption(plain(texts.code_is.format(file=file)))
            st.code(inspect.getsource(function), language="python")


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(
    lambda: before_input(texts), Inputs.attention_trace, Inputs(texts.sample), words()
)
influence = compute_influence(inputs, trace)
influence_charts(influence, inputs, texts)
summary(influence, inputs, texts)
path_lengths(len(influence.words), texts)
last_row(influence, texts)
code(texts)
lesson.footer(texts.lesson, words())
