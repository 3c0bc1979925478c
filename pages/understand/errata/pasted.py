"""A table of printed numbers as a reader pastes it, each with the digits that it has."""

import re
from collections.abc import Mapping

from core.exercises.judging import Guess
from core.limits import PRINTED
from core.sources.grouping import grouped
from views.parse_number import parse_number

UNREAD = ("?", "…", "...", "*")
_BRACKETS = str.maketrans({bracket: " " for bracket in "[](){}|，；【】（）"} | {"\u3000": " "})


class NotATable(ValueError):
    """What was pasted is no table; kind and fields say why."""

    def __init__(self, kind: str, **fields: str | int) -> None:
        super().__init__(f"{kind}: {fields}")
        self.kind = kind
        self.fields: Mapping[str, str | int] = fields


def table(text: str) -> tuple[tuple[Guess | None, ...], ...]:
    """Read rows of numbers; None where ``?`` or ``…`` stands, which is not to be compared.

    A line, or what a semicolon ends, is a row; tabs, spaces and brackets part the numbers, and
    commas where a point stands in some number. Raises NotATable: ``empty``, ``long``, ``large``,
    ``ragged`` or ``number``, with rows and columns counted from 1; ``grouped`` for a number in
    groups of three digits that may also be several.
    """
    if len(text) > PRINTED.text:
        raise NotATable("long", limit=PRINTED.text)
    found = grouped(text.translate(_BRACKETS))
    if found and ("." in found.text or "," not in found.text):  # 1,000 is a decimal comma here
        raise NotATable("grouped", text=found.text[:24], plain=found.plain[:24])
    rows = [_cells(line, "." in text) for line in re.split(r"[\n\r;；]+", text)]
    rows = [row for row in rows if row]
    if not rows:
        raise NotATable("empty")
    width = len(rows[0])
    if len(rows) > PRINTED.lines or width > PRINTED.tokens:
        raise NotATable("large", rows=len(rows), columns=width, limit=PRINTED.lines)
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise NotATable("ragged", row=number, columns=len(row), first=width)
    return tuple(
        tuple(_number(cell, i, j) for j, cell in enumerate(row, start=1))
        for i, row in enumerate(rows, start=1)
    )


def _cells(line: str, points: bool) -> list[str]:
    plain = line.translate(_BRACKETS)
    return re.sub(r",(?=\s|$)" if not points else ",", " ", plain).split()


def _number(text: str, row: int, column: int) -> Guess | None:
    if text in UNREAD:
        return None
    try:
        return parse_number(text)
    except ValueError:
        raise NotATable("number", row=row, column=column, text=text[:24]) from None
