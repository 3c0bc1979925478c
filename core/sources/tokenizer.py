"""The tokenizer of a checkpoint, by its ``tokenizer.json``."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from core.errors import InputError
from core.limits import LIMITS, TOKENIZING, Limits
from core.sources import apart, tokenization
from core.sources.visible import visible

FILE = tokenization.FILE
REMEMBERED = 32  # texts whose tokens are at hand, since each run of a page asks for them again


@dataclass(frozen=True)
class Encoding:
    """A tokenized text: the ids, and the tokens as text.

    special: indices of added special tokens such as [CLS]. unknown: indices of unknown tokens.
    origins: the part of the text of each token; empty for special ones. left_out: characters in no
    token, except white space.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    special: tuple[int, ...]
    unknown: tuple[int, ...]
    origins: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class Tokenizer:
    """A tokenizer from a ``tokenizer.json``, without padding and truncation.

    The library has it in another process (``core.sources.tokenization``); here are its tokens.
    """

    def __init__(self, definition: str, known: int | None = None) -> None:
        """definition: the JSON text. known: ids from this one on stand for the unknown token.

        Raises damaged_checkpoint and takes_too_much.
        """
        data = definition.encode()
        facts, numbers = _read(tokenization.vocabulary, data)
        self._tokens: dict[int, str] = dict(zip(numbers.tolist(), facts["tokens"], strict=True))
        self._special = frozenset(facts["special"])
        self._unknown: str | None = facts["unknown"]
        self._by_bytes: bool = facts["by_bytes"]
        self._suffix: str = facts["suffix"]
        read = partial(_read, tokenization.encoding, data, known=known)
        self._encoding = lru_cache(maxsize=REMEMBERED)(read)

    def encode(self, text: str, longest: int, limits: Limits = LIMITS) -> Encoding:
        """The tokens of a text, with special tokens such as [CLS].

        The text is not normalised before.

        longest: the largest number of tokens of the model.
        Raises text_too_long, invisible_characters for lone surrogates, empty_text if the text gives
        no token, more_tokens_than_places, damaged_checkpoint and takes_too_much.
        """
        if len(text) > limits.text:
            raise InputError("text_too_long", characters=len(text), limit=limits.text)
        alone = dict.fromkeys(character for character in text if "\ud800" <= character <= "\udfff")
        if alone:
            raise InputError(
                "invisible_characters",
                characters=", ".join(f"U+{ord(character):04X}" for character in alone),
            )
        facts, (ids, begins, ends, beside) = self._encoding(text=text, longest=longest)
        special = np.flatnonzero(np.isin(ids, ids[beside > 0])).tolist()
        numbers = tuple(ids.tolist())
        in_file = (self._tokens.get(number, "") for number in numbers)
        unknown = (index for index, name in enumerate(in_file) if name == self._unknown)
        return Encoding(
            numbers,
            tuple(map(self.name_of, numbers)),
            special=tuple(special),
            # CLIP has one token for the end of a text and for unknown words.
            unknown=tuple(index for index in unknown if index not in special),
            origins=tuple(text[begin:end] for begin, end in zip(begins, ends, strict=True)),
            left_out=tuple(facts["left_out"]),
        )

    def name_of(self, number: int) -> str:
        """The text of a token by its id; the id itself if it is unknown."""
        token = self._tokens.get(number)
        return f"#{number}" if token is None else self._shown(token)

    def number_of(self, name: str) -> int:
        """The id of a token by its name in the file. Raises KeyError."""
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {token: number for number, token in self._tokens.items()}

    def _shown(self, token: str) -> str:
        """A token as visible text; at the end of a word behind it the mark of the model, if any."""
        piece = token.removesuffix(self._suffix) if self._suffix else token
        if piece and piece != token:
            return _shown(piece, self._by_bytes) + self._suffix
        return _shown(token, self._by_bytes)

    def text_of(self, numbers: Sequence[int]) -> str | None:
        """The text of ids; empty for special tokens.

        None for incomplete UTF-8 and for an unknown id.
        """
        data = b""
        for number in numbers:
            token = self._tokens.get(number)
            if token is None:
                return None
            if number in self._special:
                continue
            byte = _FALLBACK.fullmatch(token)
            if self._by_bytes and set(token) <= _BYTE.keys():
                data += bytes(_BYTE[letter] for letter in token)
            elif byte:
                data += bytes.fromhex(byte[1])
            else:
                data += token.replace("\u2581", " ").encode("utf-8", "replace")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None


def _read(function: Callable[..., apart.Read], data: bytes, **options: Any) -> apart.Read:
    try:
        return apart.read(function, data, TOKENIZING, **options)
    except InputError as error:
        if error.code == "takes_too_much":
            error.file_name = FILE
        raise


def _alphabet() -> dict[str, int]:
    """The byte of each letter of a byte-level vocabulary.

    Printable bytes are their own letters; the others have letters from U+0100 on ("Language
    Models are Unsupervised Multitask Learners", Radford et al., 2019, section 2.2, and its code).
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + index): byte for index, byte in enumerate(others)}


_BYTE = _alphabet()
_FALLBACK = re.compile(r"<0x([0-9A-F]{2})>")  # a byte of a character without a token


def _shown(token: str, by_bytes: bool) -> str:
    """A token as visible text; bytes that are not text as hexadecimal, E6 88."""
    if by_bytes and set(token) <= _BYTE.keys():
        data = bytes(_BYTE[letter] for letter in token)
        try:
            token = data.decode("utf-8")
        except UnicodeDecodeError:
            return data.hex(" ").upper()
    return visible(token)
