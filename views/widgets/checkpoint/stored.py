"""How the weights of a model are stored, where that is in fewer bits than they had in training."""

from core.models.opened_model import Checkpoint
from views.text import CHECKPOINT, Words


def stored_as(model: Checkpoint, words: Words) -> str:
    """A sentence on it; empty for weights of 16 bits or more."""
    kind = model.quantization
    if kind is None:
        return ""
    return str(
        CHECKPOINT[words.code].stored.format(name=kind.name, bits=kind.bits, block=kind.numbers)
    )


def with_stored(model: Checkpoint, origin: str, words: Words) -> str:
    """Where the weights come from, and in a second line how they are stored."""
    if model.quantization is None:
        return origin
    return f"{origin}\n{stored_as(model, words)}"
