"""The words around a model card; the card itself is prose of its own under assets/models."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelCardWords:
    """title: of the drawer that holds the card."""

    title: str


WORDS = {
    "en": ModelCardWords(
        title="Model card: how it was trained, what was measured, what it cannot do"
    ),
    "zh": ModelCardWords(title="模型卡：怎样训练，测到了什么，做不到什么"),
}
