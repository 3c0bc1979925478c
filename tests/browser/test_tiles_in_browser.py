from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_picks_a_tile_of_another_query(server: str, page: Page, errors: list[str]) -> None:
    visit(page, f"{server}/tiles?lang=en")
    scores = page.locator(".st-key-scores figure")
    expect(scores).to_have_count(4)
    expect(page.locator(".st-key-scores .covered")).to_have_count(5)
    tiles = page.locator(".st-key-order tbody tr")
    tiles.nth(6).locator("button").first.click()  # the 7th query meets its first three keys
    address_has(page, "row=7")
    expect(scores).to_have_count(3)
    expect(page.locator(".st-key-step")).to_contain_text("Tile 1, the first for “␣mat”")
    assert not errors
