"""Single sentences of both languages, from the pairs of Tatoeba and with the same split.

See ``training.tatoeba`` for source, licence and split: no validation or test sentence, nor one that
differs from it in punctuation or capitals alone, is in the training part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from opencc import OpenCC

from training.tatoeba import Split


@dataclass(frozen=True)
class Sentences:
    """Distinct sentences of both languages; one of ``train`` is in no other part."""

    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]


@cache
def _simplifier() -> OpenCC:
    return OpenCC("t2s")


def to_simplified(sentence: str) -> str:
    """The sentence with traditional characters replaced by simplified ones."""
    converted: str = _simplifier().convert(sentence)
    return converted


def is_chinese(sentence: str) -> bool:
    """Whether any character is Chinese."""
    return any("\u4e00" <= character <= "\u9fff" for character in sentence)


def sentences(pairs: Split) -> Sentences:
    """The sentences of a split of pairs; one of the training part is in no other part."""
    train = _distinct(text for pair in pairs.train for text in (pair.source, pair.target))
    in_train = set(train)

    def held_out(cases: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(text for text in _distinct(t for case in cases for t in case)
                     if text not in in_train)  # fmt: skip

    return Sentences(
        train,
        held_out((case.source, *case.references) for case in pairs.validation),
        held_out((case.source, *case.references) for case in pairs.test),
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(to_simplified(text) for text in texts if text))
