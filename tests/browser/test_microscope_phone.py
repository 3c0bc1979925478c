"""The same story on a phone: one column, a tap for a pointer, nothing wider than the screen."""

import re

from microscope import (
    FIGURE,
    button,
    chosen_in_link,
    go_to,
    inside,
    open_step,
    state,
    sum_of,
    title_of_sum,
    until,
    walk,
)
from playwright.sync_api import Page, expect

_WIDTHS = """(sum) => {
  const figure = sum.getRootNode().querySelector(".figure > canvas").getBoundingClientRect();
  return [document.documentElement.scrollWidth, figure.left, figure.right];
}"""

# Whether boxes stand one below the other on the screen, the lower ones with all their text.
_BELOW = """() => {
  let view = null;
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: (one) => (view ??= one) }));
  const boxes = [".st-key-error", ".st-key-notices"].map((key) => document.querySelector(key));
  return [view.element, ...boxes].every((box, i, all) => {
    const { bottom } = box.getBoundingClientRect(), next = all[i + 1]?.getBoundingClientRect().top;
    return bottom <= (next ?? innerHeight) && (!i || box.scrollHeight <= box.clientHeight);
  });
}"""

# Whether a number of the figure and the sum below it are on the screen, below the page's header.
_BOTH_IN_SIGHT = """(down) => {
  let view = null;
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: (one) => (view ??= one) }));
  const number = view.element.querySelector(".figure > canvas").getBoundingClientRect().top + down;
  const { top, bottom } = view.element.querySelector(".sum").getBoundingClientRect();
  return number > 60 && number < top && bottom <= innerHeight;
}"""


def test_a_tap_holds_a_cell_opens_an_operand_and_plays(server: str, phone: Page) -> None:
    open_step(phone, server, "&stage=weights")
    phone.locator(FIGURE).tap(position=inside(phone, (2, 0), -1, whole=True))
    expect(title_of_sum(phone)).to_contain_text("weights[head 1, 北京, 我]")
    expect(sum_of(phone)).to_have_class(re.compile("locked"))
    chosen_in_link(phone, row=3, column=1, lock=1)
    phone.locator(FIGURE).tap(position=inside(phone, (2, 0), -1, whole=True))
    until(phone, "!s.locked")

    go_to(phone, "scores")
    phone.locator(FIGURE).tap(position=inside(phone, (0, 1), 0, whole=True))
    expect(title_of_sum(phone)).to_contain_text("Q[head 1, 我, 2]")
    phone.locator(".st-key-microscope .trail button").first.tap()
    until(phone, "s.stage === 'scores'")

    state(phone, "s.speed = 8")
    button(phone, "play").tap()
    until(phone, "s.playing && s.stage === 'scaled'")
    phone.locator(FIGURE).tap()
    until(phone, "!s.playing")


def test_a_tapped_number_and_all_of_its_sum_are_in_sight(server: str, phone: Page) -> None:
    open_step(phone, server, "&stage=scores", "image")
    figure, (column, row) = phone.locator(FIGURE), (1, 2)
    figure.scroll_into_view_if_needed()
    spot = inside(phone, (row, column), -1, whole=True)
    figure.tap(position=spot)
    expect(sum_of(phone)).to_have_class(re.compile("locked"))
    expect(sum_of(phone)).to_contain_text("terms in all")
    phone.wait_for_function(_BOTH_IN_SIGHT, arg=spot["y"])


def test_no_step_is_wider_than_the_screen(server: str, phone: Page) -> None:
    open_step(phone, server, "", "image")
    steps = state(phone, "s.steps")
    widths = walk(phone, [(key, 0, 0) for key in steps], _WIDTHS)
    assert len(steps) == len(widths) == 15
    for key, (most, left, right) in zip(steps, widths, strict=True):
        assert most <= 390 and left >= 0 and right <= 390, key


def test_presenter_view_shows_all_messages_below_it_and_is_left_by_a_tap(
    server: str, phone: Page
) -> None:
    open_step(phone, server, "&text=+&head=99&step=nonsense&stage=scores&present=1")
    view = phone.locator(".microscope.presenting")
    notices, error = (phone.locator(f".st-key-{key}") for key in ("notices", "error"))
    expect(notices).to_contain_text("step=nonsense")
    expect(error).to_contain_text("There is no text yet")
    phone.wait_for_function(_BELOW)
    phone.locator(".microscope .hall .leave").tap()
    expect(view).to_have_count(0)
    chosen_in_link(phone, present=None)
