"""The errata as a reader meets them."""

import re

from microscope import address_has, title_of_sum, visit
from playwright.sync_api import Page, expect


def test_a_reader_finds_where_a_book_parts_and_checks_her_own(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/errata?lang=zh")
    expect(page.locator(".st-key-erratum_grids .marked")).to_have_count(4)
    expect(title_of_sum(page)).to_contain_text("0.41")
    page.locator(".st-key-erratum").get_by_text("头 2 的 Q").click()
    expect(title_of_sum(page)).to_contain_text(re.compile(r"Q\[头 2.*= −0\.5"))
    expect(page.locator(".st-key-erratum_grids .marked")).to_have_count(8)
    page.locator(".st-key-erratum").get_by_text("用 0 做掩码").click()
    expect(title_of_sum(page)).to_contain_text(re.compile(r"weights\[头 1, 我, 爱\] = 0"))
    address_has(page, "erratum=mask_zero")
    area = page.locator(".st-key-pasted textarea")
    area.fill("1 0 0\n0.41 0.59 0\n0.11 0.20 0.69")
    area.press("Control+Enter")
    expect(page.locator(".st-key-check_told")).to_contain_text("全都相符")
    assert not errors
