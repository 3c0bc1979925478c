"""The words of the page on soft cap, QK norm and other brakes."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class BrakesWords:
    """names: of the brakes, by key. says: what each does to the chosen row, and ``none`` of them.

    lines: of the charts, without and with brakes. measured: the columns of the table of the row,
    rows: its rows. perplexity: of the decoder without a change of it, with longer queries, and with
    brakes. origin: what is not trained. calls: what a brake computes, by key.
    """

    lesson: Lesson
    factor: str
    factor_help: str
    brakes: str
    names: dict[str, str]
    cap: str
    sink: str
    temperature: str
    query: str
    head: str
    claim: str
    scores: str
    weights: str
    lines: dict[str, str]
    sink_bar: str
    bar: str
    says: dict[str, str]
    curve: str
    curve_axis: str
    capped_axis: str
    identity: str
    row_title: str
    measured: tuple[str, ...]
    rows: dict[str, str]
    over_factor: str
    factor_axis: str
    entropy_axis: str
    gradient_axis: str
    perplexity: dict[str, str]
    origin: str
    of_named: str
    columns: tuple[str, ...]
    calls: dict[str, str]
    cache: str
    gradient_is: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(BrakesWords, __file__)
