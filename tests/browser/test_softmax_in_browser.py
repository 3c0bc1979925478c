import re

from microscope import address_has, visit
from playwright.sync_api import Locator, Page, expect


def cells(page: Page, grids: str, title: str) -> Locator:
    figure = page.locator(f".st-key-{grids} figure").filter(
        has=page.locator("figcaption", has_text=re.compile(rf"^{re.escape(title)}$"))
    )
    return figure.locator("td.cell")


def test_a_reader_moves_a_score_cools_the_row_and_breaks_it(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/softmax?lang=en&scores=3,2.75,0.5,2")
    weights = cells(page, "sum", "weights")
    expect(weights).to_have_text(["0.449", "0.349", "0.037", "0.165"])
    expect(page.locator(".st-key-bars .js-plotly-plot")).to_be_visible()

    slider = page.locator(".st-key-score_1").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")  # mat: 2.75 → 3
    expect(page.locator(".st-key-reads")).to_contain_text("2 keys share the largest score, 3.00")
    address_has(page, r"scores=3%2C3%2C0\.5%2C2")

    page.locator(".st-key-over").get_by_text("each column").click()
    expect(page.locator(".st-key-axis_grids")).to_contain_text("Σ = 1.73 ≠ 1")
    expect(cells(page, "naive", "weights")).to_have_text(["nan"] * 4)
    page.locator(".st-key-constant").get_by_text("10", exact=True).click()
    expect(cells(page, "naive", "weights")).to_have_text(weights.all_text_contents())
    address_has(page, "over=")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors
