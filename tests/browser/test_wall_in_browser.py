"""Presenter view of every page: what it shows of each, and the keys of a clicker."""

import re
from pathlib import Path

from microscope import address_of, chosen_in_link, open_step, server_rests, visit
from playwright.sync_api import Page, expect

from views.navigation import CHAPTERS, ON_WALL

HALL, *SMALLER = ((1920, 1080), (1440, 900), (1366, 768))
LACKS = Path(__file__).with_name("wall.js").read_text("utf-8")
SCROLLS = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const main = document.querySelector("[data-testid=stMain]");
    done(main.scrollHeight > main.clientHeight + 1 || main.scrollWidth > main.clientWidth + 1);
}, 50)))"""  # after the page has found its size
SHOWN = {name: one["figure"] for name, one in ON_WALL.items() if one["figure"]}
ON_MICROSCOPE = (  # whose figure is the microscope's, which test_accessibility.py walks through
    "learning", "by_hand", "errata", "cross", "grouped_query", "rotary", "kv_cache",
    "sliding_window", "tiles", "soft_cap", "latent",
)  # fmt: skip
REFERENCE = ("glossary",)  # nothing to present


def test_every_page_has_a_figure_with_its_claim_for_the_last_row(server: str, page: Page) -> None:
    page.set_viewport_size({"width": HALL[0], "height": HALL[1]})
    taught = {name for pages in CHAPTERS.values() for name in pages}
    lacking = [
        f"{name}: says nothing of it" for name in taught - {*SHOWN, *ON_MICROSCOPE, *REFERENCE}
    ]
    for name, figure in SHOWN.items():
        visit(page, address_of(server, name, "en") + "&present=1")
        expect(page.locator("[data-wall]")).to_be_attached()
        server_rests(page)
        lacking += [f"{name}: {one}" for one in page.evaluate(LACKS, list(figure))]
        for width, height in (*SMALLER, HALL):
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate(SCROLLS):
                lacking.append(f"{name}: scrolls at {width} × {height}")
    assert not lacking, "\n".join(lacking)


def test_a_clicker_steps_b_blanks_and_h_is_in_the_link(server: str, page: Page) -> None:
    visit(page, f"{server}/softmax?lang=en")
    page.keyboard.press("p")
    chosen_in_link(page, present=1)
    for key, chosen in (("PageDown", "1.5"), ("Home", "0.05"), ("End", "20")):
        page.keyboard.press(key)
        chosen_in_link(page, temperature=chosen, present=1)
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
