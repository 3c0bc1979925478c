"""What the page on √d_k says."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class HalfPrecisionWords:
    """The card on half precision.

    orders, used_by: how an order, by its name in ``core``, is computed, and by which libraries.
    stored: how the table is read.
    outcomes: ``fits``, ``before`` (only the undivided product is too large), or ``beyond``.
    """

    heading: str
    entry: str
    lead: str
    order: str
    stored: str
    orders: dict[str, str]
    used_by: dict[str, str]
    outcomes: dict[str, str]
    code: str


@dataclass(frozen=True)
class ScalingWords:
    """The whole page.

    divisors: what the scores are divided by, by the name in the URL; divided_says: what the numbers
    say of each; few: what is said besides where d_k is small. raw, divided: names of the scores;
    spread_of: those with their spread. lines: what a curve stands for; median, mean: of which one.
    apart: why the two differ.
    """

    lesson: Lesson
    d_k: str
    divisor: str
    divisors: dict[str, str]
    seed: str
    seed_help: str
    origin: str
    raw: str
    divided: str
    spreads: str
    spread_of: str
    measured: str
    normal: str
    score_axis: str
    row: str
    key_axis: str
    spread_says: str
    few: str
    raw_says: str
    divided_says: dict[str, str]
    curves: str
    lines: dict[str, str]
    marked: str
    spread: str
    largest: str
    entropy: str
    saturated: str
    gradient: str
    median: str
    mean: str
    gradient_is: str
    apart: tuple[str, ...]
    question: str
    answer: str
    honest: str
    code: str
    half: HalfPrecisionWords


WORDS = load(ScalingWords, __file__)
