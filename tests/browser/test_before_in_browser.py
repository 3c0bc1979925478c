import re

from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_moves_a_slider_and_scrolls_with_keys_what_is_wider_than_its_frame(
    server: str, page: Page, errors: list[str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/before?lang=en")
    for chart in ("net_triangle", "attention_triangle", "curve"):
        expect(page.locator(f".st-key-{chart} .js-plotly-plot")).to_be_visible()
    page.locator(".st-key-tanh").get_by_text("tanh", exact=True).click()
    slider = page.locator(".st-key-radius").get_by_role("slider")
    slider.focus()
    slider.press("End")
    address_has(page, r"(?=.*radius=2\.5)(?=.*tanh=0)")
    expect(page.locator(".st-key-reads")).to_contain_text("explodes")
    expander = page.locator("details:has(.st-key-last_row)")
    expander.locator("summary").click()
    frame = expander.locator(".frame")
    expect(frame).to_have_role("region")
    expect(frame).to_have_accessible_name("influence on the last word, times")
    expect(frame).to_have_css("mask-image", re.compile(r"calc\(100% - 24px\)"))  # more is there
    expander.locator("summary").focus()
    page.keyboard.press("Tab")
    expect(frame).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(frame) => frame.scrollLeft > 0", arg=frame.element_handle())
    page.set_viewport_size({"width": 1440, "height": 900})
    for attribute in ("tabindex", "role", "aria-label"):
        expect(frame).not_to_have_attribute(attribute, re.compile(""))
    assert not errors
