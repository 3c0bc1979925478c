"""The controls of the page on learning: how many steps, how large, and from which seed."""

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal

import streamlit as st

from core.experiments.learning import Learner
from views import link, parse
from views.text import Words
from views.widgets.option_input import option_input
from views.widgets.whole_number import seed_input

MOST = 60  # steps, each of them computed in every run
RATES = (0.1, 0.3, 1.0)
FIRST_RATE, FIRST_SEED = 0.3, 2


@dataclass(frozen=True)
class Course:
    """A sentence's three words, the seed, the learning rate, and how many steps were taken."""

    words: tuple[str, str, str]
    seed: int = FIRST_SEED
    rate: float = FIRST_RATE
    taken: int = 0

    def steps(self) -> list[Learner]:
        """The model at the start and after every step; fewer if a step ends the learning."""
        start = Learner.seeded(self.words, self.seed)
        return [*islice(start.steps(self.rate), self.taken + 1)]


def course_input(texts: Words) -> Course:
    """Draw the controls and return their values. Raises out_of_range."""
    taken: int = link.bind_param("steps", 0, parse.number(0, MOST))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="course"):
        kinds: tuple[tuple[str, int, Literal["primary", "secondary"]], ...] = (
            ("one", taken + 1, "primary"),
            ("ten", taken + 10, "secondary"),
            ("start", 0, "secondary"),
        )
        for key, to, kind in kinds:
            st.button(
                texts.buttons[key], key=f"step_{key}", type=kind,
                disabled=to == taken or (taken == MOST and to > 0),
                on_click=partial(link.set_value, "steps", min(to, MOST)),
            )  # fmt: skip
        rate: float = option_input(texts.rate, "rate", RATES, "{:g}".format, first=FIRST_RATE)
        seed = seed_input(texts.seed, FIRST_SEED, width=120)
    return Course(tuple(texts.words), seed, rate, taken)
