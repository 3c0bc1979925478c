"""The page of errata."""

import re

from microscope import title_of_sum, visit
from playwright.sync_api import Page, expect


def test_a_reader_finds_where_a_book_parts_and_opens_the_sum(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/errata?lang=zh")
    expect(page.locator(".st-key-erratum_grids .marked")).to_have_count(4)
    expect(title_of_sum(page)).to_contain_text("0.41")
    page.locator(".st-key-erratum").get_by_text("头 2 的 Q").click()
    expect(title_of_sum(page)).to_contain_text(re.compile(r"Q\[头 2.*= −0\.5"))
    expect(page.locator(".st-key-erratum_grids .marked")).to_have_count(8)
    assert not errors
