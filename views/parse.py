"""Parsers of query parameters, from text to value; each raises ValueError for invalid text."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

NONE = "none"
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?", re.ASCII)


def one_of(
    options: Iterable[Any], renamed: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """A parser that accepts only ``str(option)`` of one of the options.

    renamed: the present name of an option by a former one, which older links have.
    """
    by_text = {str(option): option for option in options}

    def parse(text: str) -> Any:
        text = (renamed or {}).get(text, text)
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return parse


def some_of(options: Sequence[Any]) -> Callable[[str], list[Any]]:
    """A parser of options separated by commas, each as ``str(option)``; ``none`` for no option."""
    by_text = {str(option): option for option in options}

    def parse(text: str) -> list[Any]:
        chosen = [] if text == NONE else text.split(",")
        if set(chosen) - by_text.keys():
            raise ValueError(text)
        return [option for name, option in by_text.items() if name in chosen]

    return parse


def number(low: float, high: float, kind: type = int) -> Callable[[str], Any]:
    """A parser of numbers in [low, high]. kind: ``int`` or ``float``."""

    def parse(text: str) -> Any:
        if not _NUMBER.fullmatch(text):
            raise ValueError(text)
        value = kind(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return parse


def flag(text: str) -> bool:
    """Parse ``1`` or ``0`` as a bool."""
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def written(value: Any) -> str:
    """The text of a value in a link, from which the parsers above read it back."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    if isinstance(value, list | tuple):
        return ",".join(map(written, value)) or NONE
    return str(value)
