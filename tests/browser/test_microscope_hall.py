"""What a teacher has: a view for the lecture hall, and numbers that wait to be asked for."""

import re

import pytest
from microscope import INIT_SCRIPT, button, chosen_in_link, open_step, sum_of, title_of_sum
from playwright.sync_api import Browser, Page, expect

SMALLEST = 20  # pixels: type that the last row can read at 1080 lines


@pytest.fixture
def hall(browser: Browser):
    """A tab on a projector."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en")
    context.add_init_script(INIT_SCRIPT)
    yield context.new_page()
    context.close()


def test_p_shows_the_step_to_a_hall_and_escape_leaves(server: str, page: Page) -> None:
    open_step(page, server, "&stage=weights")
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_be_visible()
    page.keyboard.press("p")
    expect(sidebar).to_be_hidden()
    chosen_in_link(page, present=1)
    page.reload()
    expect(title_of_sum(page)).not_to_be_empty()
    expect(sidebar).to_be_hidden()
    page.keyboard.press("Escape")
    expect(sidebar).to_be_visible()
    chosen_in_link(page, present=None)
    button(page, "presenter").click()
    expect(sidebar).to_be_hidden()
    page.keyboard.press("p")
    expect(sidebar).to_be_visible()


@pytest.mark.parametrize("door", ["sentence", "image"])
@pytest.mark.parametrize("key", ["scores", "weights", "head_output"])
def test_a_step_and_its_sum_stand_on_one_screen_of_a_hall(
    server: str, hall: Page, door: str, key: str
) -> None:
    open_step(hall, server, f"&stage={key}&present=1", door)
    expect(hall.locator(".microscope.presenting")).to_be_visible()
    for part in (hall.locator(".st-key-microscope .figure canvas").first, sum_of(hall)):
        expect(part).to_be_in_viewport(ratio=1)
    size = title_of_sum(hall).evaluate("(title) => parseFloat(getComputedStyle(title).fontSize)")
    assert size >= SMALLEST if door == "sentence" else size >= 0.8 * SMALLEST


def test_h_hides_the_numbers_until_they_are_asked_for(server: str, page: Page) -> None:
    open_step(page, server, "&stage=scores")
    total = sum_of(page).locator(".total")
    page.keyboard.press("h")
    expect(sum_of(page)).to_have_class(re.compile("hides"))
    expect(total).to_have_css("filter", re.compile("blur"))
    page.keyboard.press("h")
    expect(total).to_have_css("filter", "none")


def test_back_from_the_hall_gives_the_page_before_its_sidebar(server: str, page: Page) -> None:
    page.goto(f"{server}/?lang=en")
    expect(page.locator("h1")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_text("Sentence", exact=True).click()
    expect(title_of_sum(page)).not_to_be_empty()
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    chosen_in_link(page, present=1)
    page.go_back()
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_a_hall_reads_which_part_of_a_model_it_sees(server: str, hall: Page) -> None:
    open_step(hall, server, "&part=decoder/2/cross&present=1", "translation")
    part = hall.locator(".st-key-microscope .passport .part")
    expect(part).to_contain_text("decoder, layer 2 · cross-attention")
    hall.keyboard.press("Escape")
    expect(part).to_be_hidden()
