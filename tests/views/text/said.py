"""All that a language says, text by text."""

from collections.abc import Iterator, Mapping
from typing import Any


def leaves(said: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a language under the path that leads to it."""
    if isinstance(said, str):
        yield path, said
    elif isinstance(said, Mapping):
        for key in said:
            yield from leaves(said[key], f"{path}.{key}")
    else:
        assert isinstance(said, tuple), f"{path} is a {type(said).__name__}"
        for place, part in enumerate(said):
            yield from leaves(part, f"{path}[{place}]")
