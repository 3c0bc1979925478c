"""What readers type first: two lists of sentences, and names in sentences; none is learnt.

The development list was looked at while more was written for the translator to learn from; the test
list was written by somebody who did not know that. A translation is right if a person judged it so.
A name is carried over if the translation contains its English.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from training.translator.templates import WRITTEN, Lexicon

LISTS = ("development", "test")
FRAMES = {
    "city": ("我想念{}", "他们搬到{}去了。", "{}是我的家乡。"),
    "country": ("我想念{}", "他们搬到{}去了。", "我刚从{}回来。"),
    "name": ("我想念{}", "{}的电话响了。", "{}忘了带伞。"),
}
ALSO = {  # other names in use, as patterns
    "the United States": "America",
    "the Czech Republic": "Czechia",
    "South Korea": "(?<!North )Korea",
}
NAMES = {"city": 40, "country": 60, "name": 50}  # the first of each class


@dataclass(frozen=True)
class FirstSentence:
    """A Chinese sentence and a right translation of it."""

    source: str
    reference: str


def read(name: str) -> tuple[FirstSentence, ...]:
    """The sentences of ``written/first_sentences_<name>.tsv``. name: one of ``LISTS``."""
    lines = (WRITTEN / f"first_sentences_{name}.tsv").read_text("utf-8").splitlines()
    return tuple(FirstSentence(*line.split("\t")) for line in lines)


def judgements() -> dict[tuple[str, str], bool]:
    """Whether a translation of a sentence is right, as ``written/judged.tsv`` has it."""
    lines = (WRITTEN / "judged.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {(source, translation): verdict == "right" for source, translation, verdict in rows}


def contains(translation: str, name: str) -> bool:
    """Whether a translation contains a name, or another one in use for the same."""
    patterns = [re.escape(name), *([ALSO[name]] if name in ALSO else [])]
    return any(re.search(one, translation, re.IGNORECASE) for one in patterns)


def named(lexicon: Lexicon) -> Iterator[tuple[str, str, Sequence[str]]]:
    """The class of each name that is looked for, its English, and the sentences with it."""
    for kind, count in NAMES.items():
        for entry in lexicon[kind][:count]:
            yield kind, entry["en"], [frame.format(entry["zh"]) for frame in FRAMES[kind]]
