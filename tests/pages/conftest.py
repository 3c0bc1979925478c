import shutil
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from model_packages import PACKAGES
from page_reader import FOLDERS, Open
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from core.models.installed import VARIABLE

FRAME = Path(__file__).parents[2] / "views" / "frame.py"
MOST_PAGES = 100  # pages, of some megabytes each: all first looks in both languages, and some more
Link = tuple[str, tuple[tuple[str, str], ...]]  # a page and its query

# For every AppTest Streamlit reads the metadata of all that is installed; here they stay the same.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# And for every run it would compile the page anew.
app_test.ScriptCache = local_script_runner.ScriptCache = cache(ScriptCache)


def wait(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait until the page has run; Streamlit's own ``wait`` polls a thousand times a second."""
    assert runner._script_thread
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"not finished after {timeout} s"


local_script_runner.require_widgets_deltas = wait


@pytest.fixture(autouse=True)
def no_packages() -> Iterator[None]:
    """Hide the packages with models, as if none were installed."""
    with pytest.MonkeyPatch.context() as patch:
        for package in PACKAGES:
            patch.setitem(sys.modules, package, None)
        yield


def opened(page: str, **query: str) -> AppTest:
    """A page after its first run."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    # Before the first run ``switch_page`` takes a page's file for its name in the URL.
    at._page_hash = calc_hash(page)
    return at.run()


def as_asked(page: str, query: dict[str, str]) -> dict[str, str]:
    """The query; the page Sentence has random weights, unless it says otherwise."""
    return ({"model": "seeded"} if page == "sentence" else {}) | query


class FirstRuns:
    """The last pages that tests opened, each for the next test that opens it by the same link.

    A page stays until a test runs it again.
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[Link, AppTest] = OrderedDict()

    def open(self, link: Link, lent: set[Link]) -> AppTest:
        """A page after its first run.

        lent: the links that this test has opened; of the same link again it gets another page.
        """
        found = None if link in lent else self._pages.get(link)
        if found is None:
            found = self._keep(link)
        self._pages.move_to_end(link)
        lent.add(link)
        return found

    def _keep(self, link: Link) -> AppTest:
        page, query = link
        at = opened(page, **dict(query))
        run = at._run

        def run_again(*given: Any, **named: Any) -> AppTest:
            if self._pages.get(link) is at:
                del self._pages[link]
            return run(*given, **named)

        at._run = run_again  # type: ignore[method-assign]
        self._pages[link] = at
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return at


FIRST_RUNS = FirstRuns()


@pytest.fixture
def follow_link(request: pytest.FixtureRequest) -> Open:
    """Open a page with a query, as a link does.

    Tests that only look at the same page share its first run, unless a test or one of its fixtures
    changes what is around the page.
    """
    lent: set[Link] = set()
    if "monkeypatch" in request.fixturenames:
        return opened

    def follow(page: str, **query: str) -> AppTest:
        return FIRST_RUNS.open((page, tuple(sorted(query.items()))), lent)

    return follow


@pytest.fixture
def open_page(follow_link: Open) -> Open:
    """The same; the page Sentence with random weights, unless the query says otherwise."""
    return lambda page, **query: follow_link(page, **as_asked(page, query))


@pytest.fixture
def first_look(open_page: Open) -> Callable[[str, str], AppTest]:
    """The first look at a page in a language."""
    return cache(lambda page, lang: open_page(page, lang=lang))


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """All small models on the page of one's own model."""
    monkeypatch.setenv(VARIABLE, str(FOLDERS))


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A function that offers small models of these kinds on the page of one's own model."""

    def offered(*kinds: str) -> Path:
        for kind in kinds:
            shutil.copytree(FOLDERS / kind, tmp_path / kind)
        monkeypatch.setenv(VARIABLE, str(tmp_path))
        return tmp_path

    return offered
