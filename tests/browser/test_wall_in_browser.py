"""Presenter view: the keys of a clicker. What it shows of each page: ``test_accessibility.py``."""

import re

from microscope import chosen_in_link, open_step, visit
from playwright.sync_api import Page, expect


def test_a_clicker_steps_b_blanks_and_h_is_in_the_link(server: str, page: Page) -> None:
    visit(page, f"{server}/softmax?lang=en")
    temperature = page.locator(".st-key-temperature input")
    first = temperature.input_value()
    page.keyboard.press("p")
    chosen_in_link(page, present=1)
    page.keyboard.press("PageDown")
    expect(temperature).not_to_have_value(first)
    page.keyboard.press("End")
    expect(temperature).to_have_value(str(temperature.get_attribute("max")))
    page.keyboard.press("h")
    chosen_in_link(page, hide=1, present=1)
    expect(page.locator(".st-key-bars [data-testid=stPlotlyChart]")).to_have_css(
        "filter", re.compile("blur")
    )
    black = page.locator(".st-key-wall .black")
    page.keyboard.press("b")
    expect(black).to_be_visible()
    page.keyboard.press("PageUp")
    expect(black).to_be_hidden()
    expect(temperature).to_have_value(str(temperature.get_attribute("max")))
    page.keyboard.press("Escape")
    chosen_in_link(page, present=None)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.keyboard.press("h")
    chosen_in_link(page, hide=None)

    open_step(page, server, "&stage=scores&present=1&hide=1", "errata")
    expect(page.locator(".microscope.hides")).to_be_visible()
    for key, stage in (("PageDown", "scaled"), ("PageUp", "scores"), ("Home", "Q")):
        page.keyboard.press(key)
        chosen_in_link(page, stage=stage, hide=1)
