"""The texts around a model card; the card itself is a file under assets/models."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class ModelCardWords:
    """title: of the expander with the card."""

    title: str


WORDS = load(ModelCardWords, __file__)
