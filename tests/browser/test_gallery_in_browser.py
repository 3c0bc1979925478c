"""The gallery, opened from a folder with networking off."""

import re
from pathlib import Path

from conftest import PHONE
from microscope import INIT_SCRIPT, PATIENCE, until
from playwright.sync_api import Browser, expect

from views.export.gallery.entries import ENTRIES
from views.export.gallery.site import Site
from views.figures.palette import PALETTES, rgb

NAMES = ("index", "story", "sentence-causal", "softmax")
SUM = ".sum h3"


def test_from_a_folder_the_search_finds_in_both_languages_and_a_microscope_is_alive(
    browser: Browser, tmp_path: Path
) -> None:
    Site().build(tmp_path, [one for one in ENTRIES if one.name in NAMES])
    context = browser.new_context(offline=True, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    page, wrong, asked = context.new_page(), [], []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))

    page.goto((tmp_path / "index.html").as_uri())
    cards = page.locator(".entries li:visible")
    expect(cards).to_have_count(3)
    for words in ("北京 因果", "causal beijing 北京", "MASK 我爱"):
        page.locator("#search").fill(words)
        expect(cards).to_have_count(int("beijing" not in words))
    page.get_by_role("button", name="English").click()
    expect(page.locator("#search")).to_have_attribute("aria-label", "Search")
    expect(page.locator("#found")).to_have_text("1 of 3 pages")

    page.evaluate("localStorage.clear()")  # as where a browser keeps nothing for a file
    cards.locator("a", has_text="output").click()
    expect(page.locator(SUM)).to_contain_text("output")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.locator(".steps a", has_text="score").click()
    until(page, "s.stage === 'scores'")
    first = page.locator(SUM).text_content() or ""
    page.locator(".figure > canvas").hover(position={"x": 60, "y": 240})
    page.keyboard.press("ArrowRight")
    expect(page.locator(SUM)).not_to_have_text(first)
    page.get_by_role("button", name="中文").click()
    expect(page.locator("article:visible .slot #microscope")).to_have_count(1)

    page.goto((tmp_path / "story.html").as_uri())
    expect(page.locator(".story h2:visible")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("img", name=re.compile("爱 \\d+ %"))).to_be_visible()

    page.goto((tmp_path / "softmax.html").as_uri())
    bars = page.locator(".chart:visible .bars path")
    for theme, palette in PALETTES.items():
        page.emulate_media(color_scheme=theme)
        expect(bars.first).to_have_css(
            "fill", "rgb({}, {}, {})".format(*rgb(palette.share[2]).astype(int))
        )
    bars.first.hover(force=True)  # Plotly's own layer lies above its bars
    expect(page.locator(".hovertext")).to_have_text("0.5977")

    page.set_viewport_size(PHONE)
    for name in ("index", "story"):
        page.goto((tmp_path / f"{name}.html").as_uri())
        expect(page.locator(".answers:visible").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    assert {*asked} <= {"file", "data", "blob"}
    assert not wrong
    context.close()
