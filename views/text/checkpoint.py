"""What is said of an opened model: its layers, its tokens, its heads and what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class StepsWords:
    """What a processor does to a photo, step by step.

    resized: to a size of its own. edge: the shorter one. as_it_is: where nothing is done.
    """

    resized: str
    edge: str
    cropped: str
    as_it_is: str
    then: str


@dataclass(frozen=True)
class HeadsWords:
    """Heads that do the same: how many there are, and what one of them does."""

    counted: str
    says: str


@dataclass(frozen=True)
class BoardWords:
    """All heads of all layers by what they do with the reader's input.

    show, help: the switch. counts: what stands before the counted kinds; kinds: by
    ``core.experiments.head_patterns.Pattern``, and ``none`` where no token has a choice. tokens:
    what a token is called here; and_: between the names of special ones; key: one of a text, by
    its name and its number. how: by what rule a head is of a kind. proves: what such a board is
    worth.
    """

    show: str
    help: str
    label: str
    layer: str
    head: str
    place: str
    counts: str
    kinds: Mapping[str, HeadsWords]
    tokens: Mapping[str, str]
    and_: str
    key: str
    how: str
    proves: str


@dataclass(frozen=True)
class FollowingWords:
    """The next token. show, help: the switch. ends: a token that ends the text. says: what it is
    worth.
    """

    show: str
    help: str
    ends: str
    says: str


@dataclass(frozen=True)
class SpecialWords:
    """By what is hidden: ``special`` tokens of a text, the ``cls`` of a picture, the ``first``
    token of a model that has no special ones.

    show: the switch. taken: how much of one head's weight they take, and how much they would get if
    every token shared out its weight evenly among all that it may see; by whether they have
    ``several`` names or ``one``, or are the ``first`` token. hidden: what is left out of the
    picture, and what is not. and_: between the last two names, list_: between the others.
    """

    show: Mapping[str, str]
    help: str
    taken: Mapping[str, str]
    hidden: str
    and_: str
    list_: str


@dataclass(frozen=True)
class PooledWords:
    """The row that CLIP keeps. says: by what it stands for, a ``text`` or a ``picture``; go: the
    button that chooses it.
    """

    says: Mapping[str, str]
    go: str


@dataclass(frozen=True)
class HeardWords:
    """A sound on its time axis. filled: the switch that shows what fills it up; silence: how much
    of its weight a token gives to that, and how much it would be if spread evenly.
    """

    filled: str
    silence: str


@dataclass(frozen=True)
class CheckpointWords:
    """An opened model in the microscope.

    called: a model in one word, by how its file calls it. text_help: how long a text may be. steps:
    what the model's processor does to a photo; prepared: as its pixels become numbers. cut,
    unknown, continues, begins, space, ends, bytes, unseen, left_out: what the marks of tokens mean,
    told where they occur. looks: over a lit photo. every_head: over the small ones.
    """

    called: Mapping[str, str]
    text_help: str
    steps: StepsWords
    prepared: str
    cut: str
    unknown: str
    continues: str
    begins: str
    space: str
    ends: str
    bytes: str
    unseen: str
    left_out: str
    layer: str
    one_layer: str
    previous_layer: str
    next_layer: str
    running: str
    looks: str
    every_head: str
    board: BoardWords
    following: FollowingWords
    special: SpecialWords
    heard: HeardWords
    pooled: PooledWords


WORDS = load(CheckpointWords, __file__)
