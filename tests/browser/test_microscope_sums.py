"""Pointing at a cell prints what ``core.explain`` says: every factor, every term, the total."""

from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pytest
from microscope import (
    click_cell,
    go_to,
    hover_cell,
    leave_figure,
    open_step,
    read_sum,
    sum_of,
    title_of_sum,
)
from playwright.sync_api import Page, expect
from printed import digits_of, exact, factors_of, is_exact, largest, numbers, printed, terms_of

from core import Cell, Trace, explain
from views.widgets.image_input import Pictures, first_pictures, image_trace
from views.widgets.model_input import Model
from views.widgets.sentence_input import Sentence, sentence_trace

LONG = "The cat sat on the mat because it was warm"
COUNT = {"terms": 15, "rows": 9}  # shown of more than 16
ATTENTION = ("scores", "scaled", "masked", "weights", "head_output", "concat", "output")
CASES = {
    "3 tokens": ("sentence", "&mask=causal", ("embedding", *ATTENTION)),
    "10 tokens": ("sentence", f"&mask=causal&text={LONG}", ("embedding", *ATTENTION)),
    "196 patches": (
        "image",
        "",
        ("scores", "scaled", "weights", "head_output", "concat", "output"),
    ),
    "196 patches and a mask": ("image", "&mask=causal", ("masked", "weights")),
    "196 patches at the front": ("image", "&seed=7", ("embedding", "X")),
}


@cache
def trace_of(case: str) -> Trace:
    causal = "mask=causal" in CASES[case][1]
    if CASES[case][0] == "sentence":
        text = LONG if LONG in CASES[case][1] else "我爱北京"
        return sentence_trace(Sentence(text, "word", Model(8, 2, 7, causal)))
    first = first_pictures()
    return image_trace(Pictures(first.pixels, first.patch, first.cls, Model(64, 4, 7, causal)))


def cells_of(trace: Trace, key: str) -> list[tuple[int, int]]:
    """One cell within, the last, and one in the corner that a causal mask strikes out."""
    rows, columns = trace[key].tensor.shape[-2:]
    return [(rows // 2, columns // 3), (rows - 1, columns - 1), (0, columns - 1)]


def explained(trace: Trace, key: str, head: int, row: int, column: int) -> Cell:
    held = {"batch": 0, "head": head}
    index = tuple(held[role] for role in trace[key].roles[:-2]) + (row, column)
    return explain(trace, key, index)


def name_in(cell: Cell, trace: Trace) -> str:
    """The labels of the cell as its title has them."""
    roles = trace[cell.address.stage].roles
    labels = zip(roles, cell.address.labels, strict=True)
    return ", ".join(f"head {x}" if role == "head" else x for role, x in labels if role != "batch")


@pytest.mark.parametrize("case", CASES)
def test_a_pointed_cell_prints_the_terms_that_made_it(
    server: str, page: Page, case: str
) -> None:
    door, query, keys = CASES[case]
    head = len(case) % 2  # the first for some, the second for others
    trace = trace_of(case)
    open_step(page, server, f"{query}&stage={keys[0]}&head={head + 1}", door)
    for key in keys:
        if key != keys[0]:
            go_to(page, key)
        for row, column in cells_of(trace, key):
            cell = explained(trace, key, head, row, column)
            check(point_and_read(page, cell, trace), cell, held=False)


@pytest.mark.parametrize("key", ["weights", "head_output", "output", "scores"])
def test_a_held_cell_prints_all_its_terms_and_a_pointed_one_those_that_count(
    server: str, page: Page, key: str
) -> None:
    trace = trace_of("196 patches")
    open_step(page, server, f"&stage={key}&head=3", "image")
    row, column = 31, 7
    cell = explained(trace, key, 2, row, column)
    check(point_and_read(page, cell, trace), cell, held=False)
    click_cell(page, row, column)
    leave_figure(page)
    expect(sum_of(page).locator("li, tbody tr")).not_to_have_count(10)
    expect(title_of_sum(page)).to_contain_text(f"[{name_in(cell, trace)}]")
    check(read_sum(page), cell, held=True)


def point_and_read(page: Page, cell: Cell, trace: Trace) -> dict[str, Any]:
    """What is printed of a pointed cell; a page that is still loading may move under the pointer."""
    name = f"{cell.address.stage}[{name_in(cell, trace)}]"
    for _ in range(3):
        hover_cell(page, *cell.address.index[-2:])
        expect(title_of_sum(page)).to_contain_text(name)
        read = read_sum(page)
        if name in read["title"]:
            return read
    raise AssertionError(f"the pointer does not stay on {name}")


def check(read: dict[str, Any], cell: Cell, held: bool) -> None:
    """Hold what is printed against the explained cell."""
    made = cell.made_by
    if made.operation == "cell":
        check_copy(read, cell)
    elif made.operation == "softmax":
        check_table(read, cell, held)
    elif made.operation in ("product", "mask"):
        check_line(read, cell)
    else:
        check_columns(read, cell, held)


def check_columns(read: dict[str, Any], cell: Cell, held: bool) -> None:
    terms = terms_of(cell.made_by)
    digits = digits_of(read["total"])
    values = [term.value for term in terms]
    some = not held and len(terms) > 16
    places = largest(values, COUNT["terms"]) if some else range(len(terms))
    columns = list(read["columns"])
    more = columns.pop() if some else None
    assert len(columns) == len(places)
    for column, place in zip(columns, places, strict=True):
        factors = [printed(factor, digits) for factor in factors_of(terms[place])]
        assert numbers(" ".join(column["over"])) == factors
        assert numbers(column["under"]) == [printed(values[place], digits)]
        if factors:
            sign = "= " if is_exact(factors, printed(values[place], digits)) else "≈ "
            assert column["under"].startswith(sign)
        else:
            assert terms[place].address is not None
            assert terms[place].address.stage in " ".join(column["over"])
    summed = [exact(column_value(column)) for column in read["columns"]]
    if more:
        assert more["over"] == [f"{len(terms) - COUNT['terms']} more"]
    is_sum = sum(summed, Decimal(0)) == exact(read["total"])
    assert is_sum or " ≈ " in read["title"]
    assert " = " in read["title"] or digits == 6, "more digits make it exact, up to six"
    assert read["total"] == read["whole"] == printed(cell.made_by.value, digits)


def column_value(column: dict[str, Any]) -> str:
    [value] = numbers(column["under"])
    return value


def check_line(read: dict[str, Any], cell: Cell) -> None:
    """One product, or one value and the masks that let it pass or strike it."""
    made = cell.made_by
    digits = digits_of(numbers(read["line"])[0])
    if made.operation == "product":
        factors = [printed(factor, digits) for factor in factors_of(made)]
        total = printed(made.value, digits)
        assert numbers(read["line"]) == [*factors, total]
        assert ("≈" in read["line"]) != is_exact(factors, total)
    else:
        value = printed(made.parts[0].value, digits)
        struck = made.value == -np.inf
        assert numbers(read["line"]) == ([value, "−∞"] if struck else [value])
        assert ("→" in read["line"]) == struck
        assert any("causal" in note for note in read["notes"])
        assert any("does not allow" in note for note in read["notes"]) == struck
    assert read["total"] == printed(made.value, digits)


def check_copy(read: dict[str, Any], cell: Cell) -> None:
    source = cell.made_by.address
    assert source is not None
    labels = [label for label in source.labels if label]
    assert any(f"{source.stage}[" in note and labels[-1] in note for note in read["notes"])
    assert "·10" in read["total"] or read["total"] == printed(cell.value, digits_of(read["total"]))


def check_table(read: dict[str, Any], cell: Cell, held: bool) -> None:
    made = cell.made_by
    maximum, total = made.facts["maximum"], made.facts["total"]
    digits = digits_of(read["total"])
    shares = [part.value / total for part in made.parts]
    some = not held and len(shares) > 16
    rows = list(read["rows"])
    more = rows.pop() if some else None
    names = [part.parts[0].address.labels[-1] for part in made.parts if part.parts[0].address]
    if some:
        places = [names.index(row["cells"][0]) for row in rows]
        near = {i for i in range(len(shares)) if abs(i - made.chosen) <= 1}
        out = [shares[i] for i in range(len(shares)) if i not in places]
        assert len(places) == COUNT["rows"] and places == sorted(places)
        assert near <= set(places)
        assert max(out) <= min(shares[i] for i in set(places) - near)
    else:
        places = list(range(len(shares)))
    assert len(rows) == len(places)
    for row, place in zip(rows, places, strict=True):
        score = made.parts[place].parts[0].value
        wanted = (score, score - maximum, made.parts[place].value, shares[place])
        assert row["cells"] == [names[place], *(printed(number, digits) for number in wanted)]
        assert (row["name"] == "chosen") == (place == made.chosen)
    assert printed(maximum, digits) in read["heads"][2]
    assert printed(total, digits) in read["heads"][4]
    if more:
        assert more["cells"][0].startswith(f"{len(shares) - COUNT['rows']} more")
    every = sum((exact(printed(share, digits)) for share in shares), Decimal(0))
    assert every == 1 or any("rounded" in note for note in read["notes"])
    assert read["total"] == printed(made.value, digits)
