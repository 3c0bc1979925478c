"""What the map of a model says."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class PartWords:
    """A part of a model: its name, what it does in two or three words, and in a sentence.

    ``{token}`` is a word or a patch, ``{words}`` the words that the part begins with.
    """

    name: str
    does: str
    about: str


@dataclass(frozen=True)
class OthersWords:
    """Layers whose parts are not shown: what is to be said of them in two words, and why."""

    does: str
    about: str


@dataclass(frozen=True)
class ModelMapWords:
    """The map of a model.

    place: where in the model a part stands; place_of: where one layer of many is shown.
    layer, layers: those that are not shown; before: run through on the way, behind: not needed.
    sides: the encoder and the decoder. mean: what the small pictures show. parts: by kind;
    attention of a token to its own side is told apart where the model has two sides.
    """

    label: str
    place: str
    place_of: str
    layer: str
    layers: str
    before: OthersWords
    behind: OthersWords
    sides: dict[str, str]
    mean: str
    parts: dict[str, PartWords]


WORDS = load(ModelMapWords, __file__)
