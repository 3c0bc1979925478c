"""Errors of matrices written by hand; rows, columns and heads are counted from 1."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class NoNumbers(InputError):
    """A matrix without any number."""

    name: str
    message = "there are no numbers for {name}"


@dataclass(eq=False)
class EmptyCell(InputError):
    """An empty cell of a matrix."""

    name: str
    row: int
    column: int
    message = "{name}, row {row}, column {column} is empty"


@dataclass(eq=False)
class NotANumber(InputError):
    """A cell of a matrix that is not a number."""

    name: str
    row: int
    column: int
    text: str
    message = "{name}, row {row}, column {column}: {text!r} is not a number"


@dataclass(eq=False)
class GroupedDigits(InputError):
    """A text that may be one number with thousands separators, or several numbers."""

    name: str
    text: str
    plain: str
    message = "{name}: {text!r} may be one number, {plain}, or several; write it without marks"


@dataclass(eq=False)
class NumberTooLarge(InputError):
    """A number beyond the limit."""

    name: str
    row: int
    column: int
    text: str
    limit: str
    message = "{name}, row {row}, column {column}: {text} is beyond the limit of {limit}"


@dataclass(eq=False)
class RaggedRows(InputError):
    """A row of a matrix with another number of columns than the first."""

    name: str
    row: int
    columns: int
    expected: int
    message = "{name}, row {row} has {columns} numbers; the first row has {expected}"


@dataclass(eq=False)
class WrongSize(InputError):
    """A matrix of the wrong size."""

    name: str
    rows: int
    columns: int
    expected_rows: int
    expected_columns: int
    message = (
        "{name} should have {expected_rows} rows of {expected_columns} numbers, "
        "but {rows} rows of {columns} were given"
    )


@dataclass(eq=False)
class MatrixTooLarge(InputError):
    """A matrix has more rows, columns or heads than the limit."""

    name: str
    rows: int
    columns: int
    limit: int
    message = "{name} is {rows} x {columns}; the limit is {limit} each way"


@dataclass(eq=False)
class HeadsDiffer(InputError):
    """The matrix of a head differs in size from that of head 1, or should not exist."""

    name: str
    head: int
    message = "{name} of head {head} does not have the size that {name} of head 1 has"


@dataclass(eq=False)
class UnknownMatrix(InputError):
    """A line of a sheet that does not start with the name of a matrix."""

    line: int
    text: str
    message = "line {line}: {text!r} is not the name of a matrix"


@dataclass(eq=False)
class MissingMatrix(InputError):
    """A sheet lacks a required matrix."""

    name: str
    message = "the sheet has no {name}"
