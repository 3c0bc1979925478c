"""The texts of an exported HTML file."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class ExportWords:
    """The labels of the input, the weights and the URL in the header of the file.

    counted: the number of tokens, by kind, if they have no names. one_head: the head that the file
    contains, if it does not contain all.
    """

    input: str
    weights: str
    address: str
    counted: Mapping[str, str]
    one_head: str


WORDS = load(ExportWords, __file__)
