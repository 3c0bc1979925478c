"""A quiz by keyboard: a wrong guess, a right one, a cell given up, and the sheet for paper."""

import re
from itertools import product
from pathlib import Path

from microscope import visit
from playwright.sync_api import Locator, Page, expect

from core.models.worked import random_sheet
from pages.understand.predict.worksheet.sheet import Sheet
from pages.understand.predict.worksheet.sheet import page as sheet_page
from views.export.bundle import ASSETS
from views.text import LANGUAGES

GRID = ".st-key-quiz_grids"


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell of the result, the second of two matrices."""
    return page.locator(f'{GRID} [data-cell="1 {row} {column}"]')


def test_a_row_is_guessed_by_keyboard_and_each_sum_is_shown_once_it_is_found(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/predict?lang=en")
    box = page.locator(".st-key-typed input")
    expect(cell(page, 1, 0)).to_have_text("?")
    expect(cell(page, 0, 0)).to_have_text("0.2272")
    box.fill("0.5")
    box.press("Enter")
    expect(page.locator(".st-key-verdict p")).to_have_text("0.5 is too large by 0.32.")
    expect(box).to_have_value("0.5")
    box.fill("0.18")
    box.press("Enter")
    expect(cell(page, 1, 0)).to_have_text("0.1807")
    expect(page.locator(".st-key-asked p")).to_have_text("What is weights[爱, 爱]?")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    opened = page.locator(".st-key-revealed")
    expect(opened.locator("h3")).to_contain_text("weights[head 1, 爱, 我] = 0.181")
    # The others of the row are still secret, though a softmax has them all.
    expect(opened.locator("tr.chosen td").last).to_contain_text("0.181")
    for row in (1, 2):
        expect(opened.locator("tbody tr").nth(row).locator("td").last).to_have_text("?")

    cell(page, 1, 2).click()
    expect(page.locator(".st-key-asked p")).to_have_text("What is weights[爱, 北京]?")
    page.locator(".st-key-reveal button").click()
    expect(cell(page, 1, 2)).to_have_text("0.5565")
    expect(page.locator(".st-key-progress p")).to_have_text("1 of 3 found, 1 revealed")
    expect(opened.locator("tbody tr").first.locator("td").last).to_contain_text("0.181")
    expect(opened.locator(".reads")).to_have_count(0)
    page.locator(".st-key-reveal button").click()
    expect(opened.locator(".reads")).to_contain_text("0.56")  # nothing of the row is a secret now
    assert not errors


def test_a_sheet_and_its_key_are_one_file_each(server: str, page: Page, tmp_path: Path) -> None:
    visit(page, f"{server}/predict?lang=zh&worksheet=12&causal=1")
    for part, boxes in (("sheet", 0), ("key", 28)):
        with page.expect_download() as loaded:
            page.locator(f".st-key-{part}_zh button").click()
        file = tmp_path / loaded.value.suggested_filename
        loaded.value.save_as(file)
        paper = page.context.new_page()
        paper.goto(file.as_uri())
        expect(paper.locator("td.box")).to_have_count(28)  # rows 2 and 3: 4 × 2 × 3, and 2 × 2
        assert sum(bool(text) for text in paper.locator("td.box").all_inner_texts()) == boxes
        expect(paper.locator("math").first).to_be_visible()
        paper.close()


def test_every_sheet_and_every_key_is_one_page(page: Page) -> None:
    """With the longest address, too."""
    template = (ASSETS / "worksheet" / "worksheet.html").read_text("utf-8")
    address = "https://attention-microscope.example.org/some/longer/path/predict?" + "x" * 120
    faults = []
    for causal, code, filled in product((False, True), LANGUAGES, (False, True)):
        sheet = Sheet(9999, random_sheet(9999, causal=causal).trace(), address)
        page.set_content(sheet_page(template, sheet, filled, LANGUAGES[code]))
        if pages_of(page) != 1:
            faults.append((causal, code, filled))
    assert not faults


def pages_of(paper: Page) -> int:
    """How many pages of A4 it is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b", paper.pdf(format="A4", prefer_css_page_size=True)))
