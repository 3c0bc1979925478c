"""A token that is written from right to left is isolated wherever a page quotes it."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from blob_reader import unpacked
from claims import for_all
from google.protobuf.message import Message
from page_reader import Open

from views.navigation import PAGES
from views.spans import RIGHT_TO_LEFT

TEXT = "שלום 42 עולם مرحبا 123"
QUERY = {"text": TEXT, "memory": TEXT, "tokens": "שלום 42 عالم", "find": "שלום"}
CASES = [
    *((page, {}) for page in PAGES),
    ("sentence", {"model": "seeded"}),
    ("sentence", {"model": "seeded", "stage": "concat", "row": "3"}),
    ("sentence", {"model": "decoder", "next": "1"}),
    ("checkpoint", {"model": "decoder", "board": "1"}),
    ("by_hand", {"convention": "columns"}),
    ("by_hand", {"X": "שלום"}),
    ("translation", {"forced": "1"}),
]
ISOLATED = re.compile("\u2068[^\u2069]*\u2069")
AS_JSON = {"json", "spec"}  # of a component, of a chart
ARROW = b"\xff" * 4  # what Streamlit sends a table as begins so
# What a reader types stands in its own box, and a link's query is not shown.
NOT_QUOTED = {"value", "default", "query_string", "page_script_hash", "id", "key"}


def strings(part: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a message or of JSON data, with the name of its field."""
    if isinstance(part, Message):
        for field, value in part.ListFields():
            if field.name in AS_JSON:
                yield from strings(json.loads(value), name)
            elif field.name not in NOT_QUOTED:
                yield from strings(value, f"{name}.{field.name}")
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from strings(value, f"{name}.{key}")
    elif isinstance(part, str):
        yield name, part
    elif isinstance(part, bytes):
        yield from strings(data_of(part), name)
    elif isinstance(part, Iterable):
        for each in part:
            yield from strings(each, name)


def data_of(sent: bytes) -> list[Any]:
    """The JSON data that a component is sent in front of arrays, and the text of a table."""
    if not sent.strip():
        return []
    if sent.startswith(ARROW):
        return [sent.decode("utf-8", errors="replace")]
    begins = 8 + int.from_bytes(sent[:8], "little")
    if begins <= len(sent):
        return [json.loads(sent[8:begins]), *data_of(sent[begins:])]
    header, _ = unpacked(sent)
    # The microscope isolates the names of axes itself.
    return [{key: value for key, value in header.items() if key != "names"}]


@for_all(("page", "more"), CASES)
def test_a_quoted_token_is_isolated(follow_link: Open, page: str, more: dict[str, str]) -> None:
    at = follow_link(page, lang="en", **QUERY, **more)
    assert not at.exception
    elements = [element for element in at if hasattr(element, "proto")]
    texts = [text for element in elements for text in strings(element.proto)]
    bare = [
        f"{name}: {text[:150]!r}"
        for name, text in texts
        if RIGHT_TO_LEFT.search(ISOLATED.sub("", text))
    ]
    assert not bare, "\n".join(bare)
