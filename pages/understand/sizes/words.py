"""The words of the page that tells what the numbers of a shape mean."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class SizesWords:
    """Words that differ by the kind of input are found under ``text``, ``image`` and ``sound``."""

    lesson: Lesson
    preset: str
    presets: Mapping[str, str]
    batch: str
    n: Mapping[str, str]
    heads: str
    d_model: str
    back: str
    means_batch: Mapping[str, str]
    means_head: str
    means_query: Mapping[str, str]
    means_d_k: str
    means_key: Mapping[str, str]
    answer: Mapping[str, str]
    way: str
    way_steps: tuple[str, str, str, str, str, str]
    packed: str
    way_caption: str
    way_caption_one: str
    changed: str
    nothing_changed: str
    change: str
    factor: str
    growth: str
    growth_axes: tuple[str, str]
    growth_lines: tuple[str, str]
    growth_here: str
    table: str
    columns: tuple[str, str, str, str, str, str, str, str]
    total: str
    counted: str
    real_all: str
    real_samples: str
    real_head: str
    real_none: str
    begins_at_x: str
    no_square: str
    cut: str
    cut_about: str


WORDS = load(SizesWords, __file__)
