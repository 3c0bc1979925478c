"""A step, a head, a cell, play and the lecture hall's view are the browser's own business."""

import pytest
from microscope import (
    INIT_SCRIPT,
    button,
    click_cell,
    server_rests,
    state,
    step,
    title_of_sum,
    until,
)
from playwright.sync_api import Browser, Page, WebSocket, expect

TWENTY = "the cat sat on the mat because it was tired and the dog ran to the park so we slept"
DOORS = {
    "sentence of 3": ("sentence", ""),
    "sentence of 20": ("sentence", f"&text={TWENTY.replace(' ', '+')}"),
    "translation": ("translation", ""),
    "image": ("image", "&model=vision"),
}
VIEW = """[s.stage, s.head, s.rest.row, s.rest.column, s.locked, s.presenting,
  s.trace.size("X", "token")]"""
WRITTEN = 600  # milliseconds, in which the browser has written the address


@pytest.mark.parametrize(("door", "query"), DOORS.values(), ids=DOORS)
def test_a_walk_through_steps_heads_and_cells_sends_nothing_and_its_address_leads_there(
    server: str, page: Page, browser: Browser, door: str, query: str
) -> None:
    sent: list[object] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    page.on("websocket", listen)
    page.goto(f"{server}/{door}?lang=en{query}")
    expect(title_of_sum(page)).not_to_be_empty()
    quiet(page)
    assert sent, "nothing is heard of the socket"
    sent.clear()
    walk_steps(page)
    step(page, "weights").click()
    walk_heads(page)
    walk_cells(page)
    play(page)
    present(page)
    page.wait_for_timeout(2 * WRITTEN)
    assert len(sent) == 0
    seen = state(page, VIEW)
    assert view_of_a_stranger(browser, page.url) == seen


def quiet(page: Page) -> None:
    """Wait until the page has been drawn and nothing is under way."""
    server_rests(page)
    page.wait_for_timeout(1500)


def walk_steps(page: Page) -> None:
    """Twenty steps of those on the rail, from the first to the last and back."""
    keys = state(page, "s.steps")
    there_and_back = [*keys, *keys[-2::-1], *keys]
    for key in there_and_back[:20]:
        step(page, key).click()
        until(page, f"s.stage === '{key}'")


def walk_heads(page: Page) -> None:
    count = state(page, "s.trace.heads")
    heads = page.locator(".st-key-microscope .heads button:not(.pin)")
    for number in range(1, 6):
        heads.nth(number % count).click()
        until(page, f"s.head === {number % count}")


def walk_cells(page: Page) -> None:
    rows, columns = (state(page, f"s.trace.size('weights', '{role}')") for role in ("query", "key"))
    for number in range(10):
        row, column = number % min(rows, 10), (number // 2) % min(columns, 10)
        click_cell(page, row, column)
        until(page, f"s.rest.row === {row} && s.rest.column === {column}")


def play(page: Page) -> None:
    """The whole story, from the first step to the last, as fast as it can be drawn."""
    step(page, state(page, "s.steps[0]")).click()
    state(page, "s.speed = 30")
    button(page, "play").click()
    until(page, "s.playing")
    until(page, "!s.playing && s.stage === s.steps.at(-1)")


def present(page: Page) -> None:
    button(page, "presenter").click()
    until(page, "s.presenting")
    page.keyboard.press("p")
    until(page, "!s.presenting")


def view_of_a_stranger(browser: Browser, address: str) -> object:
    """What the address shows to a reader who was never here."""
    other = browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    other.add_init_script(INIT_SCRIPT)
    try:
        tab = other.new_page()
        tab.goto(address)
        expect(title_of_sum(tab)).not_to_be_empty()
        quiet(tab)
        return state(tab, VIEW)
    finally:
        other.close()
