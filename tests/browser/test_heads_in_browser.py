from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_changes_the_heads_mutes_one_and_opens_a_sum(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/heads?lang=zh")
    patterns = page.locator(".st-key-patterns_card figure")
    expect(patterns).to_have_count(4)
    expect(page.locator(".st-key-price_card .bars path")).to_have_count(12)
    page.locator(".st-key-heads_1_2_4_8").get_by_text("2", exact=True).click()
    expect(patterns).to_have_count(2)
    address_has(page, "heads=2")

    added = page.locator(".st-key-added_card")
    added.get_by_role("button", name="头 1").click()
    expect(added).to_contain_text("没有关掉任何头")
    added.get_by_role("button", name="头 2").click()
    expect(added.locator("figcaption", has_text="关掉头 2")).to_have_count(1)

    added.locator("td.cell button").nth(9).click()  # the second row, the second column
    expect(added).to_contain_text("output[爱, 2]")
    address_has(page, "row=2")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors
