"""The page of one's own model: for every kind, cells are opened down to the numbers of its file."""

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from explained import check
from microscope import (
    FIGURE,
    PATIENCE,
    chosen_in_link,
    click_cell,
    go_to,
    leave_figure,
    open_step,
    read_sum,
    server_rests,
    state,
    sum_of,
    title_of_sum,
    until,
)
from playwright.sync_api import Locator, Page, TimeoutError, expect
from printed import terms_of

from core import Cell, Trace, explain
from core.models import checkpoint
from core.nested import subtrace
from views.widgets.image_input import sample

FOLDERS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
GIVEN = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱", "vit": "cat"}
MEANT = {"token": "query", "memory": "key"}  # one choice, on whichever side it stands
REPORTED = "s.trace && s.reportedMoves === s.moves"  # the server knows of every move
SPOT = (5, 3)  # the sixth token looks at the fourth
LONGEST = 12  # links from a weight to a number that nothing makes


@cache
def trace_of(kind: str, layer: int) -> Trace:
    """The same run without a page."""
    model = checkpoint.open(FOLDERS / kind)
    if kind != "vit":
        return model.run(GIVEN[kind], layer)
    pixels = model.processor.pixels(sample(GIVEN[kind]))
    return model.run(pixels, layer)


def query(kind: str, layer: int, part: str, **more: object) -> str:
    """The link to a part of a layer, and to what else is named."""
    name = "picture" if kind == "vit" else "text"
    path = f"encoder/{layer}/{part}" if part != "input" else part
    chosen = {"model": kind, name: GIVEN[kind], "layer": layer, "part": path, **more}
    return "".join(f"&{name}={value}" for name, value in chosen.items())


def open_model(page: Page, server: str, query: str) -> None:
    open_step(page, server, query, "checkpoint")


def choose_layer(page: Page, layer: int) -> None:
    """Another layer, drawn with its numbers."""
    until(page, REPORTED)
    before = state(page, "s.trace.id")
    page.locator(".st-key-layer").get_by_text(str(layer), exact=True).click()
    chosen_in_link(page, layer=None if layer == 1 else layer)
    until(page, f"s.trace && s.trace.id !== {json.dumps(before)} && s.layout")


def lock_cell(page: Page, row: int, column: int) -> None:
    """Click a cell of the result, and wait until it is locked.

    Once more where the page moved under the pointer while it was loading.
    """
    roles = "s.trace.stage(s.stage).roles.slice(-2)"
    positions = f"{roles}.map((role) => s.positions[({json.dumps(MEANT)})[role] ?? role])"
    for patience in (1500, 3000, PATIENCE):
        until(page, f"s.layout && {REPORTED}")
        expect(page.locator(FIGURE)).to_have_count(1)
        click_cell(page, row, column)
        with suppress(TimeoutError):
            until(page, f"s.locked && {positions}.join() === '{row},{column}'", patience)
            return leave_figure(page)
    raise AssertionError(f"({row}, {column}) is not locked: {state(page, positions)}")


def checked(page: Page, part: Trace) -> Cell:
    """The locked cell, printed in full as ``core.explain`` opens it without a browser."""
    stage, head, positions = state(page, "[s.stage, s.head, {...s.positions}]")
    positions |= {"head": head, "batch": 0}
    roles = part[stage].roles
    cell = explain(part, stage, tuple(positions.get(MEANT.get(role, role), 0) for role in roles))
    labels = [
        f"head {label}" if role == "head" else label
        for role, label in zip(roles, cell.address.labels, strict=True)
        if role != "batch"
    ]
    check(read_whole(page, f"[{', '.join(labels)}]", cell), cell, locked=True)
    return cell


def read_whole(page: Page, name: str, cell: Cell) -> dict[str, Any]:
    """The printed sum of this cell, once all of its terms are shown."""
    made = cell.made_by.parts[0] if cell.made_by.operation == "activation" else cell.made_by
    columns = len(terms_of(made)) if made.operation in ("dot", "sum") else 0
    expect(title_of_sum(page)).to_contain_text(name)
    expect(sum_of(page).locator("ol > li:not(.whole)")).to_have_count(columns)
    return read_sum(page)


def walk(page: Page, part: Trace) -> list[Cell]:
    """The cells behind the locked one, link by link, each printed as ``core.explain`` opens it."""
    cells: list[Cell] = []
    begun = state(page, "s.trail.length")
    while len(cells) < LONGEST:
        cells.append(checked(page, part))
        if cells[-1].made_by.operation == "given":
            return cells
        links = sum_of(page).locator(".link")
        link = links.last if is_normalised(cells[-1]) else links.first
        through(page, link, begun + len(cells))
    raise AssertionError(f"no end: {[cell.address.stage for cell in cells]}")


def through(page: Page, link: Locator, length: int) -> None:
    """Follow a link; once more where the server's answer replaced it under the click."""
    for patience in (3000, PATIENCE):
        link.click()
        with suppress(TimeoutError):
            return until(page, f"s.trail.length === {length}", patience)
    raise AssertionError("the link leads nowhere")


def is_normalised(cell: Cell) -> bool:
    """γ · norm + β: the number that is normalised stands last, below γ and β."""
    factors = [factor for part in cell.made_by.parts for factor in part.parts]
    return any(factor.operation == "normalise" for factor in factors)


def test_a_weight_of_any_layer_opens_down_to_the_row_of_the_table(server: str, page: Page) -> None:
    open_model(page, server, query("bert", 2, "self", head=2))
    lock_cell(page, *SPOT)
    part = subtrace(trace_of("bert", 2), "encoder/2/self")
    assert checked(page, part).address.stage == "weights"
    choose_layer(page, 1)
    part = subtrace(trace_of("bert", 1), "encoder/1/self")
    cells = walk(page, part)
    enters = cells[-1]
    assert [cells[0].address.stage, enters.address.stage] == ["weights", next(iter(part))]
    until(page, REPORTED)
    page.locator(".st-key-model_map [data-path='input']").click()
    until(page, "s.trace.stage('position')")
    expect(page.locator(".st-key-microscope .trail button")).to_have_count(0)
    go_to(page, "X")
    part = subtrace(trace_of("bert", 1), "input")
    cells = walk(page, part)
    assert cells[0].address.index == enters.address.index, "the cell stays locked"
    assert cells[0].value == enters.value
    assert cells[-1].address.stage == "E"
    assert cells[-1].address.labels[0] == part["X"].axis("token").names(0)[SPOT[0]]


def test_a_number_that_enters_a_vision_model_opens_down_to_a_pixel(server: str, page: Page) -> None:
    open_model(page, server, query("vit", 1, "input", stage="X"))
    lock_cell(page, *SPOT)
    cells = walk(page, subtrace(trace_of("vit", 1), "input"))
    assert [cells[0].address.stage, cells[-1].address.stage] == ["X", "image"]


def test_a_feed_forward_layer_prints_what_core_explains_in_a_microscope_that_stays_the_same(
    server: str, page: Page
) -> None:
    """One that is mounted again when a step is reported to the server loses its breadcrumbs."""
    part = subtrace(trace_of("gpt2", 2), "encoder/2/feed_forward")
    open_model(page, server, query("gpt2", 2, "feed_forward", stage="hidden"))
    server_rests(page)
    page.evaluate("globalThis.before = globalThis.attentionMicroscope")
    for stage, made in (("hidden", "gelu_tanh"), ("output", "")):
        go_to(page, stage)
        lowest = np.argmin(part[stage].tensor[0])
        row, column = map(int, np.unravel_index(lowest, part[stage].tensor[0].shape))
        lock_cell(page, row, column)
        cell = checked(page, part)
        assert cell.address.index[1:] == (row, column)
        assert cell.made_by.symbol == made
    until(page, REPORTED)
    server_rests(page)
    assert state(page, "s === globalThis.before")
