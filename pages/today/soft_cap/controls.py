"""The sentence, how long queries are, and the brakes; and the attention that they give."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import streamlit as st

from core import Trace
from core.experiments.soft_cap import Brakes
from core.models.altered import Attention
from core.rules import Constant, Given, Operand, Product
from views import link, parse
from views.text import Words
from views.widgets.decoder_input import Reading, decoder_input, first_reading
from views.widgets.decoder_perplexity import sentence_perplexity

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
CAPS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0)
SINKS = tuple(float(logit) for logit in range(-4, 9))
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
KINDS = ("soft_cap", "qk_norm", "sink", "temperature")
FIRST_FACTOR, FIRST_CAP, FIRST_SINK, FIRST_TEMPERATURE, FIRST_HEAD = 4.0, 5.0, 4.0, 4.0, 3
FIRST_KINDS = ["soft_cap"]


@dataclass(frozen=True, eq=False)
class Braked:
    """A sentence in the decoder, with brakes in every layer."""

    reading: Reading
    brakes: Brakes = field(default_factory=lambda: Brakes(FIRST_FACTOR, soft_cap=FIRST_CAP))

    def traces(self) -> tuple[Trace, Trace, Trace]:
        """The layer as trained, with QK norm alone, and as chosen. Raises InputError."""
        attention = self.reading.attention
        normed = changed(attention, Brakes(qk_norm=True)).trace()
        return attention.trace(), normed, self._trace(attention)

    def _trace(self, attention: Attention) -> Trace:
        """The layer as chosen: W^Q is shown as f · W^Q_0, which was trained, and γ = 1 as given."""
        stages = []
        for stage in changed(attention, self.brakes).trace().values():
            if stage.key in ("gamma_Q", "gamma_K"):
                stage = replace(stage, rule=Given("input"))
            if stage.key == "W_Q" and self.brakes.factor != 1:
                tensor = attention.trace()["W_Q"].tensor
                trained = replace(stage, key=f"trained/{stage.key}", tensor=tensor)
                stages.append(trained)
                factors = (Operand(trained.key, trained.roles), Constant(self.brakes.factor, "f"))
                formula = r"W^Q = f \cdot {W^Q}_0"
                stage = replace(stage, formula=formula, rule=Product(factors))
            stages.append(stage)
        return Trace(stages)

    def perplexity(self, brakes: Brakes) -> float:
        """Of the sentence, with brakes in all layers."""
        return sentence_perplexity(
            self.reading, brakes, lambda attention: changed(attention, brakes)
        )


def changed(attention: Attention, brakes: Brakes) -> Attention:
    """The attention of a layer with brakes."""
    weights, options = brakes.on(attention.weights, attention.options)
    return replace(attention, weights=weights, options=options)


@cache
def first() -> Braked:
    """The example with which the page begins."""
    return Braked(first_reading())


def brakes_input(words: Words, texts: Words) -> Braked:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    link.bind_param("factor", FIRST_FACTOR, _one_of(FACTORS))
    link.bind_param("brakes", FIRST_KINDS, parse.some_of(KINDS))
    for name, options, begins in (
        ("cap", CAPS, FIRST_CAP),
        ("sink", SINKS, FIRST_SINK),
        ("temperature", TEMPERATURES, FIRST_TEMPERATURE),
    ):
        link.bind_param(name, begins, _one_of(options))
    text = st.container()  # filled last: the controls stay where a text is refused
    left, right = st.columns([3, 4], gap="medium")
    left.select_slider(
        texts.factor, FACTORS, key="factor", format_func=_times, help=texts.factor_help
    )
    on = right.pills(
        texts.brakes, KINDS, selection_mode="multi", key="brakes",
        format_func=lambda kind: texts.names[kind],
    )  # fmt: skip
    _sliders(on, texts)
    with text:
        reading = decoder_input(words)
    state = st.session_state
    return Braked(
        reading,
        Brakes(
            factor=state["factor"],
            soft_cap=state["cap"] if "soft_cap" in on else None,
            qk_norm="qk_norm" in on,
            sink=state["sink"] if "sink" in on else None,
            temperature=state["temperature"] if "temperature" in on else 1.0,
        ),
    )


def _sliders(on: list[str], texts: Words) -> None:
    """A slider for each brake that has a number."""
    drawn = [
        (kind, key, label, options)
        for kind, key, label, options in (
            ("soft_cap", "cap", texts.cap, CAPS),
            ("sink", "sink", texts.sink, SINKS),
            ("temperature", "temperature", texts.temperature, TEMPERATURES),
        )
        if kind in on
    ]
    if drawn:
        for column, (_, key, label, options) in zip(
            st.columns(len(drawn), gap="medium"), drawn, strict=True
        ):
            column.select_slider(label, options, key=key, format_func=_written)


def _written(number: float) -> str:
    return f"{number:g}"


def _times(number: float) -> str:
    return f"× {number:g}"


def _one_of(options: tuple[float, ...]) -> Callable[[str], Any]:
    return parse.one_of(options, {_written(option): str(option) for option in options})
