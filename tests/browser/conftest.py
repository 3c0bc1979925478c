"""The app in a real server and a real headless Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    found = shutil.which("chromium")
    for item in items:
        if "browser" not in Path(item.path).parts:
            continue
        item.add_marker(pytest.mark.browser)
        if found is None and os.environ.get("BROWSER_TESTS") != "required":
            item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """A server that nobody has visited yet; yields its address."""
    yield from _server()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for all tests that do not mind earlier visitors."""
    yield from _server()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A reader who prefers Chinese, at a desk."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def _server() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py",
        "--server.address", "127.0.0.1", "--server.port", str(port),
        "--server.headless", "true", "--server.fileWatcherType", "none",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/_stcore/health", process)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server stopped with code {process.returncode}")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server did not answer within a minute")
