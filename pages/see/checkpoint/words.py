"""What the page of one's own model says."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load

Step = tuple[str, str]


@dataclass(frozen=True)
class BringWords:
    """How to bring a model.

    steps: what to do, and a word on it; what is typed is the same in every language. examples: of
    models to download, by kind. files: their names, and what is in each. others: to a reader whose
    model stays closed while there are more.
    """

    title: str
    purpose: str
    steps: tuple[Step, Step]
    examples: Mapping[str, str]
    windows: str
    holds: str
    files: tuple[Step, ...]
    refused: str
    reasons: tuple[str, ...]
    hosted: str
    others: str


@dataclass(frozen=True)
class OwnModelWords:
    """The page of a reader's own model.

    not_offered: of a link whose model is not there. none_opens: where no model of the folder can be
    opened. unopenable: of one in the list; reasons: why, by the class of the error. kinds: what a
    model reads, by how its file calls it. tower: of a model with several; towers: by name. about:
    the opened model in numbers. picture_help, sound_help: beside the photo or sound;
    sound_by_head: of many tokens, sound_cut: of a longer one. origin: where the weights come from.
    """

    model: str
    not_offered: str
    none_opens: str
    unopenable: str
    reasons: Mapping[str, str]
    kinds: Mapping[str, str]
    tower: str
    towers: Mapping[str, str]
    about: str
    text: str
    picture_help: str
    sound_help: str
    sound_by_head: str
    sound_cut: str
    origin: str
    origin_shipped: str
    bring: BringWords


WORDS = load(OwnModelWords, __file__)
