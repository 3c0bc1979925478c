"""A number of the sheet is overwritten, changes others, and is restored."""

from microscope import (
    address_has,
    address_lacks,
    back,
    server_rests,
    state,
    sum_of,
    title_of_sum,
    until,
    visit,
)
from playwright.sync_api import Locator, Page, expect

ROW = 35  # pixels of a row of the table


def write(page: Page, row: int, text: str) -> None:
    """Write into the only column of numbers, once nothing moves the table any more."""
    server_rests(page)
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.mouse.dblclick(box["x"] + box["width"] - 40, box["y"] + ROW * (row + 1.5))
    field = page.locator("#portal textarea, #portal input").first
    field.fill(text)
    field.press("Enter")


def small(page: Page, number: int) -> Locator:
    """One of the small matrices at a glance: scores, weights, V or head_output."""
    return page.locator(".st-key-strip figure").nth(number)


def test_a_number_is_overwritten_changes_others_and_is_restored(server: str, page: Page) -> None:
    visit(page, f"{server}/by_hand?lang=zh")
    expect(title_of_sum(page)).to_contain_text("15.00")
    expect(page.locator(".st-key-changes_card")).to_have_count(0)
    expect(page.locator(".st-key-strip .marked")).to_have_count(0)

    write(page, 1, "7")
    address_has(page, "Q=2~7~5")
    expect(title_of_sum(page)).to_contain_text("35.00")
    expect(sum_of(page)).to_contain_text("7.00")
    expect(small(page, 0).locator(".marked")).to_have_text(["14.00", "21.00", "35.00"])
    expect(small(page, 3).locator(".marked")).to_have_count(1)
    expect(page.locator(".st-key-changes_card")).to_contain_text("从 23.76 变为 27.44")

    write(page, 2, "abc")
    error = page.locator("article.error")
    expect(error).to_contain_text("Q 第 3 行第 1 列：“abc”不是数")
    page.get_by_text("English", exact=True).click()
    expect(error).to_contain_text("Q, row 3, column 1: “abc” is not a number")
    address_has(page, "Q=2~7~5")

    write(page, 2, "6")
    expect(error).to_have_count(0)
    address_has(page, "Q=2~7~6")
    back(page)
    address_has(page, "Q=2~7~5")
    # the run of Back, without which the sheet that is shown, and undone, is the one before
    expect(small(page, 0).locator(".marked")).to_have_text(["14.00", "21.00", "35.00"])
    server_rests(page)
    page.locator(".st-key-to_undo button").click()
    address_lacks(page, "Q=")
    expect(title_of_sum(page)).to_contain_text("15.00")
    expect(page.locator(".st-key-changes_card")).to_have_count(0)
    the_microscope_stays_the_same_when_a_step_is_reported_to_the_server(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def the_microscope_stays_the_same_when_a_step_is_reported_to_the_server(page: Page) -> None:
    """One that is made anew has lost the trail of the cells that were opened."""
    page.evaluate("globalThis.before = globalThis.attentionMicroscope")
    page.keyboard.press("ArrowRight")
    until(page, "s.trace && s.reportedMoves === s.moves")
    server_rests(page)
    assert state(page, "s === globalThis.before")


def test_cells_of_a_spreadsheet_are_pasted_into_the_table(server: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, f"{server}/by_hand?lang=en&preset=d4_h2")
    expect(title_of_sum(page)).not_to_be_empty()
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.evaluate("navigator.clipboard.writeText('1\\t2\\t3\\t4\\r\\n5\\t6\\t7\\t−8')")
    cells = page.get_by_test_id("data-grid-canvas").locator("[role=gridcell]")
    expect(cells.first).to_be_attached()  # the sheet is drawn
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + ROW * 1.5)
    expect(cells.and_(page.locator("[aria-selected=true]"))).to_have_count(1)
    page.keyboard.press("Control+V")
    address_has(page, "X=1_2_3_4~5_6_7_-8")
    expect(page.locator("article.error")).to_have_count(0)


def test_where_a_token_is_a_column_the_sheet_and_the_strip_are_turned(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/by_hand?lang=zh&convention=columns")
    expect(title_of_sum(page)).to_contain_text("头 1, 北京, 爱")
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.mouse.dblclick(box["x"] + box["width"] * 0.5, box["y"] + ROW * 1.5)
    field = page.locator("#portal textarea, #portal input").first
    field.fill("7")
    field.press("Enter")
    address_has(page, "Q=2~7~5")
    scores = small(page, 3)
    expect(scores.locator(".marked")).to_have_text(["14.00", "21.00", "35.00"])
    scores.locator("[data-cell='3 0 2']").click()
    address_has(page, "row=3")
    expect(title_of_sum(page)).to_contain_text("头 1, 我, 北京")
    expect(page.get_by_test_id("stException")).to_have_count(0)
