"""The words of the page on multi-head latent attention."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class LatentWords:
    """strips: the titles of the tables of numbers, by what they hold. says: of the chosen d_c, if
    the cache shrinks, or if nothing is saved; and of the perplexity.
    lines: of the curve. absorb: of the scores without K, and with rotary positions.
    kinds: of attention in the table of the large model.
    """

    lesson: Lesson
    d_c: str
    d_c_help: str
    claim: str
    strips: dict[str, str]
    cell: str
    strips_note: str
    says: dict[str, str]
    curve: str
    d_c_axis: str
    perplexity_axis: str
    lines: dict[str, str]
    absorbed: str
    absorb: dict[str, str]
    origin: str
    own: str
    own_columns: tuple[str, ...]
    named: str
    kinds: dict[str, str]
    columns: tuple[str, ...]
    trade: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(LatentWords, __file__)
