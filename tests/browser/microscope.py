"""Helpers to drive the microscope: open a page, point at cells, read the printed sum."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import (
    BrowserContext,
    Locator,
    Page,
    Position,
    TimeoutError,
    ViewportSize,
)

from views.navigation import PAGES

NAMES = [*PAGES]
MANY = 6
PARTS = {  # of the app: a long walk is several tests, so that no process waits long for another
    f"{part + 1} of {MANY}": NAMES[part::MANY] for part in range(MANY)
}
PATIENCE = 30_000  # milliseconds: nothing takes this long, even on a busy machine
INIT_SCRIPT = "localStorage.setItem('attention-microscope-hints', '1')"  # no hints

# Streamlit takes a tab to another page without loading it again, as it does at Back.
_GO = """(address) => {
  document.activeElement?.blur();
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  sessionStorage.clear();
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}"""
# The run that draws a page marks its link in the sidebar. "elsewhere": nothing has run for a while,
# and another page is shown.
_ARRIVED = """([address, patience]) => {
  const menu = document.querySelector(".st-key-pages [data-testid=stBidiComponentIsolated]");
  const link = menu?.shadowRoot?.querySelector("[aria-current]"), url = link && new URL(link.href);
  const found = url && `${url.pathname.split("/").pop()}?lang=${url.searchParams.get("lang")}`;
  if (document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning") {
    delete globalThis.restsSince;
    return null;
  }
  globalThis.restsSince ??= performance.now();
  const rested = performance.now() - globalThis.restsSince;
  const where = found === address ? "here" : rested > patience ? "elsewhere" : null;
  if (where) delete globalThis.restsSince;
  return where;
}"""
_LIGHT = ("class", "understand")  # pages that cost little: a way to a page from itself
_NUMBERS = count(1)

KNOWN = re.compile(r"_stcore/(health|host-config)$")  # Streamlit asks these at two addresses
FIGURE = ".st-key-microscope .figure > canvas"
# ``expect`` would serialise the whole page, for its message, at each look before they are there.
FILLED_SUM = ".st-key-microscope .sum h3:not(:empty)"
CLOSED = ".st-key-microscope .first-view .open[aria-expanded=false]:not(:empty)"
RESULT = -1
REST = 350  # milliseconds, more than those after which a page writes and sends its last move

_STATE = "globalThis.attentionMicroscope"
_INSIDE = """(canvas, [plane, row, column, whole]) => {
  const box = globalThis.attentionMicroscope.layout.boxes.at(plane);
  if (row < box.top || row >= box.bottom || column < box.first || column >= box.last) return null;
  const { left, top } = canvas.getBoundingClientRect();
  // A click is reported at a whole pixel of the screen, however fine the pointer moves.
  const pixel = (from, size) => Math.max(Math.ceil(from), Math.floor(from + size / 2)) + 0.05;
  const inside = (from, size) => (whole ? pixel(from, size) : from + size / 2);
  return {
    x: inside(left + box.x + (column - box.first) * box.cellWidth, box.cellWidth) - left,
    y: inside(top + box.y + (row - box.top) * box.cellHeight, box.cellHeight) - top,
  };
}"""
# Timers of one length end in the order in which they began: after REST without a move, the page's
# own timers have written the address and sent the move to the server.
_STILL = """(rest) => new Promise((still) => {
  let moves = null;
  const look = () => {
    const now = globalThis.attentionMicroscope.moves;
    if (now === moves) return still(true);
    moves = now;
    setTimeout(look, rest);
  };
  look();
})"""
_SUM = """(sum) => {
  const text = (element) => element?.textContent ?? "";
  const all = (of, what) => [...of.querySelectorAll(what)];
  return {
    title: text(sum.querySelector("h3")),
    total: text(sum.querySelector("h3 .total")),
    columns: all(sum, "ol > li:not(.whole)").map((li) => ({
      over: all(li, ":scope > span").map(text), under: text(li.querySelector("b")) })),
    whole: text(sum.querySelector("ol > li.whole b")),
    line: text(sum.querySelector(".one-line")),
    heads: all(sum, "th").map(text),
    rows: all(sum, "tbody tr").map((row) => ({
      name: row.className, cells: all(row, "td").map(text) })),
    notes: all(sum, ":scope > p").map(text),
  };
}"""
# Steps by their stepper and a cell of each under the pointer, as fast as frames are drawn.
_WALK = """async (cells) => {
  let found = null;
  document.dispatchEvent(
    new CustomEvent("microscope:find", { detail: (one) => (found ??= one) }),
  );
  const { store, element } = found, readings = [];
  const canvas = element.querySelector(".figure > canvas");
  const frame = () => new Promise(requestAnimationFrame), begun = performance.now();
  for (const [stage, row, column] of cells) {
    if (store.stage !== stage) element.querySelector(`.stepper button[data-key=${stage}]`).click();
    do {
      if (performance.now() - begun > PATIENCE) throw new Error(`${stage} is not drawn`);
      await frame();
    } while (store.layout?.boxes.at(-1).plane.stage !== stage);
    const { left, top } = canvas.getBoundingClientRect(), box = store.layout.boxes.at(-1);
    const clientX = left + box.x + (column - box.first + 0.5) * box.cellWidth;
    const clientY = top + box.y + (row - box.top + 0.5) * box.cellHeight;
    // The real pointer rests at (0, 0): an event from there would be of one that has not moved.
    const pointed = { pointerType: "mouse", clientX, clientY, screenX: clientX, screenY: clientY };
    canvas.dispatchEvent(new PointerEvent("pointermove", pointed));
    await frame();
    readings.push((LOOK)(element.querySelector(".sum")));
  }
  canvas.dispatchEvent(new PointerEvent("pointerleave"));
  return readings;
}""".replace("PATIENCE", str(PATIENCE))


class SharedTab:
    """One tab of a browser context that tests use one after the other."""

    def __init__(self, context: BrowserContext, viewport: ViewportSize) -> None:
        self.context, self.viewport = context, viewport
        self.tab: Page | None = None

    def lend(self) -> Page:
        if self.tab is None or self.tab.is_closed():
            self.tab = self.context.new_page()
        return self.tab

    def take_back(self, is_spoilt: bool) -> None:
        """Close the tab after a failure, and all tabs opened from it; else restore its settings."""
        for tab in self.context.pages:
            if tab is not self.tab or is_spoilt:
                tab.close()
        if self.tab is None or self.tab.is_closed():
            return
        self.tab.set_viewport_size(self.viewport)
        self.tab.emulate_media(color_scheme="null", forced_colors="null", reduced_motion="null")
        self.tab.mouse.move(0, 0)


def visit(page: Page, address: str) -> None:
    """Bring a tab to a page of the app, and wait until the server has run all of it.

    A tab that shows the app goes there without being loaded again, and by way of a light page
    where it is on that page already, so that no old content is read. The parameter ``embedded``,
    which the app ignores like every unknown one, makes each address new to the session. The
    address states the language.
    """
    asked = urlsplit(address)
    name = asked.path.strip("/") or "home"
    [language] = parse_qs(asked.query)["lang"]
    here = urlsplit(page.url)
    if here.netloc != asked.netloc or not page.get_by_test_id("stApp").count():
        page.goto(address)
        return arrive(page, name, language)
    if name == (here.path.strip("/") or "home"):
        between = next(light for light in _LIGHT if light != name)
        _go(page, address_of("", between, language), between, language)
    _go(page, f"{address}&embedded={next(_NUMBERS)}", name, language)


def _go(page: Page, address: str, name: str, language: str) -> None:
    """Navigate; a second time if the previous page requested a run at the same moment."""
    for patience in (1000, 3000, 10_000):  # milliseconds for the server to begin
        page.evaluate(_GO, address)
        if _found(page, name, language, patience) == "here":
            return
    raise AssertionError(f"{address} does not come")


def arrive(page: Page, name: str, language: str) -> None:
    """Wait until a page has been run, in this language."""
    assert _found(page, name, language, PATIENCE) == "here", f"{name} does not come"


def _found(page: Page, name: str, language: str, patience: int) -> str:
    asked = [address_of("", name, language).removeprefix("/"), patience]
    found: str = page.wait_for_function(_ARRIVED, arg=asked).json_value()
    return found


def address_of(server: str, name: str, language: str = "en") -> str:
    return f"{server}/{'' if name == 'home' else name}?lang={language}"


def open_step(
    page: Page, server: str, query: str, name: str = "sentence", lang: str = "en"
) -> None:
    """Open a page at the step that the query says, and wait until its first sum can be read.

    The pages Image and Sentence have seeded weights unless the query says whose, and Sentence reads
    我爱北京 unless it says what.
    """
    if name == "sentence" and "&text=" not in query:
        query += "&text=我爱北京"
    if name in ("image", "sentence") and "&model=" not in query:
        query += "&model=seeded"
    visit(page, f"{server}/{name}?lang={lang}{query}")
    if "stage=" in query:  # such a link opens the machine
        page.wait_for_selector(FILLED_SUM, state="attached")
    else:
        open_machine(page)


def open_machine(page: Page) -> None:
    """Open the machine of a page that begins with its words alone; wait for the first sum."""
    page.wait_for_selector(f"{CLOSED}, {FILLED_SUM}", state="attached")
    if page.locator(CLOSED).count():
        page.click(CLOSED)
        page.wait_for_selector(FILLED_SUM, state="attached")


def server_rests(page: Page) -> None:
    """Wait until no script run of the server is in progress for this page."""
    rests = "[data-testid=stApp][data-test-script-state=notRunning]"
    page.wait_for_selector(rests, state="attached")  # hidden in a lecture hall


def quiet(page: Page) -> None:
    """Wait until the server has run all and the browser has sent all that it sends at rest."""
    server_rests(page)
    page.wait_for_function(_STILL, arg=REST)
    server_rests(page)


def back(page: Page) -> None:
    """Go back in the history, once the server has answered all earlier requests."""
    quiet(page)
    page.go_back()


def title_of_sum(page: Page) -> Locator:
    return page.locator(".st-key-microscope .sum h3")


def sum_of(page: Page) -> Locator:
    return page.locator(".st-key-microscope .sum")


def title(page: Page) -> Locator:
    return page.locator(".st-key-microscope .step h2")


def button(page: Page, name: str) -> Locator:
    """Of the player: back, play, forward, speed or presenter."""
    return page.locator(f".st-key-microscope .player .{name}")


def step(page: Page, key: str) -> Locator:
    """A step of the stepper."""
    return page.locator(f".st-key-microscope .stepper button[data-key={key}]")


def go_to(page: Page, key: str) -> None:
    """Go to a step by the stepper and wait until its numbers are there."""
    there = step(page, key)
    there.wait_for(state="attached")
    if not there.is_visible():  # on a phone only the steps of one group are
        stepper = page.locator(".st-key-microscope .stepper")
        stepper.locator(f".group:has([data-key={key}]) .heading").click()
    there.click()
    until(page, f"s.stage === '{key}' && s.layout?.boxes.at(-1).plane.stage === '{key}'")


def state(page: Page, expression: str) -> Any:
    """The value of an expression over ``s``, the state of all components."""
    return page.evaluate(f"() => {{ const s = {_STATE}; return {expression}; }}")


def until(page: Page, expression: str, patience: float = PATIENCE) -> None:
    """Wait until an expression over ``s``, the state of all components, holds."""
    page.wait_for_function(
        f"() => {{ const s = {_STATE}; return s && ({expression}); }}", timeout=patience
    )


def inside(page: Page, spot: tuple[int, int], plane: int, whole: bool = False) -> Position:
    """A point of the canvas in a cell, at its middle or at a whole pixel of the screen."""
    found: Position | None = page.locator(FIGURE).evaluate(_INSIDE, [plane, *spot, whole])
    assert found is not None, f"cell {spot} of plane {plane} is not visible"
    return found


def hover_cell(page: Page, row: int, column: int, plane: int = RESULT) -> None:
    """Point at a cell of a matrix of the figure, the result by default.

    A second time if the page moved under the pointer while it was loading.
    """
    there = f"s.hover && s.hover.row === {row} && s.hover.column === {column}"
    for patience in (1500, 3000, PATIENCE):
        page.locator(FIGURE).hover(position=inside(page, (row, column), plane))
        with suppress(TimeoutError):
            return until(page, there, patience)
    raise AssertionError(f"pointing at ({row}, {column}) gives {state(page, 's.hover')}")


def click_cell(page: Page, row: int, column: int, plane: int = RESULT) -> None:
    page.locator(FIGURE).click(position=inside(page, (row, column), plane, whole=True))


def leave_figure(page: Page) -> None:
    """Move the pointer to an empty corner."""
    page.mouse.move(2, 2)
    until(page, "s.hover === null")


def read_sum(page: Page) -> dict[str, Any]:
    """All that is printed below the figure."""
    found: dict[str, Any] = sum_of(page).evaluate(_SUM)
    return found


def walk(page: Page, cells: Sequence[tuple[str, int, int]], look: str = _SUM) -> list[Any]:
    """Point at each of these cells and return what ``look`` returns: by default the printed sum.

    Events are dispatched by script: moving a mouse and scrolling would cost more than drawing.
    look: a function of the element that shows the sum.
    """
    readings: list[Any] = page.evaluate(_WALK.replace("LOOK", look), cells)
    quiet(page)  # else the report of a move may reach the next page
    return readings


def chosen_in_link(page: Page, **chosen: object) -> None:
    """Wait until the link has these parameters; None: until it lacks the parameter."""
    for name, value in chosen.items():
        if value is None:
            address_lacks(page, rf"[?&]{name}=")
        else:
            address_has(page, rf"[?&]{name}={value}(&|$)")


def address_has(page: Page, pattern: str) -> None:
    """Wait until this is found in the address.

    Playwright reports every change of it, while ``expect`` polls and each time serialises the whole
    page for the message of a failure, which is a tenth of what the tests cost.
    """
    page.wait_for_url(re.compile(pattern), wait_until="commit")


def address_lacks(page: Page, pattern: str) -> None:
    """Wait until this is not in the address."""
    page.wait_for_url(lambda address: not re.search(pattern, address), wait_until="commit")
