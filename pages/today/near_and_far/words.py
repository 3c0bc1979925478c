"""The words of the page on windows, sinks and global tokens."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class NearAndFarWords:
    """needed: the title of the table of layers. reached: of the drawing of one token's field.

    field_says: of the chosen token, if it hears of all before it (also over a sink or a global
    token, a short cut), of some, or is the first.
    panels: the figures of weights, as trained, as chosen, and their difference.
    says: what the numbers say, if the window is as wide as the text, and of the perplexity, if it
    is higher, no higher, and with the first token kept.
    patterns: which layers see how far, by key.
    """

    lesson: Lesson
    window: str
    window_help: str
    sinks: str
    sinks_help: str
    global_token: str
    global_help: str
    no_global: str
    claim: str
    needed: str
    needed_note: str
    reached: str
    input_level: str
    level: str
    node: str
    field_says: dict[str, str]
    on_decoder: str
    panels: dict[str, str]
    head: str
    cell: str
    outline: str
    says: dict[str, str]
    curve: str
    window_axis: str
    perplexity_axis: str
    lines: dict[str, str]
    own_pairs: str
    of_named: str
    columns: tuple[str, ...]
    patterns: dict[str, str]
    mistral: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(NearAndFarWords, __file__)
