"""All heads at a glance: point to preview, click to choose, pin two side by side."""

from microscope import (
    chosen_in_link,
    go_to,
    hover_cell,
    open_step,
    read_sum,
    state,
    title_of_sum,
    until,
)
from playwright.sync_api import Locator, Page, expect
from printed import digits_of, printed

from core import explain
from pages.see.image.controls import first_pictures, image_trace

RESULT_PIXELS = """(canvas) => {
  const { x, y, width, height } = globalThis.attentionMicroscope.layout.boxes.at(-1);
  const { data } = canvas.getContext("2d").getImageData(x, y, width, height);
  return data.reduce((sum, value, i) => (sum * 31 + value * (i % 7)) % 1000003, 0);
}"""
FIGURE = ".st-key-microscope .figure > canvas"


def heads(page: Page) -> Locator:
    return page.locator(".st-key-microscope .heads .one > button:first-child")


def test_a_head_is_previewed_while_it_is_pointed_at_pinned_beside_another_and_chosen(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=weights")
    expect(heads(page)).to_have_count(2)
    a_pointed_head_is_previewed_in_the_figure_and_gone_with_the_pointer(page)
    pair = page.locator(".st-key-microscope .pair")
    expect(pair).to_be_hidden()
    page.locator(".st-key-microscope .heads .pin").nth(1).click()
    expect(pair.locator("canvas")).to_be_visible()
    pair.locator("canvas").hover(position={"x": 60, "y": 60})  # the first cell of the chosen head
    until(page, "s.hover?.row === 0 && s.hover.column === 0")
    page.locator(".st-key-microscope .heads .pin").nth(1).click()
    expect(pair).to_be_hidden()

    heads(page).nth(1).click()
    expect(heads(page).nth(1)).to_have_attribute("aria-pressed", "true")
    page.mouse.move(2, 2)
    expect(title_of_sum(page)).to_contain_text("weights[head 2, ")
    chosen_in_link(page, head=2)
    page.keyboard.press("1")
    until(page, "s.head === 0")
    chosen_in_link(page, head=1)


def test_every_head_of_many_patches_says_what_it_does_and_another_brings_its_own_numbers(
    server: str, page: Page
) -> None:
    trace = image_trace(first_pictures("seeded"))
    open_step(page, server, "&stage=weights", "image")
    captions = page.locator(".st-key-microscope .heads small").all_text_contents()
    assert len(captions) == 4
    assert all(captions)
    a_pointed_head_is_previewed_in_the_figure_and_gone_with_the_pointer(page)
    heads(page).nth(2).click()
    until(page, "s.head === 2")
    chosen_in_link(page, head=3)
    go_to(page, "scores")
    hover_cell(page, 40, 90)
    expect(title_of_sum(page)).to_contain_text("scores[head 3, 40, 90]")
    total = read_sum(page)["total"]
    assert total == printed(
        explain(trace, "scores", (0, 2, 40, 90)).made_by.value, digits_of(total)
    )


def a_pointed_head_is_previewed_in_the_figure_and_gone_with_the_pointer(page: Page) -> None:
    chosen = page.locator(FIGURE).evaluate(RESULT_PIXELS)
    heads(page).nth(1).hover()
    until(page, "s.previewed === 1")
    page.wait_for_function("() => new Promise((f) => requestAnimationFrame(() => f(true)))")
    assert page.locator(FIGURE).evaluate(RESULT_PIXELS) != chosen
    assert state(page, "s.head") == 0
    page.mouse.move(2, 2)
    until(page, "s.previewed === null")
    page.wait_for_function("() => new Promise((f) => requestAnimationFrame(() => f(true)))")
    assert page.locator(FIGURE).evaluate(RESULT_PIXELS) == chosen
