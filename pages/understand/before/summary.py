"""What the two triangles say for this sentence."""

import numpy as np
import streamlit as st

from core.experiments.before import kept_by_gate
from pages.understand.before.controls import (
    D_MODEL,
    HEADS,
    WIDTH,
    Given,
    Left,
)
from pages.understand.before.words import BeforeWords
from views import numbers
from views.figures.axis import shortened
from views.spans import Span, spans
from views.widgets.prose import heading, prose

GATE, LONG, LARGE = 0.99, 1000, 1e5


def told(found: Left, given: Given, texts: BeforeWords) -> None:
    """What the numbers say for this sentence, and what else is true."""
    n = len(found.words)
    with st.container(border=True, key="told_card"):
        heading(texts.heading)
        prose(_read(found, texts), key="reads")
        distance = max(n - 1, 1)
        more = [
            spans(texts.all_seen),
            spans(
                texts.gates, gate=str(GATE), distance=str(distance),
                kept=numbers.short(kept_by_gate(GATE, distance)),
                kept_long=numbers.short(kept_by_gate(GATE, LONG)),
            ),
            spans(
                texts.price, n=str(n), even=numbers.short(1 / n), pairs=numbers.count(n * n * HEADS)
            ),
        ]  # fmt: skip
        if given.radius > 1:
            more.insert(1, spans(texts.radius_above if given.squashes else texts.radius_linear))
        prose(more, key="more")
        origin = spans(
            texts.origin, d_model=str(D_MODEL), heads=str(HEADS), width=str(WIDTH),
            seed=str(given.seed),
        )  # fmt: skip
        prose([spans(texts.measured), origin], key="origin", style="quiet")


def _read(found: Left, texts: BeforeWords) -> list[list[Span]]:
    net, attention = found.net[-1], found.attention[-1]
    short = [shortened(word) for word in found.words]
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
    said_of_net = texts.grows if share > 1 else texts.fades
    lines = [
        spans(
            said_of_net, first=(short[0], "key"), last=(short[-1], "query"),
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
    alike = [j for j, word in enumerate(found.words[:-1]) if word == found.words[0]]
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
