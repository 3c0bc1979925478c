"""The words of the page "Before attention"."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class BeforeWords:
    """What is left of a word in a recurrent net, against one step of attention.

    sample: what stands in the box at first.
    """

    lesson: Lesson
    text: str
    sample: str
    yours: str
    times: str
    times_help: str
    radius: str
    radius_help: str
    tanh: str
    tanh_help: str
    seed: str
    net: str
    attention: str
    by_distance: str
    back: str
    left: str
    word: str
    step: str
    heading: str
    fades: str
    grows: str
    stays: str
    repeated: str
    one_word: str
    measured: str
    all_seen: str
    history: str
    gates: str
    radius_above: str
    radius_linear: str
    price: str
    origin: str
    path_heading: str
    path_columns: tuple[str, str, str]
    path_rows: tuple[str, str, str]
    path_note: str
    last_row: str
    code: str
    code_is: str


WORDS = load(BeforeWords, __file__)
