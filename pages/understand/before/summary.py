"""Sentences on the influence of the words in both models."""

import numpy as np
import streamlit as st

from core.experiments.recurrent import gated_share
from pages.understand.before.controls import D_MODEL, HEADS, WIDTH, Influence, Inputs
from views.figures.axis import shortened
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.prose import heading, prose

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
