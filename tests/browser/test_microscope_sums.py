"""Pointing at a cell prints the factors, terms and total of ``core.explain``."""

from functools import cache

from claims import for_all
from explained import check, check_heads
from microscope import (
    click_cell,
    go_to,
    leave_figure,
    open_step,
    read_sum,
    sum_of,
    title_of_sum,
    walk,
)
from playwright.sync_api import Page, expect
from printed import digits_of, exact

from core import Cell, Trace, explain
from pages.see.image.controls import Pictures, first_pictures, image_trace
from views.widgets.mask_input import CAUSAL
from views.widgets.model_input import Model
from views.widgets.sentence_input import Sentence, sentence_trace

MAKINGS = ("scores", "masked", "weights", "head_output", "output")  # one of each kind
MANY = "16 patches"
SPOT = (13, 7)  # that is locked
CASES = {
    "3 tokens": ("sentence", "", ("embedding", "scaled", *MAKINGS, "concat")),
    MANY: ("image", "&patch=56&d_model=32&heads=2", MAKINGS),
}
LOCKED = {"scores": 16 + 1, "weights": 17, "head_output": 17 + 1, "output": 32 + 1}


@cache
def trace_of(case: str) -> Trace:
    if CASES[case][0] == "sentence":
        return sentence_trace(Sentence("我爱北京", "word", Model(8, 2, 7, CAUSAL)))
    return pictured(56)


def pictured(patch: int) -> Trace:
    """The first picture of the page, cut into patches of this side."""
    first = first_pictures("seeded")
    return image_trace(Pictures(first.pixels, patch, True, Model(32, 2, 7, CAUSAL)))


def cells_of(trace: Trace, key: str) -> list[tuple[int, int]]:
    """One cell within, and one in the corner that a causal mask hides."""
    rows, columns = trace[key].tensor.shape[-2:]
    return [(rows // 2, columns // 3), (0, columns - 1)]


def explained(trace: Trace, key: str, head: int, row: int, column: int) -> Cell:
    fixed = {"batch": 0, "head": head}
    index = (*(fixed[role] for role in trace[key].roles[:-2]), row, column)
    return explain(trace, key, index)


def name_in(cell: Cell, trace: Trace) -> str:
    """The labels of the cell as its title has them."""
    roles = trace[cell.address.stage].roles
    labels = zip(roles, cell.address.labels, strict=True)
    return ", ".join(f"head {x}" if role == "head" else x for role, x in labels if role != "batch")


@for_all("case", CASES)
def test_a_pointed_cell_prints_the_terms_that_count_and_a_locked_one_all_of_them(
    server: str, page: Page, case: str
) -> None:
    page_name, query, keys = CASES[case]
    head = int(case == MANY)
    trace = trace_of(case)
    open_step(page, server, f"{query}&mask=causal&stage={keys[0]}&head={head + 1}", page_name)
    cells = [(key, *spot) for key in keys for spot in cells_of(trace, key)]
    for (key, row, column), read in zip(cells, walk(page, cells), strict=True):
        cell = explained(trace, key, head, row, column)
        assert f"{key}[{name_in(cell, trace)}]" in read["title"]
        check(read, cell, locked=False)
    if case == MANY:
        for key in LOCKED:
            lock_cell(page, explained(trace, key, head, *SPOT), trace)


def lock_cell(page: Page, cell: Cell, trace: Trace) -> None:
    """Click a cell and read all its terms, then let it go."""
    stage = cell.address.stage
    go_to(page, stage)
    click_cell(page, *SPOT)
    leave_figure(page)
    expect(sum_of(page).locator("li, tbody tr")).to_have_count(LOCKED[stage])
    expect(title_of_sum(page)).to_contain_text(f"[{name_in(cell, trace)}]")
    check(read_sum(page), cell, locked=True)
    if stage == "output":
        check_heads(read_sum(page), cell, trace["head_output"].size("d_v"))
    page.keyboard.press("Escape")


def test_numbers_that_were_not_sent_follow_from_their_rules(server: str, page: Page) -> None:
    trace = pictured(14)  # 16 × 16 patches: the planes are so large that only colours are sent
    open_step(page, server, "&patch=14&d_model=32&heads=2&mask=causal&stage=scores&head=2", "image")
    cells = [("scores", 256, 15), ("weights", 256, 15)]
    for (key, row, column), read in zip(cells, walk(page, cells), strict=True):
        cell = explained(trace, key, 1, row, column)
        assert f"{key}[{name_in(cell, trace)}]" in read["title"]
        digits = digits_of(read["total"])
        single = 1e-6 * abs(cell.value)  # what is lost in a sum of float32
        assert abs(float(exact(read["total"])) - cell.value) <= 0.51 * 10**-digits + single
