"""Loads the texts of the app from TOML files, one per language, into typed dataclasses.

A module that defines such a dataclass, such as ``masks/words.py``, has its texts beside it in
``masks/words.zh.toml`` and ``masks/words.en.toml``. A text may have fields such as ``{tokens}``,
the same in every language. ``{tokens:token|tokens}`` is the first word if the field is 1, else the
second: see ``Template``.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

CODES = ("zh", "en")
PAGE_TABLE = "page"  # the table with a page's title, see views.page_info

Contract = TypeVar("Contract")

_NAME = re.compile(r"\{([A-Za-z_]\w*)\}")


class _Agreeing(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        one, mark, many = spec.partition("|")
        if not mark:
            return str(super().format_field(value, spec))
        return one if str(value) == "1" else many


class Template(str):
    """A text with words that agree with a number: ``{n} {n:token is|tokens are} left``.

    ``views.spans.spans`` reads the same. A text that the browser fills in cannot have such words.
    """

    __slots__ = ()

    def format(self, *args: object, **fields: object) -> str:
        """The text with its fields filled in."""
        return _Agreeing().vformat(self, args, fields)


class WordsError(ValueError):
    """A TOML file does not match its dataclass, or a text the same text in another language."""


def load(contract: type[Contract], module: str, *more: str) -> dict[str, Contract]:
    """The texts beside a module, by language code. module: its ``__file__``.

    more: the stems of further files beside it with fields of the dataclass.

    Raises WordsError, with file and field, for a missing or unknown field, for a value of the wrong
    type, and if the languages differ in a text's ``{fields}``, a table's keys or a list's length.
    """
    texts: dict[str, Contract] = {}
    first: dict[str, object] = {}
    for code in CODES:
        path = Path(module).with_suffix(f".{code}.toml")
        files = (path, *(path.with_name(f"{stem}.{code}.toml") for stem in more))
        table: dict[str, Any] = {}
        for file in files:
            table |= tomllib.loads(file.read_text("utf-8"))
        table.pop(PAGE_TABLE, None)
        try:
            texts[code] = read(contract, table)
            named = dict(_named(table))
            first = first or named
            for field in sorted(first.keys() | named.keys()):
                here, there = named.get(field), first.get(field)
                if here is None or there is None:
                    raise WordsError(f"{field}: only in {code if there is None else CODES[0]}")
                if here != there:
                    raise WordsError(f"{field}: fills in {here}, and {there} in {CODES[0]}")
        except WordsError as error:
            raise WordsError(f"{path}: {error}") from None
    return texts


def read(kind: Any, value: Any, field: str = "") -> Any:
    """Convert a TOML value to an annotated type. Raises WordsError, with the field.

    kind: a dataclass, a mapping with str keys, a tuple, or a TOML type.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _dataclass(kind, _of(dict, value, field), field)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        table = _of(dict, value, field)
        return {key: read(inner[1], each, f"{field}.{key}") for key, each in table.items()}
    if origin is tuple:
        array = _of(list, value, field)
        kinds = inner[:1] * len(array) if inner[-1] is Ellipsis else inner
        if len(kinds) != len(array):
            raise WordsError(f"{field}: {len(array)} values where there must be {len(kinds)}")
        each = enumerate(zip(kinds, array, strict=True))
        return tuple(read(one, given, f"{field}[{i}]") for i, (one, given) in each)
    converted = _of(kind, value, field)
    if isinstance(converted, str) and not converted.strip():
        raise WordsError(f"{field}: there is no text")
    return Template(converted) if isinstance(converted, str) and "|" in converted else converted


def _of(kind: type, value: Any, field: str) -> Any:
    if not isinstance(value, kind):
        raise WordsError(f"{field}: {type(value).__name__} where there must be {kind.__name__}")
    return value


def _dataclass(contract: Any, table: Mapping[str, Any], field: str) -> Any:
    hints = get_type_hints(contract)
    needed = {one.name for one in fields(contract) if one.default is MISSING}
    if missing := needed - table.keys():
        raise WordsError(f"{field}.{min(missing)} is missing")
    if unknown := table.keys() - hints.keys():
        raise WordsError(f"{field}.{min(unknown)} is unknown")
    given = {key: read(hints[key], value, f"{field}.{key}") for key, value in table.items()}
    return contract(**given)


def _named(value: Any, field: str = "") -> Iterator[tuple[str, object]]:
    """For each text its path and the sorted names of its fields."""
    if isinstance(value, str):
        yield field, sorted(set(_NAME.findall(value)))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _named(each, f"{field}.{key}")
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _named(each, f"{field}[{i}]")
