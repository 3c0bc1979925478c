"""Matrices as text: pasted from a spreadsheet, CSV files, and a short form for links.

In pasted text and files a line is a row, and tabs, semicolons, commas or spaces separate numbers;
or rows stand in brackets, as Python, NumPy and PyTorch print them.
A whole sheet is one table: a line for each row of each matrix, with the name of the matrix, the
head, the name of the row and the numbers::

    matrix,head,row,1,2
    X,,我,1,0.5
    W_Q,1,1,0.1,0.4
"""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.limits import LARGEST_NUMBER, MATRIX
from core.models.by_hand import ROLES
from core.sources.file_type import file_type

DIGITS = 12
FIRST_LINE = ("matrix", "head", "row")
BY_TOKEN = ("X", "Q", "K", "V")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_ROW = re.compile(r"\[([^\[\]]*)\]")
_CALL = re.compile(r"[\w.]+\((?P<rows>.*\])\s*(,[^\]]*)?\)", re.DOTALL)  # array(…, dtype=float32)
_MINUS = str.maketrans("−–", "--")
_MARKS = str.maketrans("，；", ",;")
_SHOWN = 24
# Numbers with thousands separators: 1.000,5, 1,000.5, 1 000.
_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+,\d+", re.ASCII)
_POINTS_OR_PLAIN = re.compile(_POINTS.pattern + r"|[+-]?\d+(,\d+)?", re.ASCII)
# Without a fraction, only a group that begins with 0 distinguishes it from a row like 100,200.
_COMMAS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})*(,\d{3}\.\d+|,0\d\d(,\d{3})*)", re.ASCII)
_COMMAS_OR_PLAIN = re.compile(_COMMAS.pattern + r"|[+-]?\d+(\.\d+)?", re.ASCII)
_SPACES = re.compile(
    r"(?<![\d.,])[+-]?[1-9]\d{0,2}"
    r"(?:(?: \d{3})* 0\d\d|(?:[\u00a0\u2009\u202f'’]\d{3})+)(?:[.,]\d+|(?!\d))",
    re.ASCII,
)
_HALF_WIDTH = str.maketrans("−–－，．０１２３４５６７８９", "---,.0123456789")

Cells = Sequence[Sequence[str]]


def written(value: float) -> str:
    """A number as text with up to twelve digits."""
    return format(value + 0.0, f".{DIGITS}g").replace("e+", "e")


def cells_of(matrix: np.ndarray) -> list[list[str]]:
    """The texts of the cells of a matrix (rows, columns)."""
    return [[written(value) for value in row] for row in matrix]


def read_cells(cells: Cells, name: str) -> np.ndarray:
    """The numbers in the cells of a table, (rows, columns).

    Raises no_numbers, ragged_rows, empty_cell, not_a_number, number_too_large and matrix_too_large,
    with rows and columns from 1.
    """
    if not cells:
        raise InputError("no_numbers", name=name)
    width, most = len(cells[0]), max(MATRIX.d_model, MATRIX.tokens)
    if len(cells) > most or width > most:
        raise InputError("matrix_too_large", name=name, rows=len(cells), columns=width, limit=most)
    for row, line in enumerate(cells, start=1):
        if len(line) != width:
            raise InputError("ragged_rows", name=name, row=row, columns=len(line), expected=width)
    return np.array(
        [
            [_number(text, name, row, column) for column, text in enumerate(line, start=1)]
            for row, line in enumerate(cells, start=1)
        ]
    )


def read_text(text: str, name: str) -> np.ndarray:
    """The matrix in a text, (rows, columns). Raises text_too_long, and as ``read_cells``."""
    if len(text) > MATRIX.text:
        raise InputError("text_too_long", characters=len(text), limit=MATRIX.text)
    plain = text.translate(_MARKS)
    return read_cells(_rows_in_brackets(plain.strip()) or _split(plain), name)


def read_pasted(text: str, name: str) -> np.ndarray:
    """Like ``read_text``; also raises grouped_digits for ambiguous thousands separators."""
    found = grouped(text[: MATRIX.text])
    if found and "[" not in text:
        raise InputError(
            "grouped_digits", name=name, text=found.text[:_SHOWN], plain=found.plain[:_SHOWN]
        )
    return read_text(text, name)


def read_bytes(file: bytes) -> str:
    """The text of a file. Raises file_too_large, empty_file, wrong_file_type and not_text."""
    if len(file) > MATRIX.file_bytes:
        raise InputError("file_too_large", size=len(file), limit=MATRIX.file_bytes)
    if not file:
        raise InputError("empty_file", file="")
    if found := file_type(file):
        raise found.refused("table")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = file.decode(encoding)
        except UnicodeDecodeError:
            continue
        break
    else:
        raise InputError("not_text")
    if any(unicodedata.category(c) == "Cc" and c not in "\t\r\n" for c in text):
        raise InputError("not_text")
    return text


def is_sheet(text: str) -> bool:
    """Whether a text is a whole sheet rather than one matrix."""
    return text.lstrip().lower().startswith(FIRST_LINE[0])


def write_matrix(matrix: np.ndarray) -> str:
    """CSV of one matrix (rows, columns)."""
    return _csv(cells_of(matrix))


def write_sheet(tokens: Sequence[str], matrices: Mapping[str, np.ndarray]) -> str:
    """CSV of a whole sheet."""
    width = max(matrix.shape[-1] for matrix in matrices.values())
    lines: list[list[str]] = [[*FIRST_LINE, *(str(j + 1) for j in range(width))]]
    for name, matrix in matrices.items():
        for head, part in enumerate(_heads(matrix), start=1):
            names = tokens if name in BY_TOKEN else [str(i + 1) for i in range(len(part))]
            of = str(head) if matrix.ndim == 3 else ""
            lines += [
                [name, of, row, *cells] for row, cells in zip(names, cells_of(part), strict=True)
            ]
    return _csv(lines)


def read_sheet(text: str) -> tuple[tuple[str, ...], dict[str, np.ndarray]]:
    """The tokens and the matrices in CSV of a whole sheet.

    Raises unknown_matrix with its line, missing_matrix if attention cannot be computed,
    heads_differ, and as ``read_text``. Whether the shapes fit is checked by ``Sheet.trace``.
    """
    if len(text) > MATRIX.file_bytes:
        raise InputError("text_too_long", characters=len(text), limit=MATRIX.file_bytes)
    mark = text.lstrip()[len(FIRST_LINE[0]) :][:1]
    found: dict[str, dict[str, list[list[str]]]] = {}
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(_split(text, mark)[1:], start=2):
        name = line[0] if line else ""
        if name not in ROLES or len(line) < len(FIRST_LINE):
            raise InputError("unknown_matrix", line=number, text=name[:_SHOWN])
        _, head, row, *cells = line
        while len(cells) > 1 and not cells[-1]:
            cells.pop()
        found.setdefault(name, {}).setdefault(head, []).append(cells)
        rows.setdefault(name, []).extend([row] if len(found[name]) == 1 else [])
    needed = ("W_Q", "W_K", "W_V", "W_O") if "X" in found else ("Q", "K", "V")
    for name in needed:
        if name not in found:
            raise InputError("missing_matrix", name=name)
    matrices = {name: _joined(name, heads) for name, heads in found.items()}
    return tuple(rows["X" if "X" in found else "Q"]), matrices


def to_link(matrix: np.ndarray) -> str:
    """A matrix, or one for each head, as a short URL-safe text."""
    heads = ("~".join("_".join(row) for row in cells_of(part)) for part in _heads(matrix))
    return "~~".join(heads)


def from_link(name: str, text: str) -> np.ndarray:
    """The inverse of ``to_link``. Raises as ``read_cells``."""
    parts = [[row.split("_") for row in part.split("~")] for part in text.split("~~")]
    return _joined(name, {str(i): part for i, part in enumerate(parts)})


def _joined(name: str, heads: Mapping[str, Cells]) -> np.ndarray:
    """The heads of a matrix as one array, with the axes of its role."""
    if len(heads) > MATRIX.heads:
        raise InputError(
            "matrix_too_large", name=name, rows=len(heads), columns=1, limit=MATRIX.heads
        )
    parts = [read_cells(cells, name) for cells in heads.values()]
    for head, part in enumerate(parts, start=1):
        if part.shape != parts[0].shape:
            raise InputError("heads_differ", name=name, head=head)
    if len(ROLES[name]) == 2 and len(parts) > 1:
        raise InputError("heads_differ", name=name, head=len(parts))
    return np.stack(parts) if len(ROLES[name]) == 3 else parts[0]


def _heads(matrix: np.ndarray) -> np.ndarray:
    return matrix if matrix.ndim == 3 else matrix[None]


def _csv(lines: Cells) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(lines)
    return file.getvalue()


def _rows_in_brackets(text: str) -> list[list[str]]:
    """The cells of [[1, 0], [0, 1]], of NumPy's or PyTorch's printed form, or of [1 0; 0 1].

    Empty for any other text, such as several matrices.
    """
    call = _CALL.fullmatch(text)
    rows = (call["rows"] if call else text).strip()
    if re.match(r"\[\s*\[", rows) and rows.endswith("]"):
        rows = rows[1:-1]
    if _ROW.sub("", rows).strip(" \t\r\n,"):
        return []
    parts = [part.strip(" \t\r\n,") for row in _ROW.findall(rows) for part in row.split(";")]
    return [_split(" ".join(part.split()))[0] for part in parts if part]


def _split(text: str, mark: str = "") -> list[list[str]]:
    """The cells of a text, separated by the mark, or by tab, semicolon, comma or white space."""
    lines = [line for line in text.splitlines() if line.strip()]
    for delimiter in mark or "\t;,":
        if any(delimiter in line for line in lines):
            read = csv.reader(lines, delimiter=delimiter)
            return [[cell.strip() for cell in line] for line in read]
    return [line.split() for line in lines]


def _number(text: str, name: str, row: int, column: int) -> float:
    plain = unicodedata.normalize("NFKC", text).strip().translate(_MINUS)
    if not plain:
        raise InputError("empty_cell", name=name, row=row, column=column)
    if not _NUMBER.fullmatch(plain):
        raise InputError("not_a_number", name=name, row=row, column=column, text=text[:_SHOWN])
    value = float(plain)
    if abs(value) > LARGEST_NUMBER:
        most = f"{LARGEST_NUMBER:.0e}".replace("+", "")
        raise InputError(
            "number_too_large", name=name, row=row, column=column, text=text[:_SHOWN], limit=most
        )
    return value


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
