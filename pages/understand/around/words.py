"""The texts of the page on dropout, residual connection and LayerNorm."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class AroundWords:
    """cosine, spread: texts behind a row. ``…_reads``: sentences about the numbers of a step.

    places: the sublayer by where its norm stands, by the name in ``core``.
    """

    lesson: Lesson
    text: str
    origin: str
    dropout: str
    p: str
    draw: str
    draw_help: str
    mean: str
    cosine: str
    spread: str
    dropped_reads: str
    all_dropped: str
    mean_reads: str
    not_dropped: str
    training: str
    residual: str
    residual_reads: str
    normalised: str
    normalised_reads: str
    factor: str
    shift: str
    moved: str
    again: str
    forgets_reads: str
    epsilon_reads: str
    norm_places: str
    places: dict[str, str]
    places_read: tuple[str, ...]
    feed_forward: str
    feed_forward_reads: str
    code: str


WORDS = load(AroundWords, __file__)
