import re

from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_widens_the_vectors_and_tries_other_divisors(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/scaling?lang=en")
    said = page.locator(".st-key-reads")
    expect(said).to_contain_text("= 64 the dot products spread by 7.99")
    expect(page.locator(".js-plotly-plot")).to_have_count(7)

    slider = page.locator(".st-key-d_k").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    expect(said).to_contain_text("= 128 the dot products spread by")
    address_has(page, "d_k=128")

    page.locator(".st-key-divisor").get_by_text("√d_model").click()
    expect(said).to_contain_text("Too much by √h")
    expect(page.locator(".st-key-divided_card")).to_contain_text(re.compile(r"Divided by .* = 32"))
    address_has(page, "divisor=sqrt_d_model")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors
