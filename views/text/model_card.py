"""The words around a model card; the card itself is prose of its own under assets/models."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class ModelCardWords:
    """title: of the drawer that holds the card."""

    title: str


WORDS = load(ModelCardWords, __file__)
