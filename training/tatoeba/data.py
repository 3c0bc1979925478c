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
LARGEST = 6  # pairs that hang together: more of them are learnt from, as are all long chains
ONE_MARK = str.maketrans("‘’“”", "''\"\"")


SUPPLEMENT = Path(__file__).with_name("supplement.tsv")


@dataclass(frozen=True)
class Pair:
    """A Chinese sentence and one English translation of it."""

    source: str
    target: str


@dataclass(frozen=True)
class Case:
    """A Chinese sentence to measure on, with every translation that is known of it."""

    source: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Split:
    """What is learnt from, what settings are chosen on, and what the figures are measured on."""

    learnt: tuple[Pair, ...]
    validation: tuple[Case, ...]
    test: tuple[Case, ...]


def read(path: Path) -> tuple[Pair, ...]:
    """All distinct pairs of the file. Raises ValueError where it is not the file named above."""
    packed = path.read_bytes()
    if hashlib.sha256(packed).hexdigest() != SHA256:
        raise ValueError(f"{path} is not the file with SHA-256 {SHA256}")
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return pairs(line.split("\t")[:2] for line in lines)


def supplement(found: Split, path: Path = SUPPLEMENT) -> tuple[Pair, ...]:
    """The pairs written for this project, without any that would give away what is measured on."""
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line[:1] != "#")
    cases = (*found.validation, *found.test)
    measured = {_key(one) for case in cases for one in (case.source, *case.references)}
    return tuple(
        pair
        for pair in pairs(rows)
        if _key(pair.source) not in measured and _key(pair.target) not in measured
    )


def pairs(rows: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    """Distinct pairs in their order, each side in one way of writing."""
    found = (Pair(chinese(source), english(target)) for source, target in rows)
    return tuple(dict.fromkeys(found))


def chinese(sentence: str) -> str:
    """Full-width letters and digits become ASCII, half-width marks the Chinese ones."""
    wide = str.maketrans("?!,:;()", "？！，：；（）")
    visible = "".join(c for c in sentence if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", visible).translate(wide).split())


def english(sentence: str) -> str:
    """Straight quotation marks, single spaces."""
    return " ".join(unicodedata.normalize("NFC", sentence).translate(ONE_MARK).split())


def split(everything: Sequence[Pair]) -> Split:
    """Part the pairs, the same way in whatever order they come.

    Pairs hang together when they share a Chinese or an English sentence, punctuation, spaces and
    capitals aside; what hangs together stays together.
    """
    groups = _together(everything)
    cases: list[list[Case]] = [[], []]
    learnt: set[Pair] = set()
    for _, group in sorted((_place(group), group) for group in groups):
        wanted = next((i for i, n in enumerate((VALIDATION, TEST)) if len(cases[i]) < n), None)
        if wanted is None or len(group) > LARGEST:
            learnt.update(Pair(*pair) for pair in group)
        else:
            cases[wanted] += _cases(group)
    kept = tuple(pair for pair in everything if pair in learnt)
    return Split(kept, tuple(cases[0]), tuple(cases[1]))


def _together(everything: Sequence[Pair]) -> list[list[tuple[str, str]]]:
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for pair in everything:
        parent[root("source " + _key(pair.source))] = root("target " + _key(pair.target))
    groups = defaultdict(list)
    for pair in everything:
        groups[root("source " + _key(pair.source))].append((pair.source, pair.target))
    return [sorted(group) for group in groups.values()]


def _cases(group: Sequence[tuple[str, str]]) -> list[Case]:
    references = defaultdict(list)
    for source, target in group:
        references[source].append(target)
    return [Case(source, tuple(found)) for source, found in references.items()]


def _key(sentence: str) -> str:
    return "".join(c for c in sentence.lower() if c.isalnum())


def _place(group: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256(_key(group[0][0]).encode()).hexdigest()
