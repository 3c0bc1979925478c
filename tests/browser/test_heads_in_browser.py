from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_changes_the_heads_and_opens_a_sum(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/heads?lang=zh")
    expect(page.locator(".st-key-price_card .bars path")).to_have_count(12)
    page.locator(".st-key-heads_1_2_4_8").get_by_text("2", exact=True).click()
    expect(page.locator(".st-key-patterns_card figure")).to_have_count(2)
    added = page.locator(".st-key-added_card")
    added.locator("td.cell button").nth(9).click()  # the second row, the second column
    expect(added).to_contain_text("output[爱, 2]")
    address_has(page, "row=2")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors
