"""Loads the texts of the app from TOML files, one per language.

The English file is the contract: in every other language a file has the same fields and tables, and
its texts the same ``{fields}``. ``{tokens:token|tokens}`` is the first word if the field is 1, else
the second: see ``Template``.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, NoReturn

CODES = ("zh", "en")
CONTRACT = "en"

_NAME = re.compile(r"\{([A-Za-z_]\w*)\}")


class _Agreeing(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        one, mark, many = spec.partition("|")
        if not mark:
            return str(super().format_field(value, spec))
        return one if str(value) == "1" else many


class Template(str):
    """A text with words that agree with a number: ``{n} {n:token is|tokens are} left``.

    ``views.text.spans.spans`` reads the same. A text that the browser fills in cannot have them.
    """

    __slots__ = ()

    def format(self, *args: object, **fields: object) -> str:
        """The text with its fields filled in."""
        return _Agreeing().vformat(self, args, fields)


class WordsError(ValueError):
    """A text is empty, or a file of texts does not match the English one."""


class Words(Mapping[str, Any]):
    """A table of texts: ``words.viewer.head``; by key, ``words.nouns["patch"]``; as a mapping.

    ``words | {"head": text}`` is the table with another text.
    """

    __slots__ = ("__dict__", "_location")
    _location: str

    def __init__(self, fields: Mapping[str, Any], location: str) -> None:
        """location: the file and the table's path in it, for errors."""
        super().__setattr__("_location", location)
        self.__dict__.update(
            {key: _frozen(value, f"{location}.{key}") for key, value in fields.items()}
        )

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not in ``__dict__``.
        raise AttributeError(f"{self._location}.{name} is unknown", name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self._location}.{name} cannot be assigned")

    def __getitem__(self, key: str) -> Any:
        return self.__dict__[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __len__(self) -> int:
        return len(self.__dict__)

    def __or__(self, fields: Mapping[str, Any]) -> "Words":
        return Words(self.__dict__ | dict(fields), self._location)

    def as_dict(self) -> dict[str, Any]:
        """The texts as JSON has them."""
        return {key: _plain(value) for key, value in self.items()}


@cache
def load(files: Path) -> dict[str, Words]:
    """The texts of files such as ``masks/words.en.toml``, given without ``.en.toml``, by language.

    Raises WordsError, with file and field, for an empty text, and where a language differs from
    English in its fields, their types, a text's ``{fields}`` or a list's length.
    """
    paths = {code: files.with_name(f"{files.name}.{code}.toml") for code in CODES}
    tables = {code: tomllib.loads(path.read_text("utf-8")) for code, path in paths.items()}
    for code, table in tables.items():
        try:
            _check(table, tables[CONTRACT])
        except WordsError as error:
            raise WordsError(f"{paths[code]}: {error}") from None
    return {code: Words(table, f"{paths[code]}: ") for code, table in tables.items()}


def words_beside(module: str | Path) -> dict[str, Words]:
    """The texts of a page by language, ``words.*.toml`` beside a module, given by ``__file__``."""
    return load(Path(module).with_name("words"))


def _frozen(value: Any, location: str) -> Any:
    if isinstance(value, dict):
        return Words(value, location)
    if isinstance(value, list):
        return tuple(_frozen(each, f"{location}[{i}]") for i, each in enumerate(value))
    return Template(value) if isinstance(value, str) and "|" in value else value


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.as_dict() if isinstance(value, Words) else value


def _check(value: Any, contract: Any, field: str = "") -> None:
    """Raise WordsError, with the field, unless a TOML value matches the one in English."""
    if (kind := type(contract)) is not type(value):
        given = type(value).__name__
        raise WordsError(f"{field}: {given} where there must be {kind.__name__}")
    if isinstance(value, dict):
        if missing := contract.keys() - value.keys():
            raise WordsError(f"{field}.{min(missing)} is missing")
        if unknown := value.keys() - contract.keys():
            raise WordsError(f"{field}.{min(unknown)} is unknown")
        if methods := [key for key in value if hasattr(Words, key)]:
            raise WordsError(f"{field}.{methods[0]} is a method of Words")
        for key, each in value.items():
            _check(each, contract[key], f"{field}.{key}")
    elif isinstance(value, list):
        if len(value) != len(contract):
            raise WordsError(f"{field}: {len(value)} values where there must be {len(contract)}")
        for i, (each, one) in enumerate(zip(value, contract, strict=True)):
            _check(each, one, f"{field}[{i}]")
    elif isinstance(value, str):
        if not value.strip():
            raise WordsError(f"{field}: there is no text")
        here, there = (sorted(set(_NAME.findall(text))) for text in (value, contract))
        if here != there:
            raise WordsError(f"{field}: fills in {here}, and {there} in {CONTRACT}")
