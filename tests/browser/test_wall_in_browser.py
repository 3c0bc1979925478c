"""Presenter view: its keys, and small screens. What each page shows: ``test_accessibility.py``."""

import re

import pytest
from conftest import PHONE
from microscope import chosen_in_link, open_step, quiet, server_rests, state, until, visit
from playwright.sync_api import Browser, Page, ViewportSize, expect

TABLET: ViewportSize = {"width": 820, "height": 1180}
SMALL_TABLET: ViewportSize = {"width": 1024, "height": 768}
# The matrices of an equation: what is cut, in how many lines they stand, and how large type is.
EQUATION = """(key) => {
  const host = document.querySelector(`.st-key-${key} [data-testid=stBidiComponentIsolated]`);
  const root = host.shadowRoot;
  const figures = [...root.querySelectorAll("figure")].map((one) => one.getBoundingClientRect());
  const cell = root.querySelector(".cell");
  return {
    left: Math.min(...figures.map(({ left }) => left)),
    right: Math.max(...figures.map(({ right }) => right)),
    lines: new Set(figures.map(({ top }) => Math.round(top))).size,
    type: parseFloat(getComputedStyle(cell).fontSize) * cell.currentCSSZoom,
  };
}"""


def test_a_clicker_steps_b_blanks_and_h_is_in_the_link(server: str, page: Page) -> None:
    open_step(page, server, "&stage=scores&present=1&hide=1", "errata")
    expect(page.locator(".microscope.hides")).to_be_visible()
    for key, stage in (("PageDown", "scaled"), ("PageUp", "scores"), ("Home", "Q")):
        page.keyboard.press(key)
        chosen_in_link(page, stage=stage, hide=1)

    visit(page, f"{server}/softmax?lang=en")  # whose result H hides, no longer the microscope's
    expect(page.locator(".st-key-wall .enter")).to_be_visible()
    page.keyboard.press("p")
    for key in ("PageDown", "PageDown", "Home", "End", "PageUp"):
        page.keyboard.press(key)
    chosen_in_link(page, temperature=10, present=1)
    page.keyboard.press("h")
    chosen_in_link(page, hide=1, present=1)
    expect(page.locator(".st-key-bars [data-testid=stPlotlyChart]").first).to_have_css(
        "filter", re.compile("blur")
    )
    black = page.locator(".st-key-wall .black")
    page.keyboard.press("b")
    expect(black).to_be_visible()
    page.keyboard.press("PageUp")
    expect(black).to_be_hidden()
    chosen_in_link(page, temperature=10)
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


def test_no_key_is_lost_while_a_page_comes(server: str, new_tab: Page) -> None:
    """Before there is any component, and on the way to another page."""
    components = "**/BidiComponent.*.js"
    new_tab.route(components, lambda _: None)
    new_tab.goto(f"{server}/softmax?lang=en&present=1")
    new_tab.wait_for_function("document.earlyKeys")
    for key in ("PageDown", "Home", "PageDown", "PageDown"):
        new_tab.keyboard.press(key)
    new_tab.wait_for_function("document.earlyKeys.pressed.length === 4")
    new_tab.unroute(components)
    chosen_in_link(new_tab, temperature="0.2", present=1)
    new_tab.evaluate("""() => {
      history.pushState({}, "", "scaling?lang=en&present=1&d_k=128");
      dispatchEvent(new PopStateEvent("popstate"));
    }""")
    new_tab.keyboard.press("PageDown")
    new_tab.keyboard.press("PageDown")
    chosen_in_link(new_tab, d_k=512, present=1)
    new_tab.locator(".st-key-reads").get_by_text("512").first.wait_for(state="attached")
    server_rests(new_tab)
    new_tab.keyboard.press("PageDown")
    chosen_in_link(new_tab, d_k=1024, present=1)
    # One entry a step, though the server writes the address, too, and it has not drawn this one.
    new_tab.go_back()
    chosen_in_link(new_tab, d_k=512, present=1)
    expect(new_tab.locator(".st-key-d_k [data-testid=stSliderThumbValue]")).to_have_text("512")


@pytest.mark.parametrize(
    ("screen", "is_one_line", "type_sizes"),
    [(TABLET, True, (16, 11)), (SMALL_TABLET, True, (16, 11)), (PHONE, False, (11, 11))],
    ids=["tablet", "small tablet", "phone"],
)
def test_an_equation_is_whole_and_on_a_tablet_in_one_line(
    server: str,
    browser: Browser,
    screen: ViewportSize,
    is_one_line: bool,
    type_sizes: tuple[int, int],
) -> None:
    context = browser.new_context(viewport=screen)  # which remembers that the sidebar is folded
    page = context.new_page()
    equations = (("softmax", "sum"), ("masks", "composition"))
    for (name, key), type_size in zip(equations, type_sizes, strict=True):
        page.goto(f"{server}/{name}?lang=en&present=1")
        host = page.locator(f".st-key-{key} [data-testid=stBidiComponentIsolated] figure")
        expect(host.first).to_be_visible()
        page.wait_for_function(f"(key) => ({EQUATION})(key).type >= {type_size}", arg=key)
        found = page.evaluate(EQUATION, key)
        assert found["left"] >= 0 and found["right"] <= screen["width"], found
        assert (found["lines"] == 1) is is_one_line, found
        if name == "softmax":
            expect(page.locator(".st-key-score_sliders [data-testid=stSlider]")).to_have_count(4)
            expect(page.locator(".st-key-score_sliders")).to_be_in_viewport()
    context.close()


def test_p_before_the_microscope_is_there_is_not_lost_and_what_it_teaches_stands_below(
    server: str, new_tab: Page
) -> None:
    new_tab.goto(f"{server}/rotary?lang=en")
    new_tab.wait_for_function("document.earlyKeys")
    new_tab.keyboard.press("p")
    chosen_in_link(new_tab, present=1)
    claim = new_tab.locator(".hall .claim")
    expect(claim).to_contain_text("in their product only the difference is left")
    new_tab.keyboard.press("h")  # what it asks first does not say it
    expect(claim).not_to_contain_text("only the difference is left")
    expect(claim).not_to_be_empty()


def test_back_soon_after_a_key_leads_to_the_entry_before(server: str, new_tab: Page) -> None:
    """What the key showed has no entry, and goes."""
    new_tab.goto(f"{server}/by_hand?lang=en&stage=Q")
    until(new_tab, "s.isReady && s.stage === 'Q'")
    server_rests(new_tab)
    for stage in ("K", "V"):
        new_tab.keyboard.press("ArrowRight")
        chosen_in_link(new_tab, stage=stage)
        quiet(new_tab)
    state(new_tab, "(s.step(1), history.back())")  # as a key does, and at once
    chosen_in_link(new_tab, stage="K")
    server_rests(new_tab)
    until(new_tab, "s.stage === 'K'")
    chosen_in_link(new_tab, stage="K")
