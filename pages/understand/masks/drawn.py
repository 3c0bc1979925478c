"""Cells that a reader forbids by hand: a whole number for each row, bit j for key j."""

from core.limits import MASKED


def toggled(struck: tuple[int, ...], row: int, column: int) -> tuple[int, ...]:
    """The cells that are forbidden once one of them was clicked."""
    rows = [*struck, *[0] * (row + 1 - len(struck))]
    rows[row] ^= 1 << column
    while rows and not rows[-1]:
        rows.pop()
    return tuple(rows)


def rows_of_cells(written: str) -> tuple[int, ...]:
    """Read the forbidden cells of a link: a hexadecimal number for each row, ``0.3.1f``."""
    parts = written.split(".")
    if len(parts) > MASKED.tokens or not all(0 < len(part) <= 3 for part in parts):
        raise ValueError(written)
    if set(written) - set("0123456789abcdef."):
        raise ValueError(written)
    rows = tuple(int(part, 16) for part in parts)
    if max(rows) >= 1 << MASKED.tokens:
        raise ValueError(written)
    return rows


def written_rows(struck: tuple[int, ...]) -> str:
    """The text that ``rows_of_cells`` reads."""
    return ".".join(f"{row:x}" for row in struck)


def cells(struck: tuple[int, ...]) -> list[tuple[int, int]]:
    """The forbidden cells as (row, column)."""
    return [(i, j) for i, row in enumerate(struck) for j in range(MASKED.tokens) if row >> j & 1]
