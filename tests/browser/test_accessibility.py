"""Every page, as those meet it who hear it, need contrast, have a keyboard alone or enlarge it."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import axe_playwright_python
import pytest
from microscope import INIT_SCRIPT, PATIENCE, address_of, arrive, visit
from playwright.sync_api import Browser, Page, TimeoutError, ViewportSize

from views.doors import DOORS
from views.figures.palette import PALETTES, Theme
from views.menu import PAGES

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
IN_PAGE = Path(__file__).with_name("accessibility.js")
STOPS = Path(__file__).with_name("tab_stops.js").read_text("utf-8")
DESK: ViewportSize = {"width": 1366, "height": 768}
SIZES = {"phone": (390, 844), "200 %": (683, 384), "200 % of a small screen": (720, 450)}
FITS = """() => [document.scrollingElement, document.querySelector("[data-testid=stMain]")]
    .every((one) => one.scrollWidth <= one.clientWidth)"""
SETTLES = 5_000  # milliseconds, in which a page takes its new width
MOST = {  # Tab stops in a part of a page; one, where nothing is said
    # rail, tokens, the figure, its five buttons, a symbol of title, shapes and formula, a door of
    # the sum, the heads, the terms
    "microscope": 17,
    "decoding": 5,  # the figure, its three buttons, the small heads
    "timeline": 3,  # the sound, and what is played of it
    "layer_row_of_model": 3,  # the layers, the one before, the next one
    "pieces": 16,  # each is carried by its own arrows
}

ALL = {
    "type": "tag",
    "values": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental",
    ],
}  # fmt: skip
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
THEMES: dict[Theme, dict[str, Any]] = {
    "light": ALL,
    "dark": OF_COLOURS,
}  # another theme changes colours alone
TITLES = {"zh": "{page} · 注意力显微镜", "en": "{page} · Attention Microscope"}
MARKUP = re.compile(r"\\|\$|[_^]\{|\*\*|:\w+\[")
TEXT = {"StaticText", "InlineTextBox", "LabelText", "code"}  # what names are made of


class Listed(NamedTuple):
    """What axe finds and the app cannot change, because Streamlit draws it."""

    rule: str
    selector: str
    why: str


STREAMLITS_OWN = (
    Listed(
        "presentation-role-conflict",
        "[data-testid=stFileUploaderDropzone]",
        "where a file is dropped is said to be presentation and has a label all the same",
    ),
    Listed(
        "focus-order-semantics",
        "[data-testid=stCode]",
        "code is a Tab stop, so that keys can scroll it, and has no role",
    ),
)


@dataclass
class Walk:
    """What was found on the way through all pages, by page and language."""

    violations: list[str] = field(default_factory=list)
    listed: set[int] = field(default_factory=set)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    headlines: dict[tuple[str, str], int] = field(default_factory=dict)
    names: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    unnamed: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    without_ring: list[str] = field(default_factory=list)
    stops: dict[str, Counter[str]] = field(default_factory=dict)
    too_wide: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def walk(browser: Browser, models: str) -> Walk:
    """Through every page: in Chinese in both themes, then in English and on other screens."""
    found = Walk()
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(3 * PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    context.add_init_script(path=AXE)
    context.add_init_script(path=IN_PAGE)
    page = context.new_page()
    for name in PAGES:
        visit(page, address_of(models, name, "zh"))
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            _settle(page, "zh", theme)
            _check(page, name, theme, found)
        _read(page, name, "zh", found)
        _tab(page, name, found)
        page.get_by_role("radio", name="English").click()
        arrive(page, name, "en")
        _settle(page, "en", "light")
        _read(page, name, "en", found)
        _enlarge(page, name, found)
    context.close()
    return found


def _check(page: Page, name: str, theme: Theme, found: Walk) -> None:
    listed = [[one.rule, one.selector] for one in STREAMLITS_OWN]
    asked = "([rules, listed]) => accessibility.violations(rules, listed)"
    for one in page.evaluate(asked, [THEMES[theme], listed]):
        found.listed.add(one["listed"])
        if one["listed"] < 0:
            where = f"{name} {theme}: {one['rule']} {one['selector']}"
            found.violations.append(f"{where}\n    {one['html']}")


def _settle(page: Page, language: str, theme: Theme) -> None:
    """Wait until nothing is under way, and charts are written in the ink of the theme."""
    asked = [language, PALETTES[theme].ink]
    page.wait_for_function("(asked) => accessibility.isSettled(...asked)", arg=asked)


def _read(page: Page, name: str, language: str, found: Walk) -> None:
    here = name, language
    found.titles[here] = page.title()
    found.headlines[here] = page.locator("h1").count()
    found.names[here] = _names(page)
    found.unnamed[here] = page.evaluate("accessibility.unnamed()")


def _tab(page: Page, name: str, found: Walk) -> None:
    """Give the focus to one Tab stop after the other, in the dark and in the light."""
    page.keyboard.press("Tab")  # from here on the focus is seen
    for theme in reversed(THEMES):
        page.emulate_media(color_scheme=theme)
        stops = page.evaluate(STOPS, False)
        found.without_ring += [
            f"{name} {theme}: {stop['key']} {stop['name']}"
            for stop in stops
            if stop["held"] and not stop["rung"]
        ]
        found.stops[name] = Counter(stop["key"] for stop in stops if stop["component"])


def _enlarge(page: Page, name: str, found: Walk) -> None:
    """Look at the page on other screens, and then on that of a desk again."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        try:
            page.wait_for_function(FITS, timeout=SETTLES)
        except TimeoutError:
            found.too_wide.append(f"{name}, {size}")
    page.set_viewport_size(DESK)


def _names(page: Page) -> set[str]:
    """The name of everything that has one, as Chromium hands it to what reads pages out."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    named = [node for node in nodes if not node["ignored"] and node["role"]["value"] not in TEXT]
    return {node["name"]["value"] for node in named if "name" in node} - {""}


def test_axe_finds_nothing_but_what_is_streamlits_own(walk: Walk) -> None:
    assert not walk.violations, "\n".join(walk.violations)


def test_what_is_listed_as_streamlits_own_is_still_found(walk: Walk) -> None:
    gone = [one for place, one in enumerate(STREAMLITS_OWN) if place not in walk.listed]
    assert gone == []


def test_every_page_has_one_headline_and_a_title_of_its_own_in_its_language(walk: Walk) -> None:
    titles = {
        (name, code): TITLES[code].format(page=DOORS[code][name].title)
        for name in PAGES
        for code in ("zh", "en")
    }
    assert walk.titles == titles
    assert len(set(titles.values())) == len(titles)
    assert {here: count for here, count in walk.headlines.items() if count != 1} == {}


def test_no_name_is_read_out_as_markup(walk: Walk) -> None:
    assert all(walk.names.values())
    marked = {here: set(filter(MARKUP.search, names)) for here, names in walk.names.items()}
    assert {here: names for here, names in marked.items() if names} == {}


def test_every_picture_and_chart_has_a_name(walk: Walk) -> None:
    assert {here: found for here, found in walk.unnamed.items() if found} == {}


def test_whatever_has_the_focus_shows_a_ring(walk: Walk) -> None:
    assert not walk.without_ring, "\n".join(walk.without_ring)


def test_every_figure_is_one_tab_stop(walk: Walk) -> None:
    assert {"microscope", "decoding", "timeline"} <= {
        key for all_ in walk.stops.values() for key in all_
    }
    many = [
        f"{name}: {n} Tab stops in {key}"
        for name, parts in walk.stops.items()
        for key, n in parts.items()
        if n > MOST.get(key, 1)
    ]
    assert not many, "\n".join(many)


def test_no_page_scrolls_sideways(walk: Walk) -> None:
    assert walk.too_wide == []
