"""A step, a head, a cell, play and the lecture hall's view are the browser's own business."""

from urllib.parse import urlsplit

import pytest
from microscope import (
    button,
    click_cell,
    open_step,
    quiet,
    state,
    step,
    title_of_sum,
    until,
    visit,
)
from playwright.sync_api import Page, WebSocket, expect

TWENTY = "the cat sat on the mat because it was tired and the dog ran to the park so we slept"
DOORS = {
    "sentence": ("sentence", f"&text={TWENTY.replace(' ', '+')}"),
    "translation": ("translation", ""),
    "image": ("image", "&model=vision"),
}
VIEW = """[s.stage, s.head, s.rest.row, s.rest.column, s.locked, s.presenting,
  s.trace.size("X", "token")]"""


@pytest.mark.parametrize("named", DOORS)
def test_a_walk_through_steps_heads_and_cells_sends_nothing_and_its_address_leads_there(
    server: str, new_tab: Page, page: Page, named: str
) -> None:
    sent: list[object] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    new_tab.on("websocket", listen)
    door, query = DOORS[named]
    open_step(new_tab, server, query, door)
    quiet(new_tab)
    assert sent, "nothing is heard of the socket"
    sent.clear()
    walk_steps(new_tab)
    step(new_tab, "weights").click()
    walk_heads(new_tab)
    walk_cells(new_tab)
    play(new_tab)
    present(new_tab)
    quiet(new_tab)
    assert len(sent) == 0
    seen = state(new_tab, VIEW)
    walked = urlsplit(new_tab.url)
    visit(page, f"{server}{walked.path}?{walked.query}")
    expect(title_of_sum(page)).not_to_be_empty()
    assert state(page, VIEW) == seen, "what the address shows to who was never there"


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
