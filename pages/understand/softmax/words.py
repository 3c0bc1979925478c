"""What the page on softmax says."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class RowWords:
    """The row of scores, its controls and the sum.

    keys: what the query may look at; the row begins with the first of them. largest, tied, equal:
    one of them is said of the largest weight; ratio, beyond: one of them of the two largest.
    """

    query: str
    keys: tuple[str, ...]
    heading: str
    count: str
    temperature: str
    temperature_help: str
    temperature_of: str
    origin: str
    sum_heading: str
    sum_note: str
    weights_axis: str
    temperature_axis: str
    entropy_axis: str
    bars_heading: str
    entropy_heading: str
    largest: str
    tied: str
    equal: str
    ratio: str
    beyond: str
    entropy: str
    code: str


@dataclass(frozen=True)
class AxisWords:
    """Why by row. right, wrong, thin: sentences for softmax over keys, queries, and both."""

    heading: str
    lead: str
    label: str
    options: dict[str, str]
    row_sum: str
    not_one: str
    right: str
    wrong: str
    thin: str
    answer: str


@dataclass(frozen=True)
class ConstantWords:
    """A constant added to every score. overflow, underflow, fine: one of them is shown."""

    heading: str
    lead: str
    label: str
    naive: str
    stable: str
    overflow: str
    underflow: str
    fine: str
    bias: str


@dataclass(frozen=True)
class SoftmaxWords:
    """The whole page."""

    lesson: Lesson
    row: RowWords
    axis: AxisWords
    constant: ConstantWords


WORDS = load(SoftmaxWords, __file__)
