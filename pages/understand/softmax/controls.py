"""The controls of the page on softmax: the scores of one row and the temperature."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import ops
from core.limits import ROW
from views import link, parse
from views.text import Words
from views.widgets.prose import heading

FIRST = (3.0, 1.5, 0.5, 2.0)
FURTHER = (0.0, -0.5, -1.0, -2.0)
FEWEST = 2
LIMIT, STEP = 10.0, 0.25
TEMPERATURES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 20.0)


@dataclass(frozen=True)
class Row:
    """The scores of one query, and the temperature."""

    scores: tuple[float, ...]
    temperature: float
    keys: tuple[str, ...]

    @property
    def scaled(self) -> np.ndarray:
        """The scores divided by the temperature, as softmax gets them: (key,)."""
        return ops.scale_scores(np.array(self.scores), 1.0, self.temperature)


def row_input(texts: Words) -> Row:
    """Draw the controls and return their values."""
    heading(texts.heading)
    scores = link.bind_param("scores", FIRST, _scores)
    left, right = st.columns(2)
    link.show("key_count", len(scores))
    left.number_input(
        texts.count, FEWEST, ROW.tokens, step=1, key="key_count", on_change=_other_count
    )
    link.bind_param("temperature", 1.0, _temperature)
    link.offer("temperature", TEMPERATURES)
    temperature = right.select_slider(
        texts.temperature, TEMPERATURES, format_func=short, key="temperature",
        help=texts.temperature_help,
    )  # fmt: skip
    with st.container(key="score_sliders"):
        for index, score in enumerate(scores):
            if index % 2 == 0:
                sides = st.columns(2)
            key = f"score_{index}"
            link.show(key, score)
            sides[index % 2].slider(
                texts.key_tokens[index], -LIMIT, LIMIT, step=STEP, format="%.2f", key=key,
                on_change=_other_score, args=(index,),
            )  # fmt: skip
    return Row(scores, temperature, texts.key_tokens[: len(scores)])


def short(number: float) -> str:
    """A number as text, without trailing zeros."""
    return f"{number:g}"


def _scores(text: str) -> tuple[float, ...]:
    read = parse.number(-LIMIT, LIMIT, float)
    scores = tuple(read(part) for part in text.split(","))
    if not FEWEST <= len(scores) <= ROW.tokens:
        raise ValueError(text)
    return scores


def _temperature(text: str) -> float:
    temperature = float(parse.number(TEMPERATURES[0], TEMPERATURES[-1], float)(text))
    if temperature not in TEMPERATURES:
        raise ValueError(text)
    return temperature


def _other_count() -> None:
    count, scores = st.session_state["key_count"], st.session_state["scores"]
    link.set_value("scores", (*scores, *(FIRST + FURTHER)[len(scores) :])[:count])


def _other_score(index: int) -> None:
    scores = list(st.session_state["scores"])
    scores[index] = st.session_state[f"score_{index}"]
    link.set_value("scores", tuple(scores))
