"""Parses a pasted table of printed numbers, each with its last decimal place."""

import re
from collections.abc import Mapping

from core.exercises.judging import Guess, parse_number
from core.limits import PRINTED
from core.sources.grouping import grouped

UNREAD = ("?", "…", "...", "*")
_BRACKETS = str.maketrans({bracket: " " for bracket in "[](){}|，；【】（）"} | {"\u3000": " "})


class TableError(ValueError):
    """The text is not a table. kind: the reason. fields: for its sentence."""

    def __init__(self, kind: str, **fields: str | int) -> None:
        super().__init__(f"{kind}: {fields}")
        self.kind = kind
        self.fields: Mapping[str, str | int] = fields


def parse_table(text: str) -> tuple[tuple[Guess | None, ...], ...]:
    """Parse rows of numbers; None for ``?`` or ``…``, which are not compared.

    Rows end with a line break or semicolon. Tabs, spaces and brackets separate numbers, and so do
    commas if some number has a decimal point. Raises TableError of the kind ``empty``, ``long``,
    ``large``, ``ragged`` or ``number``, with rows and columns counted from 1, or ``grouped`` for
    thousands separators that could also separate numbers.
    """
    if len(text) > PRINTED.text:
        raise TableError("long", limit=PRINTED.text)
    grouped_number = grouped(text.translate(_BRACKETS))
    if grouped_number and (
        "." in grouped_number.text or "," not in grouped_number.text
    ):  # 1,000 is a decimal comma here
        raise TableError("grouped", text=grouped_number.text[:24], plain=grouped_number.plain[:24])
    rows = [_cells(line, "." in text) for line in re.split(r"[\n\r;；]+", text)]
    rows = [row for row in rows if row]
    if not rows:
        raise TableError("empty")
    width = len(rows[0])
    if len(rows) > PRINTED.lines or width > PRINTED.tokens:
        raise TableError("large", rows=len(rows), columns=width, limit=PRINTED.lines)
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise TableError("ragged", row=number, columns=len(row), first=width)
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
        raise TableError("number", row=row, column=column, text=text[:24]) from None
