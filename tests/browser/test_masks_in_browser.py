import re

from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_forbids_a_cell_allows_it_again_and_clicks_a_patch(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/masks?lang=zh&on=causal,padding,drawn")
    figures = page.locator(".st-key-composition figure")
    expect(figures).to_have_count(4)
    buttons = page.locator(".st-key-composition td.cell button")
    expect(buttons).to_have_count(25)
    buttons.nth(10).click()  # 北京 → 我
    address_has(page, "drawn=0.0.1")
    allowed = figures.last.locator("tbody tr")
    expect(allowed.nth(2)).to_have_text(re.compile("北京\\s*0\\s*1\\s*1\\s*0\\s*0"))
    buttons.nth(10).click()
    expect(allowed.nth(2)).to_have_text(re.compile("北京\\s*1\\s*1\\s*1\\s*0\\s*0"))

    page.get_by_text("照片", exact=True).click()
    photo = page.locator(".st-key-may canvas").first
    photo.click(position={"x": 10, "y": 10})
    expect(page.get_by_test_id("stException")).to_have_count(0)
    box = photo.bounding_box()
    assert box is not None
    photo.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    address_has(page, "patch=5")
    assert not errors
