"""The sentence, the factor of the queries and the limits; and the attention that they give."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core import Trace
from core.experiments.soft_cap import ScoreLimits
from core.models.altered import Attention
from core.rules import Constant, Given, Operand, Product
from views import link, parse
from views.text import Words
from views.widgets.decoder_input import Reading, decoder_input, sentence_perplexity

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
CAPS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0)
SINKS = tuple(float(logit) for logit in range(-4, 9))
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
KINDS = ("soft_cap", "qk_norm", "sink", "temperature")
FIRST_FACTOR, FIRST_CAP, FIRST_SINK, FIRST_TEMPERATURE, FIRST_HEAD = 4.0, 5.0, 4.0, 4.0, 3
FIRST_KINDS = ["soft_cap"]
FIRST_LIMITS = ScoreLimits(FIRST_FACTOR, soft_cap=FIRST_CAP)


@dataclass(frozen=True, eq=False)
class Limited:
    """A sentence in the decoder, with limits in every layer."""

    reading: Reading
    limits: ScoreLimits = FIRST_LIMITS

    def traces(self) -> tuple[Trace, Trace, Trace]:
        """The layer as trained, with QK norm alone, and as chosen. Raises InputError."""
        attention = self.reading.attention
        normed = changed(attention, ScoreLimits(qk_norm=True)).trace()
        return attention.trace(), normed, self._trace(attention)

    def _trace(self, attention: Attention) -> Trace:
        """The layer as chosen: W^Q is shown as f · W^Q_0, which was trained, and γ = 1 as given."""
        stages = []
        for stage in changed(attention, self.limits).trace().values():
            if stage.key in ("gamma_Q", "gamma_K"):
                stage = replace(stage, rule=Given("input"))
            if stage.key == "W_Q" and self.limits.factor != 1:
                tensor = attention.trace()["W_Q"].tensor
                trained = replace(stage, key=f"trained/{stage.key}", tensor=tensor)
                stages.append(trained)
                factors = (Operand(trained.key, trained.roles), Constant(self.limits.factor, "f"))
                formula = r"W^Q = f \cdot {W^Q}_0"
                stage = replace(stage, formula=formula, rule=Product(factors))
            stages.append(stage)
        return Trace(stages)

    def perplexity(self, limits: ScoreLimits) -> float:
        """Of the sentence, with these limits in all layers."""
        return sentence_perplexity(
            self.reading, limits, lambda attention: changed(attention, limits)
        )


def changed(attention: Attention, limits: ScoreLimits) -> Attention:
    """The attention of a layer with limits."""
    weights, options = limits.apply(attention.weights, attention.options)
    return replace(attention, weights=weights, options=options)


def limits_input(words: Words, texts: Words) -> Limited:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    link.bind_param("factor", FIRST_FACTOR, _one_of(FACTORS))
    if (former := link.session().pending.pop("brakes", None)) is not None:
        link.imply("limits", former)  # its name in older links
    link.bind_param("limits", FIRST_KINDS, parse.some_of(KINDS))
    for name, options, begins in (
        ("cap", CAPS, FIRST_CAP),
        ("sink", SINKS, FIRST_SINK),
        ("temperature", TEMPERATURES, FIRST_TEMPERATURE),
    ):
        link.bind_param(name, begins, _one_of(options))
    text = st.container()  # filled last: the controls stay where a text is refused
    left, right = st.columns([3, 4], gap="medium")
    left.select_slider(
        texts.factor, FACTORS, key="factor", format_func="× {:g}".format, help=texts.factor_help
    )
    on = right.pills(
        texts.limits, KINDS, selection_mode="multi", key="limits",
        format_func=lambda kind: texts.names[kind],
    )  # fmt: skip
    _sliders(on, texts)
    with text:
        reading = decoder_input()
    state = st.session_state
    return Limited(
        reading,
        ScoreLimits(
            factor=state["factor"],
            soft_cap=state["cap"] if "soft_cap" in on else None,
            qk_norm="qk_norm" in on,
            sink=state["sink"] if "sink" in on else None,
            temperature=state["temperature"] if "temperature" in on else 1.0,
        ),
    )


def _sliders(on: list[str], texts: Words) -> None:
    """Draw a slider for each limit that is on and has a number."""
    sliders = {
        "soft_cap": ("cap", texts.cap, CAPS),
        "sink": ("sink", texts.sink, SINKS),
        "temperature": ("temperature", texts.temperature, TEMPERATURES),
    }
    drawn = [slider for kind, slider in sliders.items() if kind in on]
    if drawn:
        for column, (key, label, options) in zip(
            st.columns(len(drawn), gap="medium"), drawn, strict=True
        ):
            column.select_slider(label, options, key=key, format_func="{:g}".format)


def _one_of(options: tuple[float, ...]) -> Callable[[str], Any]:
    return parse.one_of(options, {f"{option:g}": str(option) for option in options})
