"""A sentence cut as a trained model expects it, by the ``tokenizer.json`` that comes with it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import tokenizers

from core.errors import (
    DamagedCheckpoint,
    EmptyText,
    InvisibleCharacters,
    MoreTokensThanPlaces,
    TextTooLong,
)
from core.limits import LIMITS, Limits
from core.sources import tokenizer_file
from core.sources.visible import visible

FILE = tokenizer_file.FILE
BYTES = 64_000_000  # a vocabulary of a million words has about 50


@dataclass(frozen=True)
class Encoding:
    """A text in tokens: the number of each, and its name as it can be shown.

    special: the places of those that the model wants around a text, such as [CLS]. unknown: the
    places of those that stand for what the vocabulary has not got. origins: the characters of the
    text that each was cut from, none for those around it. left_out: characters that none holds,
    but for white space.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    special: tuple[int, ...]
    unknown: tuple[int, ...]
    origins: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class Tokenizer:
    """Cuts text by the rules of one ``tokenizer.json``, without padding and truncation."""

    def __init__(self, definition: str) -> None:
        """Read the rules. Raises DamagedCheckpoint, WrongSetting and TextGrows."""
        rules = tokenizer_file.read(definition)
        with _refused():
            self._tokenizer = tokenizers.Tokenizer.from_str(rules.definition)
        self._unknown = getattr(self._tokenizer.model, "unk_token", None)
        self._by_bytes = rules.by_bytes

    def encode(self, text: str, longest: int, limits: Limits = LIMITS) -> Encoding:
        """The tokens of a text, with those that the model wants around it, such as [CLS].

        The text goes to the library as it is, invisible characters included.

        longest: how many tokens the model can take.
        Raises TextTooLong, InvisibleCharacters for lone surrogates, which UTF-8 has not, EmptyText
        where no token comes from the text, MoreTokensThanPlaces and DamagedCheckpoint.
        """
        if len(text) > limits.text:
            raise TextTooLong(len(text), limits.text)
        alone = dict.fromkeys(character for character in text if "\ud800" <= character <= "\udfff")
        if alone:
            raise InvisibleCharacters(", ".join(f"U+{ord(character):04X}" for character in alone))
        with _refused():
            found = self._tokenizer.encode(text)
        numbers, names = tuple(found.ids), tuple(found.tokens)
        if len(numbers) != len(names):
            raise DamagedCheckpoint(FILE)
        if all(found.special_tokens_mask):
            raise EmptyText
        if len(numbers) > longest:
            raise MoreTokensThanPlaces(len(numbers), longest)
        marked = zip(numbers, found.special_tokens_mask, strict=True)
        wanted = {number for number, special in marked if special}
        return Encoding(
            numbers,
            tuple(_shown(name, self._by_bytes) for name in names),
            special=tuple(place for place, number in enumerate(numbers) if number in wanted),
            unknown=tuple(place for place, name in enumerate(names) if name == self._unknown),
            origins=tuple(text[begin:end] for begin, end in found.offsets),
            left_out=tuple(dict.fromkeys(self._left_out(text, names, found.offsets))),
        )

    def name_of(self, number: int) -> str:
        """The name of a token as it can be shown; its number where the tokenizer has it not."""
        token = self._tokenizer.id_to_token(number)
        return f"#{number}" if token is None else _shown(token, self._by_bytes)

    def text_of(self, numbers: Sequence[int]) -> str | None:
        """What tokens say behind a text: nothing for special ones, such as the end of a text.

        None where they are bytes that make no whole characters, and for a number that is no token.
        """
        held = b""
        for number in numbers:
            token = self._tokenizer.id_to_token(number)
            if token is None:
                return None
            added = self._tokenizer.get_added_tokens_decoder().get(number)
            if added is not None and added.special:
                continue
            byte = _FALLBACK.fullmatch(token)
            if self._by_bytes and set(token) <= _BYTE.keys():
                held += bytes(_BYTE[letter] for letter in token)
            elif byte:
                held += bytes.fromhex(byte[1])
            else:
                held += token.replace("\u2581", " ").encode("utf-8", "replace")
        try:
            return held.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _left_out(
        self, text: str, names: tuple[str, ...], offsets: list[tuple[int, int]]
    ) -> Iterator[str]:
        """What stands in no token: the place of none, or not to be seen and not in its name."""
        taken: dict[int, str] = {}
        for name, (begin, end) in zip(names, offsets, strict=True):
            for place in range(begin, end):
                taken[place] = taken.get(place, "") + name
        for place, character in enumerate(text):
            kept = place in taken and (
                self._by_bytes
                or character in taken[place]
                or taken[place] == self._unknown
                or visible(character) == character
            )
            if not kept and not character.isspace():
                yield character


class _refused:  # noqa: N801
    """Names what the library does not accept.

    It raises Exception itself and no kind of it, or, where its own code did not foresee a file,
    pyo3_runtime.PanicException, which cannot be imported.
    """

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, failure: Any, where: TracebackType | None
    ) -> None:
        """Raise DamagedCheckpoint for these two; every other exception goes on."""
        if kind is Exception or (kind and kind.__module__ == "pyo3_runtime"):
            raise DamagedCheckpoint(FILE) from failure


def _alphabet() -> dict[str, int]:
    """Which byte each letter of a byte-level vocabulary stands for.

    A printable byte is its own letter; the others have those from U+0100 on, in order ("Language
    Models are Unsupervised Multitask Learners", Radford et al., 2019, section 2.2, and its code).
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + place): byte for place, byte in enumerate(others)}


_BYTE = _alphabet()
_FALLBACK = re.compile(r"<0x([0-9A-F]{2})>")  # a byte of what SentencePiece has no token for


def _shown(token: str, by_bytes: bool) -> str:
    """A token as it can be shown; of bytes as text where it is text, and otherwise as E6 88."""
    if by_bytes and set(token) <= _BYTE.keys():
        held = bytes(_BYTE[letter] for letter in token)
        try:
            token = held.decode("utf-8")
        except UnicodeDecodeError:
            return held.hex(" ").upper()
    return visible(token)
