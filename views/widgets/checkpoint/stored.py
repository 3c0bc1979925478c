"""How the weights of a model are stored, where that is in fewer bits than they had in training."""

from core.models.opened_model import Checkpoint
from views.preferences import words
from views.text import CHECKPOINT, Words
from views.text.spans import spans
from views.widgets.microscope import Origin
from views.widgets.prose import prose


def stored_as(model: Checkpoint, words: Words) -> str:
    """A sentence on it; empty for weights of 16 bits or more."""
    kind = model.quantization
    if kind is None:
        return ""
    return str(
        CHECKPOINT[words.code].stored.format(name=kind.name, bits=kind.bits, block=kind.numbers)
    )


def show_stored(model: Checkpoint) -> None:
    """Draw the sentence; nothing if it is empty."""
    if sentence := stored_as(model, words()):
        prose([spans(sentence)], key="stored", style="quiet")


def with_stored(model: Checkpoint, origin: Origin) -> Origin:
    """Where the weights come from, and how they are stored."""
    if model.quantization is None:
        return origin
    return lambda words: words.both.format(first=origin(words), second=stored_as(model, words))
