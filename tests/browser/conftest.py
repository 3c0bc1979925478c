"""The app in a real server and a real headless Chromium."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from microscope import INIT_SCRIPT, PATIENCE
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from serving import CHROMIUM_FLAGS, serving

# What the page's microscope holds, for tests to ask for.
STORE = """
Object.defineProperty(globalThis, "attentionMicroscope", {
  get() {
    let store = null;
    const found = (instance) => (store ??= instance.store);
    document.dispatchEvent(new CustomEvent("microscope:find", { detail: found }));
    return store;
  },
});
"""
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    found = shutil.which("chromium")
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        if found is None and os.environ.get("BROWSER_TESTS") != "required":
            item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """A server that nobody has visited yet; its address."""
    with serving() as served:
        yield served.address


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for all tests that do not mind earlier visitors; its address."""
    with serving() as served:
        yield served.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        )
        new_context = opened.new_context

        def prepared(**options: Any) -> BrowserContext:
            context = new_context(**options)
            context.add_init_script(STORE)
            return context

        opened.new_context = prepared  # type: ignore[method-assign]
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def reader(browser: Browser) -> Iterator[BrowserContext]:
    """A reader who prefers Chinese, at a desk, and is here for the second time: no hints."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    yield context
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A tab on a phone whose reader sees each page in the language that its link names."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="zh-CN"
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(reader: BrowserContext) -> Iterator[Page]:
    """A new tab of hers."""
    yield reader.new_page()
    for tab in reader.pages:
        tab.close()
