"""Sentence pairs of Tatoeba: read, normalised, and split so that no sentence is on two sides.

Source: sentence pairs of https://tatoeba.org as collected by https://www.manythings.org/anki
(``cmn-eng``), one a line: Chinese, English, attribution. Licence: CC-BY 2.0 France
(https://creativecommons.org/licenses/by/2.0/fr/); who uses a model trained on them names Tatoeba.
"""

import gzip
import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SHA256 = "de2ffd78fee8045a9afaa131e272bb03d430dff5fe7945519bc29e882b095f81"
VALIDATION = 500  # Chinese sentences
TEST = 1_000
LARGEST_GROUP = 6  # connected pairs; larger groups go to the training part
ONE_MARK = str.maketrans("‘’“”", "''\"\"")


@dataclass(frozen=True)
class Pair:
    """A Chinese sentence and one English translation of it."""

    source: str
    target: str


@dataclass(frozen=True)
class Case:
    """A Chinese sentence of the validation or test part, with all its reference translations."""

    source: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Split:
    """The training, validation and test parts."""

    train: tuple[Pair, ...]
    validation: tuple[Case, ...]
    test: tuple[Case, ...]


def read(path: Path) -> tuple[Pair, ...]:
    """All distinct pairs of the file. Raises ValueError where it is not the file named above."""
    packed = path.read_bytes()
    if hashlib.sha256(packed).hexdigest() != SHA256:
        raise ValueError(f"{path} is not the file with SHA-256 {SHA256}")
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return pairs(line.split("\t")[:2] for line in lines)


def pairs(rows: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    """Distinct pairs in their order, both sides normalised."""
    normalised = (Pair(chinese(source), english(target)) for source, target in rows)
    return tuple(dict.fromkeys(normalised))


def chinese(sentence: str) -> str:
    """A normalised Chinese sentence: ASCII letters and digits, full-width punctuation."""
    wide = str.maketrans("?!,:;()", "？！，：；（）")
    visible = "".join(c for c in sentence if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", visible).translate(wide).split())


def english(sentence: str) -> str:
    """A normalised English sentence: straight quotation marks, single spaces."""
    return " ".join(unicodedata.normalize("NFC", sentence).translate(ONE_MARK).split())


def key(sentence: str) -> str:
    """A sentence without punctuation, spaces and capitals."""
    return "".join(c for c in sentence.lower() if c.isalnum())


def split(all_pairs: Sequence[Pair]) -> Split:
    """Split the pairs by a hash, which does not depend on their order.

    Two pairs are connected when they share a Chinese or an English sentence, regardless of
    punctuation, spaces and capitals; connected pairs go to the same part.
    """
    groups = _connected_components(all_pairs)
    cases: list[list[Case]] = [[], []]
    train: set[Pair] = set()
    for _, group in sorted((_hash(group), group) for group in groups):
        part = next((i for i, n in enumerate((VALIDATION, TEST)) if len(cases[i]) < n), None)
        if part is None or len(group) > LARGEST_GROUP:
            train.update(Pair(*pair) for pair in group)
        else:
            cases[part] += _cases(group)
    train_pairs = tuple(pair for pair in all_pairs if pair in train)
    return Split(train_pairs, tuple(cases[0]), tuple(cases[1]))


def _connected_components(all_pairs: Sequence[Pair]) -> list[list[tuple[str, str]]]:
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for pair in all_pairs:
        parent[root("source " + key(pair.source))] = root("target " + key(pair.target))
    groups = defaultdict(list)
    for pair in all_pairs:
        groups[root("source " + key(pair.source))].append((pair.source, pair.target))
    return [sorted(group) for group in groups.values()]


def _cases(group: Sequence[tuple[str, str]]) -> list[Case]:
    references = defaultdict(list)
    for source, target in group:
        references[source].append(target)
    return [Case(source, tuple(targets)) for source, targets in references.items()]


def _hash(group: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256(key(group[0][0]).encode()).hexdigest()
