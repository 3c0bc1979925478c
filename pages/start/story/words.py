"""What the story says."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class Scene:
    """One scene: a question, what may be guessed, and what is said once it was.

    right: which of the choices, from 1; 0 where there are none. hint: what to do with the picture.
    """

    title: str
    question: str
    choices: tuple[str, ...]
    right: int
    answer: str
    hint: str


@dataclass(frozen=True)
class Labels:
    """What stands around the pictures."""

    place: str
    back: str
    next: str
    asks: str
    word: str
    label: str
    value: str
    score: str
    share: str
    product: str
    sum: str
    largest: str
    head: str
    axes: tuple[str, str]
    arrow: str
    closest: str
    tied: str
    slider: str
    asked: str
    both: str
    opened: str
    close: str
    arcs: str
    gloss: tuple[str, str, str]


@dataclass(frozen=True)
class TrainedWords:
    """The last scene, where the reader's own sentence is translated.

    samples: sentences to choose from, each with what stands on its button.
    """

    text: str
    samples: Mapping[str, str]
    title: str
    origin: str
    next_pages: str


@dataclass(frozen=True)
class StoryWords:
    """The whole page."""

    title: str
    scenes: tuple[Scene, ...]
    labels: Labels
    trained: TrainedWords


WORDS = load(StoryWords, __file__)
