"""The steps play, stop at a touch, and are not animated under reduced motion."""

import pytest
from microscope import (
    FIGURE,
    button,
    chosen_in_link,
    click_cell,
    go_to,
    open_step,
    state,
    step,
    title,
    until,
)
from playwright.sync_api import Page, expect

_TWO_FRAMES = """(canvas) => new Promise((found) => {
  const frame = () => new Promise(requestAnimationFrame);
  const frames = [];
  const look = async () => {
    for (let i = 0; i < 12; i++) { await frame(); frames.push(canvas.toDataURL()); }
    found(new Set(frames).size);
  };
  look();
})"""
# In one moment: the sum is that of a cell in another row than the chosen one.
SUM_FOLLOWS = """(() => {
  const hosts = [...document.querySelectorAll(".st-key-microscope *")];
  const title = hosts.map((one) => one.shadowRoot?.querySelector(".sum h3")).find(Boolean);
  const names = s.trace.labelsOf(s.spot.key, s.spot.index).slice(2);
  return s.spot.row !== s.rest.row && names.every((name) => title.textContent.includes(name));
})()"""

# By way of the step between, and then slowly, which leaves time to look: set by each change of the
# store, since a busy browser looks too late.
QUICKLY_TO_WEIGHTS = """s.listen(s.hurry = () => {
  s.speed = s.stage === "weights" ? 0.5 : 8;
  s.passed ||= s.playing && s.stage === "scaled" && !s.hover;
}) && s.hurry()"""


@pytest.fixture
def calm_page(page: Page) -> Page:
    """Her tab, if she wants no motion."""
    page.emulate_media(reduced_motion="reduce")
    return page


def test_play_goes_through_the_steps_stops_at_a_touch_and_begins_anew_at_the_end(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=scores")
    for speed in ("2×", "0.5×", "1×", "2×", "0.5×"):  # which leaves time to look
        button(page, "speed").click()
        expect(button(page, "speed")).to_have_text(speed)
    button(page, "play").click()
    until(page, "s.playing && s.hover?.row === 2 && s.hover.column === 0")
    until(page, SUM_FOLLOWS)
    state(page, QUICKLY_TO_WEIGHTS)
    until(page, "s.passed && s.stage === 'weights'")
    expect(step(page, "weights")).to_have_attribute("aria-current", "step")
    expect(title(page)).to_contain_text("softmax")
    assert "stage=scores" in page.url, "the server is not asked while the story plays"
    button(page, "play").click()
    until(page, "!s.playing")
    chosen_in_link(page, stage="weights")
    assert state(page, "s.stage") == "weights"

    button(page, "play").click()
    until(page, "s.playing")
    click_cell(page, 0, 0)
    until(page, "!s.playing")
    expect(button(page, "play")).to_have_text("▶")

    go_to(page, "output")
    page.locator(FIGURE).focus()
    page.keyboard.press(" ")
    until(page, "s.playing && s.stage === 'tokens'")
    page.keyboard.press(" ")
    until(page, "!s.playing")
    chosen_in_link(page, stage="tokens")

    state(page, "s.move({ stage: 'scaled', locked: false })")
    until(page, "s.layout?.boxes.at(-1).plane.stage === 'scaled'")
    page.keyboard.press("ArrowRight")
    assert page.locator(FIGURE).evaluate(_TWO_FRAMES) > 2, "a step by hand is animated"


def test_who_wants_no_motion_gets_the_steps_without_any(server: str, calm_page: Page) -> None:
    open_step(calm_page, server, "&stage=scaled")
    calm_page.keyboard.press("ArrowRight")
    until(calm_page, "s.stage === 'weights' && s.layout?.boxes.at(-1).plane.stage === 'weights'")
    assert calm_page.locator(FIGURE).evaluate(_TWO_FRAMES) == 1
    button(calm_page, "play").click()
    until(calm_page, "s.playing && s.stage === 'head_output'")
    until(calm_page, "s.layout?.boxes.at(-1).plane.stage === 'head_output'")
    assert calm_page.locator(FIGURE).evaluate(_TWO_FRAMES) == 1
