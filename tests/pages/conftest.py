"""Pages run by Streamlit's AppTest, with what a reader sees read back as plain text."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

FRAME = Path(__file__).parents[2] / "views" / "frame.py"
PAGES = {"home": "start/home.py", "sentence": "see/sentence.py", "image": "see/image.py"}

Open = Callable[..., AppTest]


@pytest.fixture
def open_page() -> Open:
    """Open a page with a query, as a link does."""

    def opened(page: str, **query: str) -> AppTest:
        at = AppTest.from_file(str(FRAME), default_timeout=60)
        for name, text in query.items():
            at.query_params[name] = text
        at.switch_page(f"../pages/{PAGES[page]}")
        return at.run()

    return opened


def component_data(at: AppTest, name: str) -> list[Any]:
    """The data of every component of this name on the page."""
    found = []
    for element in at.get("bidi_component"):
        proto = element.proto
        if proto.component_name == name:
            found.append(json.loads(proto.json))
    return found


def texts(at: AppTest) -> str:
    """All sentences and headings on the page."""
    said = [
        "".join(text for text, _ in paragraph)
        for data in component_data(at, "prose")
        for paragraph in data["paragraphs"]
    ]
    return "\n".join([*said, *(element.value for element in at.markdown)])
