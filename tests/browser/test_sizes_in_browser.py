"""The page of shapes and sizes."""

from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_follows_a_head_and_doubles_the_tokens(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/sizes?lang=zh")
    expect(page.locator(".st-key-four .tuple").first).to_have_text("Q (32, 8, 10, 64)")
    ladder = page.locator(".st-key-ladder")
    expect(ladder.locator("li")).to_have_count(7)
    expect(ladder.locator(".lit")).to_have_count(5)
    ladder.locator("[data-head='6']").nth(1).hover()
    expect(ladder.locator(".lit[data-head='6']")).to_have_count(5)
    expect(ladder.locator(".changed")).to_have_count(0)
    tokens = page.get_by_label("n · 词数")
    tokens.fill("20")
    tokens.press("Enter")
    expect(page.locator(".st-key-four .tuple").nth(1)).to_have_text("weights (32, 8, 20, 20)")
    expect(ladder.locator("li").nth(3).locator(".changed")).to_have_count(2)
    expect(page.locator(".st-key-shapes_table tr.lit").first).to_be_visible()
    address_has(page, "n=20")
    assert not errors
