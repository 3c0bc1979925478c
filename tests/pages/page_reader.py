"""What a reader sees on a page that AppTest ran, as plain data."""

import json
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

Open = Callable[..., AppTest]


def component_data(at: AppTest, name: str) -> list[Any]:
    """The data of every component of this name on the page."""
    return [
        json.loads(element.proto.json)
        for element in at.get("bidi_component")
        if element.proto.component_name == name
    ]


def texts(at: AppTest) -> str:
    """All sentences and headings on the page."""
    said = [
        "".join(text for text, _ in paragraph)
        for data in component_data(at, "prose")
        for paragraph in data["paragraphs"]
    ]
    return "\n".join([*said, *(element.value for element in at.markdown)])
