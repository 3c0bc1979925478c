import sys
from functools import cache
from pathlib import Path

import pytest
from page_reader import Open
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from views.models_folder import BERT

FRAME = Path(__file__).parents[2] / "views" / "frame.py"

# For every AppTest Streamlit reads the metadata of all that is installed; here they stay the same.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def no_bert(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages as they are where requirements-weights.txt is not installed."""
    monkeypatch.setitem(sys.modules, BERT, None)


def opened(page: str, **query: str) -> AppTest:
    """A page after its first run."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    # Before the first run ``switch_page`` takes a page's file for its name in the URL.
    at._page_hash = calc_hash(page)
    return at.run()


@pytest.fixture(scope="session")
def follow_link() -> Open:
    """Open a page with a query, as a link does."""
    return opened


@pytest.fixture(scope="session")
def open_page() -> Open:
    """The same; the page Sentence with random weights, unless the query says otherwise."""

    def seeded(page: str, **query: str) -> AppTest:
        return opened(page, **({"model": "seeded"} if page == "sentence" else {}) | query)

    return seeded
