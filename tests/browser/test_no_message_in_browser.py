"""A step, a head, a cell, play and the lecture hall's view are the browser's own business.

No step of any page fails there, or draws what is no word.
"""

import re
from urllib.parse import urlsplit

import pytest
from claims import for_all
from microscope import (
    button,
    click_cell,
    go_to,
    hover_cell,
    open_step,
    quiet,
    state,
    step,
    title_of_sum,
    until,
    visit,
)
from playwright.sync_api import ConsoleMessage, Error, Page, Request, WebSocket, expect

TWENTY = "the cat sat on the mat because it was tired and the dog ran to the park so we slept"
DOORS = {
    "sentence": f"&text={TWENTY.replace(' ', '+')}&mask=causal&dropout=0.1&residual=1",
    "translation": "",
}
VIEW = """[s.stage, s.head, s.rest.row, s.rest.column, s.locked, s.presenting,
  s.trace.size("X", "token")]"""
STEPS = {
    "sentence": [
        "tokens", "embedding", "position", "X", "Q", "K", "V", "scores", "scaled", "masked",
        "weights", "dropped", "head_output", "concat", "output", "residual", "normalised",
    ],
    "image": [
        "patches", "flattened", "embedding", "sequence", "position", "X", "Q", "K", "V", "scores",
        "scaled", "weights", "head_output", "concat", "output",
    ],
}  # fmt: skip
KNOWN = re.compile(r"_stcore/(health|host-config)$")  # Streamlit asks these at two addresses
_LISTEN_TO_CANVAS = """
globalThis.written = new Set();
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
  globalThis.written.add(String(text));
  return fillText.call(this, text, ...rest);
};"""
NO_WORD = re.compile(r"NaN|undefined|null|\[object")


class Heard:
    """What a tab says to the server, asks for and fails in, from its first moment on."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.sent: list[object] = []
        self.asked: list[str] = []
        self.wrong: list[str] = []
        tab.add_init_script(_LISTEN_TO_CANVAS)
        tab.on("websocket", self._open)
        tab.on("request", self._ask)
        tab.on("console", self._say)
        tab.on("pageerror", self._fail)

    def begin(self) -> None:
        """Forget what was said so far."""
        quiet(self.tab)
        self.tab.wait_for_load_state("networkidle")
        assert self.sent, "nothing is heard of the socket"
        self.sent.clear()
        self.asked.clear()

    def no_word(self) -> list[str]:
        """What was drawn, and is no word."""
        written = self.tab.evaluate("[...globalThis.written]")
        assert "scores" in written
        return [text for text in written if NO_WORD.search(text)]

    def _open(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(frame))

    def _ask(self, request: Request) -> None:
        self.asked.append(request.url)

    def _say(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not KNOWN.search(message.location.get("url", "")):
            self.wrong.append(message.text)

    def _fail(self, error: Error) -> None:
        self.wrong.append(str(error))


@pytest.fixture
def heard(new_tab: Page) -> Heard:
    return Heard(new_tab)


@for_all("door", DOORS)
def test_a_walk_through_steps_heads_and_cells_sends_nothing_and_its_address_leads_there(
    server: str, heard: Heard, page: Page, door: str
) -> None:
    tab = heard.tab
    open_step(tab, server, DOORS[door], door)
    heard.begin()
    steps = state(tab, "s.steps")
    assert door != "sentence" or steps == STEPS[door]
    walk_steps(tab, steps)
    step(tab, "weights").click()
    walk_heads(tab)
    walk_cells(tab)
    play(tab)
    present(tab)
    quiet(tab)
    assert (heard.sent, heard.asked) == ([], [])
    assert heard.wrong == []
    assert heard.no_word() == []
    expect(tab.get_by_test_id("stException")).to_have_count(0)
    seen = state(tab, VIEW)
    walked = urlsplit(tab.url)
    visit(page, f"{server}{walked.path}?{walked.query}")
    expect(title_of_sum(page)).not_to_be_empty()
    assert state(page, VIEW) == seen, "what the address shows to who was never there"


def test_no_step_of_many_patches_fails_and_pointing_at_them_asks_nothing_of_the_server(
    server: str, heard: Heard
) -> None:
    tab = heard.tab
    open_step(tab, server, "&stage=patches", "image", "zh")
    assert state(tab, "s.steps") == STEPS["image"]
    walk_steps(tab, STEPS["image"])
    # All the way back, to numbers that the browser has no more.
    step(tab, "patches").click()
    until(tab, "s.stage === 'patches' && s.trace.drawing(s.stage)")
    go_to(tab, "scores")
    heard.begin()
    moves = state(tab, "s.moves")
    for i in range(10):
        hover_cell(tab, (i * 190 // 7) % 191, (i * 190 // 3) % 191)
    assert (heard.sent, heard.asked) == ([], [])
    assert state(tab, "s.moves") == moves
    assert heard.wrong == []
    assert heard.no_word() == []
    expect(tab.get_by_test_id("stException")).to_have_count(0)


def walk_steps(page: Page, steps: list[str]) -> None:
    """Every step of the rail, and a cell of each."""
    for key in steps:
        go_to(page, key)
        expect(step(page, key)).to_have_attribute("aria-current", "step")
        hover_cell(page, 0, 1)
        expect(title_of_sum(page)).to_contain_text(re.compile("[=≈] "))


def walk_heads(page: Page) -> None:
    count = state(page, "s.trace.heads")
    heads = page.locator(".st-key-microscope .heads button:not(.pin)")
    for number in range(1, 4):
        heads.nth(number % count).click()
        until(page, f"s.head === {number % count}")


def walk_cells(page: Page) -> None:
    rows, columns = (state(page, f"s.trace.size('weights', '{role}')") for role in ("query", "key"))
    for number in range(4):
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
