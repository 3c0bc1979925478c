"""Single sentences of both languages, from the pairs of Tatoeba and by the same split.

See ``training.tatoeba.data`` for source, licence and split: no sentence that is measured on, nor
one that differs from it in punctuation or capitals alone, is learnt from.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from opencc import OpenCC

from training.tatoeba.data import Split


@dataclass(frozen=True)
class Sentences:
    """Distinct sentences, Chinese and English alike, each known by whether it is Chinese."""

    learnt: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]


@cache
def _simplifier() -> OpenCC:
    return OpenCC("t2s")


def simplified(sentence: str) -> str:
    """Traditional characters become simplified ones, so that each word is met more often."""
    made: str = _simplifier().convert(sentence)
    return made


def is_chinese(sentence: str) -> bool:
    """Whether a Chinese character stands in it."""
    return any("\u4e00" <= character <= "\u9fff" for character in sentence)


def sentences(found: Split) -> Sentences:
    """The sentences of a split; one that is learnt is in no other part."""
    learnt = _distinct(text for pair in found.learnt for text in (pair.source, pair.target))
    known = set(learnt)

    def held(cases: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(text for text in _distinct(t for case in cases for t in case)
                     if text not in known)  # fmt: skip

    return Sentences(
        learnt,
        held((case.source, *case.references) for case in found.validation),
        held((case.source, *case.references) for case in found.test),
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(simplified(text) for text in texts if text))
