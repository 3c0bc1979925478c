"""The words of the page on attention in tiles."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class TilesWords:
    """tile: the title of a tile of scores. order: the title of the map of all tiles.

    step_says: of the chosen tile: a first one, one with a larger score than before, one without.
    total: the sums of the chosen tile, written out; exponent: that of the factor. done: behind the
    last tile. steps: the columns of the table of all tiles so far. traffic: its rows by key,
    columns: its columns. pays: whether tiles save traffic at the reader's length, or not.
    """

    lesson: Lesson
    tile_keys: str
    tile_queries: str
    query: str
    head: str
    claim: str
    previous: str
    next: str
    of_tiles: str
    tile: str
    order: str
    order_note: str
    step_says: dict[str, str]
    total: dict[str, str]
    exponent: str
    output: str
    output_axis: str
    so_far: str
    plain: str
    steps: tuple[str, ...]
    done: str
    ongoing: str
    memory: str
    memory_lead: str
    own: str
    named: str
    traffic: dict[str, str]
    columns: tuple[str, ...]
    pays: dict[str, str]
    softmax: str
    saved: str
    on_chip_axis: str
    times_axis: str
    line: str
    chip: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(TilesWords, __file__)
