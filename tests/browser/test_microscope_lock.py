"""A locked cell: the arrows walk, its numbers are links, breadcrumbs and Back lead back."""

import re

from microscope import (
    FIGURE,
    back,
    button,
    chosen_in_link,
    click_cell,
    go_to,
    hover_cell,
    leave_figure,
    open_step,
    quiet,
    state,
    step,
    sum_of,
    title,
    title_of_sum,
    until,
)
from playwright.sync_api import Page, expect

STEPS = (
    "tokens", "embedding", "position", "X", "Q", "K", "V",
    "scores", "scaled", "weights", "head_output", "concat", "output",
)  # fmt: skip
_PRESS_ONCE_IT_IS_ASKED = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (message) {
    WebSocket.prototype.send = send;
    this.send(message);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  };
}"""
POSITIONS = "[s.positions.query, s.positions.key]"


def test_a_click_holds_the_cell_another_or_escape_lets_go_and_arrows_move_cell_or_step(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=weights&head=2&row=3&column=1&lock=1")
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 北京, 我]")
    expect(sum_of(page)).to_have_class(re.compile("locked"))
    assert state(page, f"[s.stage, s.head, s.locked, ...{POSITIONS}]") == ["weights", 1, True, 2, 0]

    click_cell(page, 2, 0)
    until(page, "!s.locked")
    chosen_in_link(page, lock=None)
    click_cell(page, 2, 0)
    expect(sum_of(page)).to_have_class(re.compile("locked"))
    hover_cell(page, 1, 1)
    leave_figure(page)
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 北京, 我]")
    chosen_in_link(page, row=3, column=1, lock=1)
    page.keyboard.press("Escape")
    until(page, "!s.locked")
    expect(sum_of(page)).not_to_have_class(re.compile("locked"))

    for key, stage in (
        ("ArrowLeft", "scaled"),
        ("ArrowRight", "weights"),
        ("ArrowLeft", "scaled"),
        ("ArrowLeft", "scores"),
    ):
        page.keyboard.press(key)
        until(page, f"s.stage === '{stage}'")
    expect(title(page)).to_contain_text("every token asks every token")
    chosen_in_link(page, stage="scores")

    until(page, "s.layout?.boxes.at(-1).plane.stage === 'scores'")
    click_cell(page, 1, 1)
    until(page, "s.locked")
    walk = (
        ("ArrowRight", [1, 2]), ("ArrowDown", [2, 2]), ("ArrowDown", [2, 2]),
        ("ArrowLeft", [2, 1]), ("ArrowUp", [1, 1]), ("ArrowUp", [0, 1]), ("ArrowUp", [0, 1]),
    )  # fmt: skip
    for key, expected in walk:
        page.keyboard.press(key)
        assert state(page, POSITIONS) == expected, key
    assert state(page, "s.stage") == "scores"
    leave_figure(page)
    expect(title_of_sum(page)).to_contain_text("[head 2, 我, 爱]")
    chosen_in_link(page, row=1, column=2, lock=1)
    page.keyboard.press("PageDown")
    until(page, "s.stage === 'scaled' && s.locked")
    page.keyboard.press("PageUp")
    until(page, "s.stage === 'scores'")


def test_an_operand_leads_to_where_it_was_made_and_breadcrumbs_and_back_lead_back(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=scores&head=2&row=3&column=1&lock=1")
    click_cell(page, 1, 3, plane=0)  # Q of the second token, its fourth number
    expect(title_of_sum(page)).to_contain_text("Q[head 2, 爱, 4]")
    assert state(page, "[s.stage, s.head, s.locked]") == ["Q", 1, True]
    click_cell(page, 1, 5, plane=0)
    expect(title_of_sum(page)).to_contain_text("X[爱, 6]")
    trail = page.locator(".st-key-microscope .trail button")
    expect(trail).to_have_count(2)
    trail.first.click()
    expect(title_of_sum(page)).to_contain_text("scores[head 2, 北京, 我]")
    expect(trail).to_have_count(0)
    chosen_in_link(page, stage="scores", row=3, column=1, lock=1)

    click_cell(page, 3, 0, plane=1)  # K transposed: the fourth number of the first token
    expect(title_of_sum(page)).to_contain_text("K[head 2, 我, 4]")
    trail.first.click()
    expect(title_of_sum(page)).to_contain_text("scores[head 2, 北京, 我]")

    go_to(page, "weights")
    chosen_in_link(page, stage="weights")
    click_cell(page, 2, 1)
    chosen_in_link(page, row=3, column=2, lock=1)
    go_to(page, "output")
    chosen_in_link(page, stage="output")
    back(page)
    until(
        page,
        "s.stage === 'weights' && s.locked && s.positions.query === 2 && s.positions.key === 1",
    )
    expect(step(page, "weights")).to_have_attribute("aria-current", "step")
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 北京, 爱]")
    page.go_forward()
    until(page, "s.stage === 'output'")


def test_a_move_made_while_the_server_answers_the_one_before_is_not_lost(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=scores", "by_hand")  # its cards follow the selection
    quiet(page)
    page.evaluate(_PRESS_ONCE_IT_IS_ASKED)
    page.keyboard.press("ArrowRight")
    chosen_in_link(page, stage="weights")


def test_a_click_holds_the_very_cell_that_was_pointed_at(server: str, page: Page) -> None:
    open_step(page, server, "&stage=scores", "image")
    for row, column in ((41, 77), (150, 180)):
        hover_cell(page, row, column)  # between two pixels of the screen, as a fine mouse may be
        page.mouse.down()
        page.mouse.up()
        until(page, "s.locked")
        assert state(page, POSITIONS) == [row, column]
        page.keyboard.press("Escape")


def test_a_reader_gets_from_an_output_number_to_a_word_and_back_without_the_mouse(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=output&row=3&column=2")
    page.keyboard.press("Enter")
    expect(sum_of(page)).to_have_class(re.compile("locked"))
    stages = ["output"]
    while stages[-1] not in ("tokens", "E") and len(stages) < 12:
        page.keyboard.press("Enter")
        expect(sum_of(page).locator(".link").first).to_be_focused()
        page.keyboard.press("Enter")
        until(page, f"s.trail.length === {len(stages)}")
        stages.append(state(page, "s.stage"))
        expect(title_of_sum(page)).to_contain_text(f"{stages[-1]}[")
        expect(page.locator(FIGURE)).to_be_focused()
    assert stages[-1] in ("tokens", "E"), stages
    assert stages[:2] == ["output", "concat"]
    assert "X" in stages
    for length in reversed(range(len(stages) - 1)):
        page.keyboard.press("Backspace")
        until(page, f"s.trail.length === {length} && s.stage === '{stages[length]}'")
    assert state(page, "s.positions.query") == 2

    go_to(page, "tokens")
    expect(title_of_sum(page)).to_contain_text("tokens[")
    assert state(page, "s.locked")
    for key in STEPS[1:]:
        page.keyboard.press("PageDown")
        assert state(page, "[s.stage, s.locked]") == [key, True]
    assert state(page, "s.positions.query") == 2, "the third word all the way"
    expect(button(page, "forward")).to_be_disabled()
    chosen_in_link(page, stage="output", row=3, lock=1)
