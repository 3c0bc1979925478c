"""What the two triangles say for this sentence."""

import numpy as np
import streamlit as st

from core.experiments.recurrent import gated_share
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


def told(found: Left, given: Given, said: BeforeWords) -> None:
    """What the numbers say for this sentence, and what else is true."""
    n = len(found.words)
    with st.container(border=True, key="told_card"):
        heading(said.heading)
        prose(_read(found, said), key="reads")
        distance = max(n - 1, 1)
        more = [
            spans(said.all_seen),
            spans(
                said.gates, gate=str(GATE), distance=str(distance),
                kept=numbers.short(gated_share(GATE, distance)),
                kept_long=numbers.short(gated_share(GATE, LONG)),
            ),
            spans(
                said.price, n=str(n), even=numbers.short(1 / n), pairs=numbers.count(n * n * HEADS)
            ),
        ]  # fmt: skip
        if given.radius > 1:
            more.insert(1, spans(said.radius_above if given.squashes else said.radius_linear))
        prose(more, key="more")
        origin = spans(
            said.origin, d_model=str(D_MODEL), heads=str(HEADS), width=str(WIDTH),
            seed=str(given.seed),
        )  # fmt: skip
        prose([spans(said.measured), origin], key="origin", style="quiet")


def _read(found: Left, said: BeforeWords) -> list[list[Span]]:
    net, attention = found.net[-1], found.attention[-1]
    short = [shortened(word) for word in found.words]
    distance = len(short) - 1
    if not distance:
        return [
            spans(
                said.one_word, net=_printed(float(net[0])),
                attention=_printed(float(attention[0])),
            )
        ]  # fmt: skip
    share = float(net[0] / net[-1])
    low, high = (int(f(attention[:-1])) for f in (np.argmin, np.argmax))
    said_of_net = said.grows if share > 1 else said.fades
    lines = [
        spans(
            said_of_net, first=(short[0], "key"), last=(short[-1], "query"),
            distance=str(distance), left=_printed(float(net[0])),
            own=_printed(float(net[-1])), share=_printed(share),
            factor=_printed(share ** (1 / distance)),
        ),
        spans(
            said.stays, first=(short[0], "key"), left=_printed(float(attention[0])),
            low_word=(short[low], "key"), low_back=str(distance - low),
            low=_printed(float(attention[low])), high_word=(short[high], "key"),
            high_back=str(distance - high), high=_printed(float(attention[high])),
        ),
    ]  # fmt: skip
    alike = [j for j, word in enumerate(found.words[:-1]) if word == found.words[0]]
    if len(alike) > 1:
        lines.append(
            spans(
                said.repeated, first=(short[0], "key"), count=str(len(alike)),
                spread=_printed(float(np.ptp(attention[alike]))),
                ratio=_printed(float(net[alike[-1]] / net[alike[0]])),
            )
        )  # fmt: skip
    return lines


def _printed(value: float) -> str:
    return numbers.short(value) if value < LARGE else numbers.power_of_ten(value)
