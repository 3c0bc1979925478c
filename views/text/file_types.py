"""How a file of the wrong type is named, and what to do with it."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class FileTypeWords:
    """this, named: the subject of a sentence, an upload or a file of a folder.

    groups: what a file is, by the group of its type. next: what to do with it, by what is wanted
    and by group, *any* for whatever is wanted and *other* for any further group.
    """

    this: str
    named: str
    groups: Mapping[str, str]
    next: Mapping[str, Mapping[str, str]]


WORDS = load(FileTypeWords, __file__)
