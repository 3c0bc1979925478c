"""The texts of the map of a model."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class PartWords:
    """A part of a model. does: in two or three words. about: in a sentence.

    ``{token}`` is a word or a patch, ``{words}`` the tokens that are the part's input.
    """

    name: str
    does: str
    about: str


@dataclass(frozen=True)
class OthersWords:
    """Layers that the trace does not have. does: in two words. about: why, in a sentence."""

    does: str
    about: str


@dataclass(frozen=True)
class ModelMapWords:
    """The map of a model.

    place: the position of a part in the model; place_of: if one layer of many is shown.
    layer, layers: names of layers that are not shown; before: computed, behind: not computed.
    sides: the encoder and the decoder. mean: what the thumbnails show. parts: by kind; with two
    sides, self-attention has a text for each.
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


def part_title(path: str, language: str) -> str:
    """A part of a model in words, given by its path: ``encoder/5/self``, or ``prediction``.

    Raises KeyError if no map shows such a part.
    """
    texts = WORDS[language]
    *layer, kind = path.split("/")
    name = texts.parts[kind].name
    if not layer:
        return name
    side, number = layer
    return f"{texts.place.format(side=texts.sides[side], number=number)} · {name}"
