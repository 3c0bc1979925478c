"""Presenter view: the keys of a clicker. What it shows of each page: ``test_accessibility.py``."""

import re

from microscope import chosen_in_link, open_step, server_rests, visit
from playwright.sync_api import Page, expect


def test_a_clicker_steps_b_blanks_and_h_is_in_the_link(server: str, page: Page) -> None:
    visit(page, f"{server}/softmax?lang=en")
    expect(page.locator(".st-key-wall .enter")).to_be_visible()
    page.keyboard.press("p")
    chosen_in_link(page, present=1)
    server_rests(page)
    for key, chosen in (("PageDown", "1.5"), ("Home", "0.05"), ("End", "20")):
        page.keyboard.press(key)
        chosen_in_link(page, temperature=chosen, present=1)
        server_rests(page)
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
    chosen_in_link(page, temperature=20)
    page.keyboard.press("Escape")
    chosen_in_link(page, present=None)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.keyboard.press("h")
    chosen_in_link(page, hide=None)

    visit(
        page, f"{server}/heads?lang=en"
    )  # opens with the question, and shows what it teaches at H
    lead, learnt = (page.locator(f".st-key-{key}") for key in ("lead", "learnt"))
    page.keyboard.press("p")
    chosen_in_link(page, hide=1, present=1)
    for shown, hidden, key in ((lead, learnt, "h"), (learnt, lead, "PageDown")):
        expect(shown).to_be_visible()
        expect(hidden).to_be_hidden()
        page.keyboard.press(key)
    chosen_in_link(page, heads=8, hide=None)
    page.keyboard.press("p")

    open_step(page, server, "&stage=scores&present=1&hide=1", "errata")
    expect(page.locator(".microscope.hides")).to_be_visible()
    for key, stage in (("PageDown", "scaled"), ("PageUp", "scores"), ("Home", "Q")):
        page.keyboard.press(key)
        chosen_in_link(page, stage=stage, hide=1)
