"""The messages of Streamlit to the browser, as texts and as JSON data."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from blob_reader import header_of
from google.protobuf.message import Message

from views.widgets.component import is_json

# What a reader types is in its own box, and a link's query is not shown.
NOT_SHOWN = {"value", "default", "query_string", "page_script_hash", "id", "key"}
AS_JSON = {"json", "spec"}  # of a component, of a chart
ARRAYS = "weights"  # the component that is sent nothing else
ARROW = b"\xff" * 4  # what Streamlit sends a table as begins so


def strings(part: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a message or of JSON data, with the name of its field."""
    if isinstance(part, Message):
        if getattr(part, "component_name", "") == ARRAYS:
            return
        for field, value in part.ListFields():
            if field.name in AS_JSON:
                yield from strings(json.loads(value), name)
            elif field.name not in NOT_SHOWN:
                yield from strings(value, f"{name}.{field.name}")
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from strings(value, f"{name}.{key}")
    elif isinstance(part, str):
        yield name, part
    elif isinstance(part, bytes):
        yield from strings(_decoded(part), name)
    elif isinstance(part, Iterable):
        for each in part:
            yield from strings(each, name)


def data_of(message: Message) -> Iterator[Any]:
    """The JSON data of a component."""
    for field, value in message.ListFields():
        if field.name in AS_JSON:
            yield json.loads(value)
        elif field.name == "bytes" and message.component_name != ARRAYS:
            yield from _decoded(value)


def _decoded(sent: bytes) -> list[Any]:
    """The JSON data that a component is sent, or in front of arrays, and the text of a table."""
    if sent.startswith(ARROW):
        return [sent.decode("utf-8", errors="replace")]
    return [json.loads(sent)] if is_json(sent) else _before_arrays(sent)


def _before_arrays(sent: bytes) -> list[Any]:
    if not sent.strip():
        return []
    begins = 8 + int.from_bytes(sent[:8], "little")
    if begins <= len(sent):
        return [json.loads(sent[8:begins]), *_before_arrays(sent[begins:])]
    # The microscope isolates the names of axes itself.
    return [{key: value for key, value in header_of(sent).items() if key != "names"}]
