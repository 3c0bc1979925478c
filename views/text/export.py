"""What a file says that holds one microscope and needs no server."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class ExportWords:
    """Around the microscope: what went in, where the weights and the file come from.

    counted: tokens that have no names, as so many. one_head: which head of several the file holds.
    """

    input: str
    weights: str
    address: str
    counted: Mapping[str, str]
    one_head: str


WORDS = load(ExportWords, __file__)
