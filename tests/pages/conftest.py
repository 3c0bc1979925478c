from pathlib import Path

import pytest
from page_reader import Open
from streamlit.testing.v1 import AppTest

from views.pages import PAGES

FRAME = Path(__file__).parents[2] / "views" / "frame.py"


@pytest.fixture
def open_page() -> Open:
    """Open a page with a query, as a link does."""

    def opened(page: str, **query: str) -> AppTest:
        at = AppTest.from_file(str(FRAME), default_timeout=60)
        for name, text in query.items():
            at.query_params[name] = text
        at.switch_page(f"../pages/{PAGES[page].relative_to(FRAME.parents[1] / 'pages')}")
        return at.run()

    return opened
