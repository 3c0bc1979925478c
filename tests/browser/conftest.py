"""The app in a real server and a real headless Chromium."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from microscope import INIT_SCRIPT, PATIENCE, SharedTab
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from serving import CHROMIUM, CHROMIUM_FLAGS, serving

# Gives tests the store of the microscope on the page.
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
CHECKPOINTS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
# A page lives for a minute at most: V8's quick compiler pays, its thorough ones do not. It finds
# where each function stands at once: a browser that is driven asks for that later in any case.
SHORT_LIVED = (
    "--js-flags=--no-turbofan --no-maglev --no-enable-lazy-source-positions "
    "--min-semi-space-size=64"
)
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
FAILED = pytest.StashKey[bool]()
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.flaky(reruns=1))  # a busy machine; the summary names it
        if CHROMIUM is None and os.environ.get("BROWSER_TESTS") != "required":
            item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, Any]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the server that the tests of a worker share, with a model of each kind."""
    with serving(arguments=("--models", str(CHECKPOINTS))) as served:
        yield served.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*CHROMIUM_FLAGS, SHORT_LIVED]
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
    """A browser context in Chinese with a desktop screen, without the hints of a first visit."""
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    yield context
    context.close()


@pytest.fixture(scope="session")
def walker(browser: Browser) -> Iterator[BrowserContext]:
    """The same on a phone."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    yield context
    context.close()


@pytest.fixture(scope="session")
def shared_tab(reader: BrowserContext) -> SharedTab:
    return SharedTab(reader, DESK)


@pytest.fixture(scope="session")
def shared_phone(walker: BrowserContext) -> SharedTab:
    return SharedTab(walker, PHONE)


@pytest.fixture
def page(shared_tab: SharedTab, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The tab that all tests share that open pages by ``visit``."""
    yield shared_tab.lend()
    shared_tab.take_back(is_spoilt=request.node.stash.get(FAILED, False))


@pytest.fixture
def phone(shared_phone: SharedTab, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The shared tab on a phone."""
    yield shared_phone.lend()
    shared_phone.take_back(is_spoilt=request.node.stash.get(FAILED, False))


@pytest.fixture(scope="session")
def blank_tab(browser: Browser) -> Iterator[Page]:
    """A tab for content other than the app, so that the shared tab need not load the app again."""
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def new_tab(reader: BrowserContext) -> Iterator[Page]:
    """A new tab: for tests that listen from the first request on, upload files or go back."""
    tab = reader.new_page()
    before = {*reader.pages} - {tab}
    yield tab
    for one in reader.pages:
        if one not in before:
            one.close()


@pytest.fixture
def errors(page: Page) -> Iterator[list[str]]:
    """The uncaught errors of the page during a test."""
    found: list[str] = []

    def note(error: Error) -> None:
        found.append(str(error))

    page.on("pageerror", note)
    yield found
    page.remove_listener("pageerror", note)
