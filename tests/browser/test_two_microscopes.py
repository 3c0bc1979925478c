"""Two microscopes on a page: each has its selection, and keys are for the one touched last."""

import base64
import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from shown_traces import crossed, sentence

from core import Trace
from views.export.bundle import ASSETS, bundle_css, bundle_js
from views.scene.scene import scene
from views.scene.steps import ATTENTION
from views.text import LANGUAGES

HERE = Path(__file__).parent


def sent(trace: Trace) -> str:
    packed = scene(trace, "scores", 0, 0, ATTENTION, LANGUAGES["en"])
    return base64.b64encode(packed).decode()


@pytest.fixture
def two(blank_tab: Page) -> Page:
    """One is called ``self`` and shows scores, the other ``cross`` and shows weights."""
    scenes = [["self", sent(sentence()), "scores"], ["cross", sent(crossed()), "weights"]]
    styles = (ASSETS / "common.css").read_text("utf-8") + bundle_css(
        ASSETS / "microscope" / "hosts" / "streamlit.css"
    )
    page = blank_tab
    page.goto("about:blank")
    page.evaluate(f"Object.assign(globalThis, {json.dumps({'scenes': scenes, 'styles': styles})})")
    page.add_script_tag(content=bundle_js(HERE / "two.js"), type="module")
    for name in ("self", "cross"):
        expect(summed(page, name)).not_to_be_empty()
    return page


def summed(page: Page, name: str) -> Locator:
    return page.locator(f"#{name} .sum h3")


def events_of(page: Page, name: str) -> int:
    count: int = page.evaluate(f"mounted.{name}.follower.events")
    return count


def test_each_has_its_own_selection_and_keys_are_for_the_one_touched_last_until_it_is_destroyed(
    two: Page,
) -> None:
    what_is_done_in_one_sends_no_event_to_the_other(two)
    keys_are_for_the_one_that_was_touched_last(two)
    one_that_is_destroyed_leaves_the_keys_to_the_other(two)


def what_is_done_in_one_sends_no_event_to_the_other(two: Page) -> None:
    before = events_of(two, "cross")
    at_cross = summed(two, "cross").text_content()
    two.locator("#self .stepper button[data-key=weights]").click()
    expect(summed(two, "self")).to_contain_text("weights[")
    two.locator("#self .figure > canvas").hover(position={"x": 300, "y": 90})
    assert events_of(two, "self") > 0
    assert events_of(two, "cross") == before
    assert summed(two, "cross").text_content() == at_cross


def keys_are_for_the_one_that_was_touched_last(two: Page) -> None:
    two.locator("#cross .step h2").click()
    two.keyboard.press("ArrowRight")
    expect(summed(two, "cross")).to_contain_text("dropped[")
    expect(summed(two, "self")).to_contain_text("weights[")
    two.locator("#self .step h2").click()
    two.keyboard.press("ArrowLeft")
    expect(summed(two, "self")).to_contain_text("masked[")
    expect(summed(two, "cross")).to_contain_text("dropped[")


def one_that_is_destroyed_leaves_the_keys_to_the_other(two: Page) -> None:
    two.evaluate("mounted.self.instance.destroy()")
    expect(two.locator("#self .microscope")).to_have_count(0)
    two.keyboard.press("ArrowLeft")
    expect(summed(two, "cross")).to_contain_text("weights[")
