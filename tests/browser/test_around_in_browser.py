from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_draws_anew_and_moves_a_row_that_layer_norm_brings_back(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/around?lang=zh")
    figures = page.locator(".st-key-dropped figure")
    expect(figures).to_have_count(3)
    before = figures.nth(1).inner_text()
    page.locator(".st-key-draw input").fill("11")
    page.locator(".st-key-draw input").press("Enter")
    address_has(page, "draw=11")
    expect(figures.nth(1)).not_to_have_text(before)

    after = page.locator(".st-key-moved figure .after")
    expect(after.nth(3)).to_have_text("均值 0.00 · 标准差 1.00")
    page.locator(".st-key-shift input").press("ArrowRight")
    address_has(page, "shift=6")
    expect(page.locator(".st-key-moved figcaption").first).to_have_text("residual × 2 + 6")
    normalised = page.locator(".st-key-normalised figure").nth(1).locator("td.cell")
    again = page.locator(".st-key-moved figure").nth(1).locator("td.cell")
    expect(again).to_have_text(normalised.all_inner_texts())
    expect(page.get_by_test_id("stException")).to_have_count(0)
