"""Pointing at a cell prints what ``core.explain`` says: every factor, every term, the total."""

from contextlib import suppress
from functools import cache
from typing import Any

from claims import for_all
from explained import check, check_heads
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
from printed import digits_of, exact

from core import Cell, Trace, explain
from pages.see.image.controls import Pictures, first_pictures, image_trace
from views.widgets.mask_input import CAUSAL
from views.widgets.model_input import Model
from views.widgets.sentence_input import Sentence, sentence_trace

MAKINGS = ("scores", "masked", "weights", "head_output", "output")  # one of each kind
MANY = "196 patches"
SPOT = (131, 7)  # that is held
CASES = {
    "3 tokens": ("sentence", ("embedding", "scaled", *MAKINGS, "concat")),
    MANY: ("image", MAKINGS),
}
HELD = {"weights": 197, "head_output": 197 + 1, "output": 64 + 1, "scores": 17}


@cache
def trace_of(case: str) -> Trace:
    if CASES[case][0] == "sentence":
        return sentence_trace(Sentence("我爱北京", "word", Model(8, 2, 7, CAUSAL)))
    first = first_pictures("seeded")
    return image_trace(Pictures(first.pixels, first.patch, first.cls, Model(64, 4, 7, CAUSAL)))


def cells_of(trace: Trace, key: str) -> list[tuple[int, int]]:
    """One cell within, and one in the corner that a causal mask strikes out."""
    rows, columns = trace[key].tensor.shape[-2:]
    return [(rows // 2, columns // 3), (0, columns - 1)]


def explained(trace: Trace, key: str, head: int, row: int, column: int) -> Cell:
    held = {"batch": 0, "head": head}
    index = (*(held[role] for role in trace[key].roles[:-2]), row, column)
    return explain(trace, key, index)


def name_in(cell: Cell, trace: Trace) -> str:
    """The labels of the cell as its title has them."""
    roles = trace[cell.address.stage].roles
    labels = zip(roles, cell.address.labels, strict=True)
    return ", ".join(f"head {x}" if role == "head" else x for role, x in labels if role != "batch")


@for_all("case", CASES)
def test_a_pointed_cell_prints_the_terms_that_count_and_a_held_one_all_that_made_it(
    server: str, page: Page, case: str
) -> None:
    door, keys = CASES[case]
    head = len(case) % 2  # the first for some, the second for others
    trace = trace_of(case)
    open_step(page, server, f"&mask=causal&stage={keys[0]}&head={head + 1}", door)
    for key in keys:
        if key != keys[0]:
            go_to(page, key)
        for row, column in cells_of(trace, key):
            cell = explained(trace, key, head, row, column)
            read = point_and_read(page, cell, trace)
            check(read, cell, held=False)
        if case == MANY and key in HELD:
            hold(page, explained(trace, key, head, *SPOT), trace)


def hold(page: Page, cell: Cell, trace: Trace) -> None:
    """Click a cell and read all its terms, then let it go."""
    stage = cell.address.stage
    click_cell(page, *SPOT)
    leave_figure(page)
    expect(sum_of(page).locator("li, tbody tr")).to_have_count(HELD[stage])
    expect(title_of_sum(page)).to_contain_text(f"[{name_in(cell, trace)}]")
    check(read_sum(page), cell, held=True)
    if stage == "output":
        check_heads(read_sum(page), cell, trace["head_output"].size("d_v"))
    page.keyboard.press("Escape")


def point_and_read(page: Page, cell: Cell, trace: Trace) -> dict[str, Any]:
    """What is printed of a pointed cell. A page that still loads may move under the pointer."""
    name = f"{cell.address.stage}[{name_in(cell, trace)}]"
    for _ in range(4):
        hover_cell(page, *cell.address.index[-2:])
        with suppress(AssertionError):
            expect(title_of_sum(page)).to_contain_text(name, timeout=5000)
        read = read_sum(page)
        if name in read["title"]:
            return read
    raise AssertionError(f"the pointer does not stay on {name}")


def test_numbers_that_were_not_sent_follow_from_their_rules(server: str, page: Page) -> None:
    first = first_pictures("seeded")  # cut into 28 × 28: large planes travel as colours alone
    trace = image_trace(Pictures(first.pixels, 8, True, Model(32, 2, 7, CAUSAL)))
    open_step(page, server, "&patch=8&d_model=32&heads=2&mask=causal&stage=scores&head=2", "image")
    for key in ("scores", "weights"):
        go_to(page, key)
        row, column = 784, 15
        cell = explained(trace, key, 1, row, column)
        read = point_and_read(page, cell, trace)
        digits = digits_of(read["total"])
        single = 1e-6 * abs(cell.value)  # what is lost in a sum of float32
        assert abs(float(exact(read["total"])) - cell.value) <= 0.51 * 10**-digits + single
