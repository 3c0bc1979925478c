"""Checks the text below the figure against a cell that ``core.explain`` opened."""

from dataclasses import replace
from decimal import Decimal
from math import fsum, inf
from typing import Any

from printed import (
    digits_of,
    exact,
    is_exact,
    largest,
    numbers,
    printed,
    printed_factors,
    terms_of,
)

from core import Cell

FEW = 8  # terms or rows, of which a cell that is only pointed at shows all
COUNT = 7  # shown of more
POINTED, LOCKED = {2, 3}, {2, 3, 4, 5, 6}  # digits


def check(read: dict[str, Any], cell: Cell, locked: bool) -> None:
    """Every factor, term and total. locked: the cell is locked, so that nothing may be left out."""
    made = cell.made_by
    if made.operation == "cell":
        check_copy(read, cell)
    elif made.operation == "softmax":
        check_table(read, cell, locked)
    elif made.operation in ("product", "mask"):
        check_line(read, cell)
    elif made.operation == "activation":
        check_bent(read, cell, locked)
    elif made.operation == "given":
        check_given(read, cell)
    else:
        check_columns(read, cell, locked)


def check_columns(read: dict[str, Any], cell: Cell, locked: bool) -> None:
    terms = terms_of(cell.made_by)
    digits = digits_of(read["total"])
    values = [term.value for term in terms]
    some = not locked and len(terms) > FEW
    assert digits in (LOCKED if locked else POINTED)
    indices = largest(values, COUNT) if some else range(len(terms))
    columns = list(read["columns"])
    more = columns.pop() if some else None
    assert len(columns) == len(indices)
    for column, index in zip(columns, indices, strict=True):
        factors = printed_factors(terms[index], digits)
        assert numbers(" ".join(column["over"])) == factors
        assert numbers(column["under"]) == [printed(values[index], digits)]
        if factors:
            sign = "= " if is_exact(factors, printed(values[index], digits)) else "≈ "
            assert column["under"].startswith(sign)
        else:
            assert terms[index].address is not None
            assert terms[index].address.stage in " ".join(column["over"])
    summed = [exact(column_value(column)) for column in read["columns"]]
    if more:
        assert more["over"] == [f"{len(terms) - COUNT} more"]
        hidden = fsum(value for i, value in enumerate(values) if i not in indices)
        assert column_value(more) == printed(hidden, digits)
    is_sum = sum(summed, Decimal(0)) == exact(read["total"])
    assert is_sum or " ≈ " in read["title"]
    assert " = " in read["title"] or digits == (6 if locked else 2), "more digits make it exact"
    assert read["total"] == read["whole"] == printed(cell.made_by.value, digits)


def check_bent(read: dict[str, Any], cell: Cell, locked: bool) -> None:
    """The sum that goes into a function such as GELU, and what the function makes of it."""
    [inner] = cell.made_by.parts
    check_columns(read | {"total": read["whole"]}, replace(cell, made_by=inner), locked)
    digits = digits_of(read["whole"])
    ends = [printed(inner.value, digits), printed(cell.made_by.value, digits)]
    assert numbers(read["total"]) == ends
    shown = numbers(read["notes"][0])
    assert shown[-2:] in (ends, ends[::-1])


def check_given(read: dict[str, Any], cell: Cell) -> None:
    """A number that no rule computes; that of a token is its index in the vocabulary."""
    value = cell.value
    is_whole = value == int(value) and abs(value) < 1e6
    assert read["total"] == (f"{value:.0f}" if is_whole else printed(value, 4))
    assert not read["columns"] and not read["rows"]


def check_heads(read: dict[str, Any], cell: Cell, d_v: int) -> None:
    """What each head adds to a number of the output."""
    values = [term.value for term in terms_of(cell.made_by)]
    digits = digits_of(read["total"])
    sums = [sum(values[start : start + d_v]) for start in range(0, len(values), d_v)]
    shown = next(note for note in read["notes"] if "gives" in note)
    assert numbers(shown) == [printed(value, digits) for value in sums]


def column_value(column: dict[str, Any]) -> str:
    [value] = numbers(column["under"])
    return value


def check_line(read: dict[str, Any], cell: Cell) -> None:
    """One product, or one value and the masks that let it pass or make it −∞."""
    made = cell.made_by
    digits = digits_of(numbers(read["line"])[0])
    if made.operation == "product":
        factors = printed_factors(made, digits)
        total = printed(made.value, digits)
        assert numbers(read["line"]) == [*factors, total]
        assert ("≈" in read["line"]) != is_exact(factors, total)
    else:
        value = printed(made.parts[0].value, digits)
        is_masked = made.value == -inf
        assert numbers(read["line"]) == ([value, "−∞"] if is_masked else [value])
        assert ("→" in read["line"]) == is_masked
        assert any("causal" in note for note in read["notes"])
        assert any("Masked by" in note for note in read["notes"]) == is_masked
    assert read["total"] == printed(made.value, digits)


def check_copy(read: dict[str, Any], cell: Cell) -> None:
    source = cell.made_by.address
    assert source is not None
    labels = [label for label in source.labels if label]
    assert any(f"{source.stage}[" in note and labels[-1] in note for note in read["notes"])
    assert "·10" in read["total"] or read["total"] == printed(cell.value, digits_of(read["total"]))


def check_table(read: dict[str, Any], cell: Cell, locked: bool) -> None:
    made = cell.made_by
    maximum, total = made.facts["maximum"], made.facts["total"]
    digits = digits_of(read["total"])
    shares = [part.value / total for part in made.parts]
    some = not locked and len(shares) > FEW
    assert digits in (LOCKED if locked else POINTED)
    rows = list(read["rows"])
    more = rows.pop() if some else None
    names = [part.parts[0].address.labels[-1] for part in made.parts if part.parts[0].address]
    if some:
        indices = [names.index(row["cells"][0]) for row in rows]
        near = {i for i in range(len(shares)) if abs(i - made.chosen) <= 1}
        out = [shares[i] for i in range(len(shares)) if i not in indices]
        assert len(indices) == COUNT and indices == sorted(indices)
        assert near <= set(indices)
        assert max(out) <= min(shares[i] for i in set(indices) - near)
    else:
        indices = list(range(len(shares)))
    assert len(rows) == len(indices)
    for row, index in zip(rows, indices, strict=True):
        score = made.parts[index].parts[0].value
        wanted = (score, score - maximum, made.parts[index].value, shares[index])
        assert row["cells"] == [names[index], *(printed(number, digits) for number in wanted)]
        assert (row["name"] == "chosen") == (index == made.chosen)
    assert printed(maximum, digits) in read["heads"][2]
    assert printed(total, digits) in read["heads"][4]
    if more:
        assert more["cells"][0].startswith(f"{len(shares) - COUNT} more")
        assert more["cells"][-1] == printed(fsum(out), digits)
    every = sum((exact(row["cells"][-1]) for row in read["rows"]), Decimal(0))
    assert every == 1 or any("rounded" in note for note in read["notes"])
    assert read["total"] == printed(made.value, digits)
