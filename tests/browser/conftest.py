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
CHECKPOINTS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
# A page lives for a minute at most: V8's quick compiler pays, its thorough one does not.
SHORT_LIVED = "--js-flags=--no-turbofan --min-semi-space-size=64"
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


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """A server that nobody has visited yet; its address."""
    with serving() as served:
        yield served.address


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for all tests that do not mind earlier visitors; its address.

    Its owner offers a small model of each kind.
    """
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
    """A reader who prefers Chinese, at a desk, and is here for the second time: no hints."""
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(INIT_SCRIPT)
    yield context
    context.close()


@pytest.fixture(scope="session")
def walker(browser: Browser) -> Iterator[BrowserContext]:
    """The same reader on a phone."""
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
    """Her tab, which all tests share that bring it to a page by ``visit``."""
    yield shared_tab.lend()
    shared_tab.take_back(is_spoilt=request.node.stash.get(FAILED, False))


@pytest.fixture
def phone(shared_phone: SharedTab, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Her tab on a phone, shared likewise."""
    yield shared_phone.lend()
    shared_phone.take_back(is_spoilt=request.node.stash.get(FAILED, False))


@pytest.fixture(scope="session")
def blank_tab(browser: Browser) -> Iterator[Page]:
    """A tab that never shows the app, which would have to be loaded again after what is here."""
    context = browser.new_context(viewport=DESK, locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def new_tab(reader: BrowserContext) -> Iterator[Page]:
    """A tab of its own: for who listens to it from its first moment, or uploads, or goes Back."""
    tab = reader.new_page()
    before = {*reader.pages} - {tab}
    yield tab
    for one in reader.pages:
        if one not in before:
            one.close()


@pytest.fixture
def errors(page: Page) -> Iterator[list[str]]:
    """What fails in the browser in the course of a test."""
    found: list[str] = []

    def hear(error: Error) -> None:
        found.append(str(error))

    page.on("pageerror", hear)
    yield found
    page.remove_listener("pageerror", hear)
