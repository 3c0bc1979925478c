"""A change of step, head or cell, playing and the lecture hall's view send no message.

No step of any page fails there, or draws what is no word.
"""

import re
from urllib.parse import urlsplit

import pytest
from microscope import (
    KNOWN,
    button,
    click_cell,
    hover_cell,
    open_step,
    quiet,
    state,
    step,
    title_of_sum,
    until,
    visit,
    walk,
)
from playwright.sync_api import ConsoleMessage, Error, Page, Request, WebSocket, expect

TWENTY = "the cat sat on the mat because it was tired and the dog ran to the park so we slept"
LINKS = {
    "20 tokens": (
        "sentence",
        f"&text={TWENTY.replace(' ', '+')}&mask=causal&dropout=0.1&residual=1",
    ),
    "translation": ("translation", ""),
}
TITLE = "(sum) => sum.querySelector('h3').textContent"
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
_LISTEN_TO_CANVAS = """
globalThis.written = new Set();
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
  globalThis.written.add(String(text));
  return fillText.call(this, text, ...rest);
};"""
NO_WORD = re.compile(r"NaN|undefined|null|\[object")


class Traffic:
    """The messages, requests and errors of a tab from its first request on."""

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
        """Discard everything recorded so far."""
        quiet(self.tab)
        self.tab.wait_for_load_state("networkidle")
        assert self.sent, "no message of the socket was recorded"
        self.sent.clear()
        self.asked.clear()

    def assert_none(self) -> None:
        """Nothing was sent, requested or failed since ``begin``, and no NaN was drawn."""
        written = self.tab.evaluate("[...globalThis.written]")
        assert "scores" in written
        no_words = [text for text in written if NO_WORD.search(text)]
        assert [self.sent, self.asked, self.wrong, no_words] == [[], [], [], []]
        expect(self.tab.get_by_test_id("stException")).to_have_count(0)

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
def traffic(new_tab: Page) -> Traffic:
    return Traffic(new_tab)


def test_steps_heads_cells_play_and_the_hall_send_nothing_and_the_address_leads_there(
    server: str, traffic: Traffic, page: Page
) -> None:
    for case, (name, query) in LINKS.items():
        walked = walk_all(server, traffic, name, query)
        assert case != "20 tokens" or walked == STEPS["sentence"]
        shown = state(traffic.tab, VIEW)
        here = urlsplit(traffic.tab.url)
        visit(page, f"{server}{here.path}?{here.query}")
        expect(title_of_sum(page)).not_to_be_empty()
        assert state(page, VIEW) == shown, f"{case}: what the address shows in another tab"
    point_at_patches(server, traffic)


def walk_all(server: str, traffic: Traffic, name: str, query: str) -> list[str]:
    """All that can be done in the browser alone; the steps."""
    tab = traffic.tab
    open_step(tab, server, query, name)
    traffic.begin()
    steps: list[str] = state(tab, "s.steps")
    walk_steps(tab, steps)
    step(tab, "weights").click()
    walk_heads(tab)
    for row, column in ((0, 1), (1, 0)):
        click_cell(tab, row, column)
        until(tab, f"s.rest.row === {row} && s.rest.column === {column}")
    if name == "sentence":
        play(tab)
    present(tab)
    quiet(tab)
    traffic.assert_none()
    return steps


def point_at_patches(server: str, traffic: Traffic) -> None:
    """Many patches: a part of the steps and one head have been sent."""
    tab = traffic.tab
    open_step(tab, server, "&stage=patches", "image", "zh")
    assert state(tab, "s.steps") == STEPS["image"]
    # All the way back, to numbers that the browser has no more.
    walk_steps(tab, [*STEPS["image"], "patches", "scores"])
    traffic.begin()
    moves = state(tab, "s.moves")
    hover_cell(tab, 0, 190)
    walk(tab, [("scores", (i * 190 // 7) % 191, (i * 190 // 3) % 191) for i in range(1, 10)])
    assert state(tab, "s.moves") == moves
    traffic.assert_none()


def walk_steps(page: Page, steps: list[str]) -> None:
    """Every step of the stepper, and a cell of each."""
    titles = walk(page, [(key, 0, 1) for key in steps], TITLE)
    for key, title in zip(steps, titles, strict=True):
        assert re.search("[=≈] ", title), f"{key}: {title}"


def walk_heads(page: Page) -> None:
    count = state(page, "s.trace.heads")
    heads = page.locator(".st-key-microscope .heads button:not(.pin)")
    for head in (count - 1, 0):
        heads.nth(head).click()
        until(page, f"s.head === {head}")


def play(page: Page) -> None:
    """The whole story, from the first step to the last, as fast as it can be drawn."""
    step(page, state(page, "s.steps[0]")).click()
    state(page, "s.speed = 60")
    button(page, "play").click()
    until(page, "s.playing")
    until(page, "!s.playing && s.stage === s.steps.at(-1)")


def present(page: Page) -> None:
    button(page, "presenter").click()
    until(page, "s.presenting")
    page.keyboard.press("p")
    until(page, "!s.presenting")
