"""For teachers: the view for a lecture hall, and numbers hidden until they are requested."""

import re

import pytest
from microscope import (
    CLOSED,
    back,
    button,
    chosen_in_link,
    open_machine,
    open_step,
    quiet,
    sum_of,
    visit,
    walk,
)
from playwright.sync_api import Page, expect

STEPS = ("scores", "weights", "head_output")
SIZE = """(sum) => {
  const parts = [sum, sum.getRootNode().querySelector(".figure > canvas")];
  const size = parseFloat(getComputedStyle(sum.querySelector("h3")).fontSize);
  return [size, Math.max(...parts.map((part) => part.getBoundingClientRect().bottom))];
}"""
ON_TOP = """(key) => {
  const box = document.querySelector(`.st-key-${key}`);
  const { x, y, width, height } = box.getBoundingClientRect();
  return box.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
IN_LINK = """() => {
  let step = null;
  const take = ({ store }) => (step ??= store.stage);
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: take }));
  return new URLSearchParams(location.search).get("stage") === step;
}"""
AT_ONCE = 300  # milliseconds
SMALLEST = 20  # pixels: type that the last row can read at 1080 lines


@pytest.fixture
def hall(page: Page) -> Page:
    """Her tab on a projector."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    return page


def test_p_shows_the_step_to_a_hall_escape_leaves_and_h_hides_the_numbers(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/?lang=en")
    page.get_by_test_id("stSidebar").get_by_text("Sentence", exact=True).click()
    open_machine(page)
    expect(sum_of(page)).to_be_visible()
    quiet(page)  # the server writes the model into the address, too
    sidebar = page.get_by_test_id("stSidebar")
    page.keyboard.press("p")
    expect(sidebar).to_be_hidden()
    chosen_in_link(page, present=1)
    page.keyboard.press("Escape")
    expect(sidebar).to_be_visible()
    chosen_in_link(page, present=None)
    button(page, "presenter").click()
    expect(sidebar).to_be_hidden()
    page.keyboard.press("p")
    expect(sidebar).to_be_visible()

    total = sum_of(page).locator(".total")
    page.keyboard.press("h")
    expect(sum_of(page)).to_have_class(re.compile("hides"))
    expect(total).to_have_css("filter", re.compile("blur"))
    page.keyboard.press("h")
    expect(total).to_have_css("filter", "none")

    page.keyboard.press("p")
    chosen_in_link(page, present=1)
    back(page)
    expect(page.locator("h1")).to_be_visible()
    expect(sidebar).to_be_visible()


def test_a_hall_sees_the_cards_and_then_each_step_which_the_address_has_at_once(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/sentence?lang=en")
    page.locator(CLOSED).wait_for()
    cards = page.locator(".first-view .three")
    page.keyboard.press("p")
    chosen_in_link(page, present=1, stage=None)
    expect(cards).to_be_visible()
    page.keyboard.press("PageDown")  # behind the cards the steps begin, with all that stands around
    for part in (".stepper .now", ".words p >> nth=0", ".hall .leave"):
        expect(page.locator(f".microscope.presenting {part}")).to_be_visible()
    expect(cards).to_be_hidden()
    for _ in range(3):  # the address has each step at once, whatever the server does
        page.keyboard.press("PageDown")
        page.wait_for_timeout(AT_ONCE)
        assert page.evaluate(IN_LINK), page.url
    page.keyboard.press("Home")
    page.locator(".hall .back").click()
    expect(cards).to_be_visible()
    page.keyboard.press("Escape")
    chosen_in_link(page, present=None)


def test_a_step_and_its_sum_stand_on_one_screen_of_a_hall(server: str, hall: Page) -> None:
    for name, smallest in (("sentence", SMALLEST), ("image", 0.8 * SMALLEST)):
        open_step(hall, server, "&stage=scores&present=1", name)
        expect(hall.locator(".microscope.presenting")).to_be_visible()
        for size, bottom in walk(hall, [(key, 0, 0) for key in STEPS], SIZE):
            assert size >= smallest and bottom <= 1080, name


def test_a_hall_reads_which_part_of_a_model_it_sees(server: str, hall: Page) -> None:
    open_step(hall, server, "&part=decoder/2/cross&present=1", "translation")
    part = hall.locator(".st-key-microscope .signature .part")
    expect(part).to_contain_text("decoder, layer 2 · cross-attention")
    hall.keyboard.press("Escape")
    expect(part).to_be_hidden()


def test_a_hall_reads_what_the_link_could_not_say_and_why_its_text_was_refused(
    server: str, hall: Page
) -> None:
    open_step(hall, server, "&text=+&head=99&step=nonsense&stage=scores&present=1")
    for key, words in (("notices", "head=99, step=nonsense"), ("error", "There is no text yet")):
        expect(hall.locator(f".st-key-{key}")).to_contain_text(words)
        assert hall.evaluate(ON_TOP, key), key
