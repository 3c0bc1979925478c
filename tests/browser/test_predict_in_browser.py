"""A quiz by keyboard: a wrong guess, a right one, a cell given up, and the sheet for paper."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

GRID = ".st-key-quiz_grids"


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell of the result, the second of two matrices."""
    return page.locator(f'{GRID} [data-cell="1 {row} {column}"]')


def test_a_row_is_guessed_by_keyboard_and_each_sum_is_shown_once_it_is_found(
    server: str, page: Page
) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server}/predict?lang=en")
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
    expect(opened.locator("h4")).to_contain_text("weights[head 1, 爱, 我] = 0.1806")
    # The others of the row are still secret, though a softmax has them all.
    expect(opened.locator("tr.chosen td").last).to_contain_text("0.1806")
    for row in (1, 2):
        expect(opened.locator("tbody tr").nth(row).locator("td").last).to_have_text("?")

    cell(page, 1, 2).click()
    expect(page.locator(".st-key-asked p")).to_have_text("What is weights[爱, 北京]?")
    page.locator(".st-key-reveal button").click()
    expect(cell(page, 1, 2)).to_have_text("0.5565")
    expect(page.locator(".st-key-progress p")).to_have_text("1 of 3 found, 1 revealed")
    expect(opened.locator("tbody tr").first.locator("td").last).to_contain_text("0.1806")
    assert not errors


def test_the_sheet_is_loaded_as_one_file_that_prints(
    server: str, page: Page, tmp_path: Path
) -> None:
    page.goto(f"{server}/predict?lang=zh&preset=d4_h2&cover=all")
    for part, boxes in (("sheet", 0), ("key", 48)):
        with page.expect_download() as loaded:
            page.locator(f".st-key-{part}_zh button").click()
        file = tmp_path / loaded.value.suggested_filename
        loaded.value.save_as(file)
        paper = page.context.new_page()
        paper.goto(file.as_uri())
        expect(paper.locator("td.box")).to_have_count(48)  # six steps, 2 × 4 numbers each
        assert sum(bool(text) for text in paper.locator("td.box").all_inner_texts()) == boxes
        expect(paper.locator("footer")).to_contain_text("preset=d4_h2&cover=all")
        expect(paper.locator("math").first).to_be_visible()
        assert paper.pdf(format="A4").startswith(b"%PDF")
        paper.close()
