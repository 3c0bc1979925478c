"""From the text of a link's parameter to its value; ValueError for what makes no sense."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?", re.ASCII)


def one_of(
    options: Iterable[Any], renamed: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """A parser that takes only the written form of one of the options.

    renamed: the present name of an option by a former one, which older links still have.
    """
    written = {str(option): option for option in options}

    def parse(text: str) -> Any:
        text = (renamed or {}).get(text, text)
        if text not in written:
            raise ValueError(text)
        return written[text]

    return parse


def number(low: float, high: float, kind: type = int) -> Callable[[str], Any]:
    """A parser that takes a number of this kind between the two ends."""

    def parse(text: str) -> Any:
        if not _NUMBER.fullmatch(text):
            raise ValueError(text)
        value = kind(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return parse


def flag(text: str) -> bool:
    """A parser of ``1`` and ``0``."""
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def written_flag(value: bool) -> str:
    """The text that ``flag`` reads."""
    return str(int(value))
