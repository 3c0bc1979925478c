"""The texts in a table of words."""

from collections.abc import Iterator, Mapping
from typing import Any


def leaves(texts: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a table or list, after its path."""
    if isinstance(texts, str):
        yield path, texts
    elif isinstance(texts, Mapping):
        for key in texts:
            yield from leaves(texts[key], f"{path}.{key}")
    elif isinstance(texts, list | tuple):
        for i, part in enumerate(texts):
            yield from leaves(part, f"{path}[{i}]")
