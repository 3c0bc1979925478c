"""The controls of the page on √d_k, and the random scores for their values."""

from dataclasses import dataclass

import streamlit as st

from core.experiments.scaling import WIDTHS, Divisor, RandomScores, divisor, random_scores
from views import link, parse
from views.text import Words
from views.widgets.option_input import option_input
from views.widgets.whole_number import seed_input

FIRST_WIDTH = 64
FIRST_SEED = 1  # its first row, which is drawn, is close to the mean of all rows
CHOSEN_WIDTHS = tuple(width for width in WIDTHS if width <= 1024)  # the axis of scores ends there
CHOICES: tuple[Divisor, ...] = ("sqrt_d_k", "d_k", "sqrt_d_model")


@dataclass(frozen=True)
class Experiment:
    """d_k, the divisor (``kind``), and the seed."""

    d_k: int
    kind: Divisor
    seed: int

    @property
    def widths(self) -> tuple[RandomScores, ...]:
        """The scores for every d_k."""
        return random_scores(self.seed)

    @property
    def index(self) -> int:
        """The index of d_k in ``WIDTHS``."""
        return WIDTHS.index(self.d_k)

    @property
    def scores(self) -> RandomScores:
        """The scores for d_k."""
        return self.widths[self.index]

    @property
    def divided_by(self) -> float:
        """The divisor as a number."""
        return divisor(self.kind, self.d_k)


FIRST = Experiment(FIRST_WIDTH, CHOICES[0], FIRST_SEED)


def scaling_input(texts: Words) -> Experiment:
    """Draw the controls and return their values. Raises out_of_range."""
    width, kind, seed = st.columns([6, 4, 2])
    d_k: int = link.bind_param("d_k", FIRST_WIDTH, parse.one_of(CHOSEN_WIDTHS))
    link.offer("d_k", CHOSEN_WIDTHS)
    width.select_slider(texts.d_k, CHOSEN_WIDTHS, key="d_k")
    chosen: Divisor = option_input(
        texts.divisor, "divisor", CHOICES, where=kind,
        format_func=lambda option: texts.divisors[option].replace("_", r"\_"),
    )  # fmt: skip
    drawn = seed_input(texts.seed, FIRST_SEED, where=seed, help=texts.seed_help)
    return Experiment(d_k, chosen, drawn)
