"""The texts of the Translation page."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class InputWords:
    """The controls: the sentence, the search, and teacher forcing."""

    sentence: str
    sentence_help: str
    search: str
    searches: Mapping[str, str]
    search_help: str
    forced: str
    forced_help: str
    target: str
    target_help: str
    own: str


@dataclass(frozen=True)
class DecodingWords:
    """The decoding component, whose browser side fills in the fields.

    glossed: whether pinyin and meaning are shown below a Chinese word.
    """

    figure: str
    play: str
    pause: str
    previous: str
    next: str
    word: str
    layer: str
    head: str
    mean: str
    looks: str
    spreads: str
    given_looks: str
    given_spreads: str
    hint: str
    after: str
    others: str
    rank: str
    instead: str
    pictures: str
    sides: str
    start: str
    end: str
    stopped: str
    prefix: str
    glossed: bool


@dataclass(frozen=True)
class TellingWords:
    """Sentences about this translation."""

    heading: str
    low_confidence: str
    drawn: str
    drawn_mean: str
    colon: str
    pair: str
    best: str
    better: str
    measured_own: str
    measured_given: str
    only_one: str
    end: str
    probability: str
    unsure: str
    given: str
    given_first: str
    stopped: str
    learnt: str
    origin: str
    gloss_from: str


@dataclass(frozen=True)
class PartsWords:
    """The model's parts. about: by kind and side."""

    heading: str
    about: Mapping[str, str]
    rows: str
    given_rows: str


@dataclass(frozen=True)
class TranslationWords:
    """The whole page."""

    asked: InputWords
    decoding: DecodingWords
    telling: TellingWords
    parts: PartsWords


WORDS = load(TranslationWords, __file__)
