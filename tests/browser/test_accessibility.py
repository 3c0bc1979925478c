"""Accessibility of every page: names, contrast, keyboard and zoom; and presenter view.

One walk checks all claims about every page in the browser: no page fails there either, also after
another sample, or sends a request to another host.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import axe_playwright_python
import pytest
from microscope import KNOWN, PARTS, address_of, open_machine, server_rests, visit
from playwright.sync_api import ConsoleMessage, Error, Page, Request, TimeoutError, ViewportSize
from spoken import leftovers

from views.figures.palette import PALETTES, Theme
from views.navigation import CHAPTERS, MENU, ON_WALL, PAGE_INFO, TABLE

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
IN_PAGE = Path(__file__).with_name("accessibility.js")
STOPS = Path(__file__).with_name("tab_stops.js").read_text("utf-8")
PRESENTED = Path(__file__).with_name("presenter.js").read_text("utf-8")
LACKS = Path(__file__).with_name("wall.js").read_text("utf-8")
ENTERED = f"""(figure) => {{
    const root = document.documentElement, wall = document.querySelector(".st-key-wall");
    const bar = wall?.querySelector("[data-testid=stBidiComponentIsolated]")?.shadowRoot;
    if (!root.hasAttribute("data-wall")) bar?.querySelector(".enter")?.click();
    return root.hasAttribute("data-wall") && !({LACKS})(figure).length;
}}"""
DESK: ViewportSize = {"width": 1366, "height": 768}
OPENED = {"writing": "&inside=1"}  # else most of the page stands folded
HALL: ViewportSize = {"width": 1280, "height": 720}
WALLS = ((1920, 1080), (1366, 768), (820, 1180))  # the widest, the lowest, the narrowest
SIZES = {"phone": (390, 844), "200 %": (683, 384)}
FITS = """() => [document.scrollingElement, document.querySelector("[data-testid=stMain]")]
    .every((one) => one.scrollWidth <= one.clientWidth)"""
SHOWN_WHOLE = """() => [document.querySelector("[data-testid=stMain]")].every((one) =>
    one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1) &&
  [...document.querySelectorAll(".js-plotly-plot .svg-container")].every((one) =>
    one.offsetWidth <= one.parentElement.offsetWidth + 1)"""
CUT = """() => [...document.querySelectorAll("[data-testid=stPageLink-NavLink] > span")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
LOOK_AGAIN = 50  # milliseconds: each frame would cost more than the page itself
MOST = {  # Tab stops in a part of a page; one, where not listed
    "pages": len(TABLE) + len(MENU),
    "class_page": 8,  # to begin, code, nickname, to join, three lessons, a file
    # stepper, tokens, the figure, its five buttons, a symbol of title, shapes and formula, a link
    # of the sum, the heads, the terms; in a first view its words, its three steps and the machine
    "microscope": 22,
    "glance": 2,  # the English words, and the weights
    "decoding": 5,  # the figure, its three buttons, the small heads
    "lit": 2,  # the photo, and the button that looks from [CLS]
    "lens": 2,  # the table, and the button that unfolds its rows
    "timeline": 3,  # the sound, and what is played of it
    "layer_row_of_model": 3,  # the layers, the one before, the next one
    # scenes, choices, back, next, the numbers of the table
    "story": 9,
    "pieces": 16,  # each is carried by its own arrows
    "turning": 4,  # the query, the key, both, and the pairs
}

ALL = {
    "type": "tag",
    "values": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental",
    ],
}  # fmt: skip
LINKS = ".st-key-pages"  # the same on every page: home's count
THEMES: tuple[Theme, Theme] = ("light", "dark")
TITLES = {"zh": "{page} · 注意力显微镜", "en": "{page} · Attention Microscope"}
MARKUP = re.compile(r"\\|\$|[_^]\{|\*\*|:\w+\[")
SAMPLES = ".st-key-samples button, .st-key-picture button, .st-key-sound button"
STREAMLITS_NAMELESS = re.compile("data-grid-canvas|stCode")  # a table, and code that keys scroll
REFERENCE = ("glossary",)  # nothing to present
TEXT = {"StaticText", "InlineTextBox", "LabelText", "code"}  # what names are made of


class Listed(NamedTuple):
    """A violation that axe reports in an element of Streamlit, which the app cannot change."""

    rule: str
    selector: str
    why: str
    page: str  # on which it is found


STREAMLITS_OWN = (
    Listed(
        "presentation-role-conflict",
        "[data-testid=stFileUploaderDropzone]",
        "where a file is dropped has the role presentation and a label",
        "image",
    ),
    Listed(
        "focus-order-semantics",
        "[data-testid=stCode]",
        "code is a Tab stop, so that keys can scroll it, and has no role",
        "break_it",
    ),
    Listed(
        "region",
        "[data-testid=stSkipToContent]",
        "the link over the menu; axe takes it for content, since the next one is in a shadow tree",
        "errata",
    ),
)


@dataclass
class Walk:
    """The results of the walk, by page and language."""

    violations: list[str] = field(default_factory=list)
    listed: set[int] = field(default_factory=set)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    headlines: dict[tuple[str, str], int] = field(default_factory=dict)
    names: dict[str, set[str]] = field(default_factory=dict)
    unnamed: dict[str, list[str]] = field(default_factory=dict)
    nameless: dict[str, list[str]] = field(default_factory=dict)
    without_ring: list[str] = field(default_factory=list)
    stops: dict[str, Counter[str]] = field(default_factory=dict)
    too_wide: list[str] = field(default_factory=list)
    cut: dict[str, list[str]] = field(default_factory=dict)
    foreign_words: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    asked_elsewhere: list[str] = field(default_factory=list)
    presented: dict[str, list[str]] = field(default_factory=dict)
    faint: dict[str, list[str]] = field(default_factory=dict)


@pytest.mark.parametrize("part", PARTS)
def test_every_page_is_accessible_and_does_not_fail(page: Page, server: str, part: str) -> None:
    found = _walk(page, server, PARTS[part])
    wrong = {name: failures for name, claim in CLAIMS.items() if (failures := claim(found))}
    wrong["still Streamlit's own"] = [
        one.selector
        for index, one in enumerate(STREAMLITS_OWN)
        if one.page in PARTS[part] and index not in found.listed
    ]
    lines = [f"{name}: {failure}" for name, failures in wrong.items() for failure in failures]
    assert not lines, "\n".join(lines)


class Look(NamedTuple):
    """The page, language and theme of one look."""

    name: str
    language: str
    theme: Theme


def _walk(page: Page, server: str, pages: list[str]) -> Walk:
    """Through these pages: each in Chinese in one theme, then in English in the other.

    The next page begins in the theme in which the one before was left.
    """
    found = Walk()
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme=THEMES[0])

    def note(error: Error) -> None:
        found.failed.append(f"{page.url}: {error}")

    def log(message: ConsoleMessage) -> None:
        if message.type == "error" and not KNOWN.search(message.location.get("url", "")):
            found.failed.append(f"{page.url}: {message.text}")

    def ask(request: Request) -> None:
        if not request.url.startswith((server, server.replace("http", "ws"), "data:", "blob:")):
            found.asked_elsewhere.append(f"{page.url}: {request.url}")

    page.on("pageerror", note)
    page.on("console", log)
    page.on("request", ask)
    for number, name in enumerate(pages):
        first, second = THEMES[:: -1 if number % 2 else 1]
        visit(page, address_of(server, name, "zh") + OPENED.get(name, ""))
        _equip(page)
        _look(page, Look(name, "zh", first), found)
        _check(page, Look(name, "zh", first), found)
        found.names[name], found.nameless[name] = _names(page)
        found.unnamed[name] = page.evaluate("accessibility.unnamed()")
        found.cut[name] = page.evaluate(CUT)
        found.foreign_words[name] = leftovers(page)
        if name == "sentence":
            open_machine(page)  # of which the rest of the walk is
        page.emulate_media(color_scheme=second)
        page.locator(".st-key-lang [role=radio]", has_text="English").click()
        _look(page, Look(name, "en", second), found)
        _tab(page, Look(name, "en", second), found)
        _enlarge(page, name, found)
        _present(page, name, found)
        _use(page)
    page.remove_listener("pageerror", note)
    page.remove_listener("console", log)
    page.remove_listener("request", ask)
    return found


def _equip(page: Page) -> None:
    """Load axe and the helper scripts into the page, if it was reloaded."""
    if not page.evaluate("'accessibility' in globalThis"):
        for file in (AXE, IN_PAGE):
            page.evaluate(file.read_text("utf-8"))


def _look(page: Page, at: Look, found: Walk) -> None:
    _settle(page, at)
    _read(page, at, found)
    found.faint[f"{at.name} {at.theme}"] = page.evaluate("accessibility.faint()")


def _settle(page: Page, at: Look) -> None:
    """Wait until the page is settled and its charts have the text colour of the theme."""
    asked = [at.language, PALETTES[at.theme].ink]
    settled = "(asked) => accessibility.isSettled(...asked)"
    page.wait_for_function(settled, arg=asked, polling=LOOK_AGAIN)


def _check(page: Page, at: Look, found: Walk) -> None:
    listed = [[one.rule, one.selector] for one in STREAMLITS_OWN]
    known = None if at.name == "home" else LINKS
    asked = "(all) => accessibility.violations(...all)"
    for one in page.evaluate(asked, [ALL, listed, known]):
        found.listed.add(one["listed"])
        if one["listed"] < 0:
            where = f"{at.name} {at.theme}: {one['rule']} {one['selector']}"
            found.violations.append(f"{where}\n    {one['html']}")


def _read(page: Page, at: Look, found: Walk) -> None:
    here = at.name, at.language
    found.titles[here] = page.title()
    found.headlines[here] = page.locator("h1").count()
    if page.get_by_test_id("stException").count():
        found.failed.append(f"{page.url}: a traceback")


def _tab(page: Page, at: Look, found: Walk) -> None:
    """Give the focus to one Tab stop after the other."""
    page.keyboard.press("Tab")  # :focus-visible applies from here on
    stops = page.evaluate(STOPS, False)
    here = f"{at.name} {at.theme}"
    found.without_ring += [
        f"{here}: {stop['key']} {stop['name']}"
        for stop in stops
        if stop["focused"] and not stop["rung"]
    ]
    found.stops[here] = Counter(stop["key"] for stop in stops if stop["component"])


def _enlarge(page: Page, name: str, found: Walk) -> None:
    """Look at the page on other screens."""
    found.too_wide += [f"{name}, {size}" for size in SIZES if not _fits(page, SIZES[size], FITS)]


def _fits(page: Page, size: tuple[int, int], fits: str) -> bool:
    """Whether the page fits a screen of this width and height, as soon as it has its size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        page.wait_for_function(fits)
    except TimeoutError:
        return False
    return True


def _present(page: Page, name: str, found: Walk) -> None:
    """Look at the page's figure, or at the steps of its microscope, in a lecture hall.

    Then the screen is that of a desk again.
    """
    figure = ON_WALL[name]["figure"]
    if name == "story":
        figure = figure[:1]  # the others are in its last scene
    if figure:
        page.set_viewport_size({"width": WALLS[0][0], "height": WALLS[0][1]})
        with suppress(TimeoutError):
            page.wait_for_function(ENTERED, arg=list(figure), polling=LOOK_AGAIN)
        found.presented[name] = []
        for _ in ("as it opens", "with the result hidden or shown"):
            found.presented[name] += page.evaluate(LACKS, list(figure))
            page.locator(".st-key-wall .hide").evaluate("(hide) => hide.click()")
        scrolled = [size for size in WALLS if not _fits(page, size, SHOWN_WHOLE)]
        found.presented[name] += [f"does not fit {width} × {height}" for width, height in scrolled]
        page.locator(".st-key-wall .leave").evaluate("(leave) => leave.click()")
    elif page.locator(".st-key-microscope").count():
        page.set_viewport_size(HALL)
        found.presented[name] = page.evaluate(PRESENTED) or []  # null: none is visible
    page.set_viewport_size(DESK)


def _use(page: Page) -> None:
    """Choose the last sample."""
    samples = page.locator(SAMPLES).filter(visible=True)
    if samples.count() and samples.last.is_enabled():
        samples.last.click()
        server_rests(page)


def _names(page: Page) -> tuple[set[str], list[str]]:
    """All accessible names in Chromium's tree, and what takes the focus without one."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    nodes = [node for node in nodes if not node["ignored"] and node["role"]["value"] not in TEXT]
    nameless = []
    for node in nodes:
        takes_focus = any(one["name"] == "focusable" for one in node.get("properties", ()))
        if takes_focus and not node.get("name", {}).get("value", "").strip():
            at = {"backendNodeId": node["backendDOMNodeId"]}
            element = session.send("DOM.describeNode", at)["node"]
            written = " ".join([element["nodeName"], *element.get("attributes", ())])
            if not STREAMLITS_NAMELESS.search(written):
                nameless.append(written)
    session.detach()
    return {node["name"]["value"] for node in nodes if "name" in node} - {""}, nameless


def _titles(walk: Walk) -> list[str]:
    expected = {
        here: TITLES[here[1]].format(page=PAGE_INFO[here[1]][here[0]].title) for here in walk.titles
    }
    assert len(set(expected.values())) == len(expected)
    return [f"{here}: {title}" for here, title in walk.titles.items() if title != expected[here]]


def _headlines(walk: Walk) -> list[str]:
    return [f"{here}: {count}" for here, count in walk.headlines.items() if count != 1]


def _marked_up(walk: Walk) -> list[str]:
    assert all(walk.names.values())
    return _lines({name: {*filter(MARKUP.search, all_)} for name, all_ in walk.names.items()})


def _lines(found: Mapping[str, Collection[object]]) -> list[str]:
    """One line per finding, with its page."""
    return [f"{name}: {one}" for name, every in found.items() for one in every]


def _not_presented(walk: Walk) -> list[str]:
    taught = {name for pages in CHAPTERS.values() for name in pages if name in walk.names}
    without = [f"{name}: nothing" for name in taught - {*walk.presented, *REFERENCE}]
    return _lines(walk.presented) + without


def _many_stops(walk: Walk) -> list[str]:
    assert any(walk.stops.values())
    return [
        f"{name}: {n} Tab stops in {key}"
        for name, parts in walk.stops.items()
        for key, n in parts.items()
        if n > MOST.get(key, 1)
    ]


CLAIMS: dict[str, Callable[[Walk], list[str]]] = {
    "axe finds nothing but what is Streamlit's own": lambda walk: walk.violations,
    "a page has a title of its own in its language": _titles,
    "a page has one headline": _headlines,
    "no name is read out as markup": _marked_up,
    "every picture and chart has a name": lambda walk: _lines(walk.unnamed),
    "every Tab stop has a name": lambda walk: _lines(walk.nameless),
    "whatever has the focus shows a ring": lambda walk: walk.without_ring,
    "every figure is one Tab stop": _many_stops,
    "no page scrolls sideways": lambda walk: walk.too_wide,
    "no link is cut": lambda walk: _lines(walk.cut),
    "no page in Chinese has English words of Streamlit": lambda walk: _lines(walk.foreign_words),
    "no page fails in the browser": lambda walk: walk.failed,
    "nothing comes from elsewhere": lambda walk: walk.asked_elsewhere,
    "every figure and step fits one screen in a lecture hall, for the last row": _not_presented,
    "no text is faint": lambda walk: _lines(walk.faint),
}
