"""A hand-drawn mask as a bit set: an integer for each row, bit j set if key j is masked."""

from core.limits import MASKED


def toggled(masked_rows: tuple[int, ...], row: int, column: int) -> tuple[int, ...]:
    """The mask with one cell flipped."""
    rows = [*masked_rows, *[0] * (row + 1 - len(masked_rows))]
    rows[row] ^= 1 << column
    while rows and not rows[-1]:
        rows.pop()
    return tuple(rows)


def rows_of_cells(written: str) -> tuple[int, ...]:
    """Parse a mask in a link: hexadecimal rows, ``0.3.1f``. Raises ValueError."""
    parts = written.split(".")
    if len(parts) > MASKED.tokens or not all(0 < len(part) <= 3 for part in parts):
        raise ValueError(written)
    if set(written) - set("0123456789abcdef."):
        raise ValueError(written)
    rows = tuple(int(part, 16) for part in parts)
    if max(rows) >= 1 << MASKED.tokens:
        raise ValueError(written)
    return rows


def written_rows(masked_rows: tuple[int, ...]) -> str:
    """The text of a mask; the inverse of ``rows_of_cells``."""
    return ".".join(f"{row:x}" for row in masked_rows)


def cells(rows: tuple[int, ...]) -> list[tuple[int, int]]:
    """The masked cells as (row, column)."""
    return [(i, j) for i, row in enumerate(rows) for j in range(MASKED.tokens) if row >> j & 1]
