"""Numbers with thousands separators: 1.000,5, 1,000.5, 1 000.

The same characters separate numbers in a table, so such a text is ambiguous.
"""

import re
from dataclasses import dataclass

_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+,\d+", re.ASCII)
_POINTS_OR_PLAIN = re.compile(_POINTS.pattern + r"|[+-]?\d+(,\d+)?", re.ASCII)
# Without a fraction, only a group that begins with 0 tells it from a row such as 100,200.
_COMMAS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})*(,\d{3}\.\d+|,0\d\d(,\d{3})*)", re.ASCII)
_COMMAS_OR_PLAIN = re.compile(_COMMAS.pattern + r"|[+-]?\d+(\.\d+)?", re.ASCII)
_SPACES = re.compile(
    r"(?<![\d.,])[+-]?[1-9]\d{0,2}"
    r"(?:(?: \d{3})* 0\d\d|(?:[\u00a0\u2009\u202f'’]\d{3})+)(?:[.,]\d+|(?!\d))",
    re.ASCII,
)
_HALF_WIDTH = str.maketrans("−–－，．０１２３４５６７８９", "---,.0123456789")


@dataclass(frozen=True)
class Grouped:
    """A text that may be one number or several, and the number without separators."""

    text: str
    plain: str


def grouped(text: str) -> Grouped | None:
    """The first ambiguous number of a table; None if there is none.

    If commas separate numbers, only a text with thousands separators throughout is ambiguous:
    1.000,5 is, 1.000,5,2 and 0.125,0.250 are not.
    """
    plain = text.translate(_HALF_WIDTH)
    if spaced := _SPACES.search(plain):
        one = re.sub(r"[^\d.,+-]", "", spaced[0]).replace(",", ".")
        return Grouped(spaced[0], one)
    cells = re.split(r"[\s;；]+", plain.strip())
    for marked, known, between, before in (
        (_POINTS, _POINTS_OR_PLAIN, ".", ","),
        (_COMMAS, _COMMAS_OR_PLAIN, ",", "."),
    ):
        found = [cell for cell in cells if marked.fullmatch(cell)]
        if found and all(known.fullmatch(cell) for cell in cells):
            return Grouped(found[0], found[0].replace(between, "").replace(before, "."))
    return None
