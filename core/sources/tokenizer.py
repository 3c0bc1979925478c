"""The tokenizer of a checkpoint, by its ``tokenizer.json``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import tokenizers

from core.errors import InputError
from core.limits import LIMITS, Limits
from core.sources import tokenizer_file
from core.sources.visible import visible

FILE = tokenizer_file.FILE


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


@dataclass(frozen=True, eq=False)
class BytePairs:
    """The model of a tokenizer by byte pair encoding; its tokens and merges are within the limits.

    All as in ``tokenizer.json``. vocab: the id of each token. merges: pairs of tokens, first those
    that are merged first.
    """

    vocab: Mapping[str, int]
    merges: Sequence[tuple[str, str]]
    unk_token: str | None = None
    fuse_unk: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False


class Tokenizer:
    """A tokenizer from a ``tokenizer.json``, without padding and truncation."""

    def __init__(
        self, definition: str, pairs: BytePairs | None = None, known: int | None = None
    ) -> None:
        """definition: the JSON text. pairs: its model, in place of one that has only added tokens.

        known: ids from this one on stand for the unknown token.

        JSON of a quarter of a million tokens and half a million merges would be made, checked and
        read again in ten times the time. Raises damaged_checkpoint, wrong_setting and text_grows.
        """
        rules = tokenizer_file.read(definition)
        with _refused():
            self._tokenizer = tokenizers.Tokenizer.from_str(rules.definition)
            if pairs:
                self._tokenizer.model = tokenizers.models.BPE(**vars(pairs))
        self._unknown = getattr(self._tokenizer.model, "unk_token", None)
        self._unknown_id = rules.unknown
        if self._unknown_id is not None:
            self._unknown = self._tokenizer.id_to_token(self._unknown_id)
        self._known = known
        self._by_bytes = rules.by_bytes
        self._suffix = getattr(self._tokenizer.model, "end_of_word_suffix", None) or ""

    def encode(self, text: str, longest: int, limits: Limits = LIMITS) -> Encoding:
        """The tokens of a text, with special tokens such as [CLS].

        The text is not normalised before.

        longest: the largest number of tokens of the model.
        Raises text_too_long, invisible_characters for lone surrogates, empty_text if the text gives
        no token, more_tokens_than_places and damaged_checkpoint.
        """
        if len(text) > limits.text:
            raise InputError("text_too_long", characters=len(text), limit=limits.text)
        alone = dict.fromkeys(character for character in text if "\ud800" <= character <= "\udfff")
        if alone:
            raise InputError(
                "invisible_characters",
                characters=", ".join(f"U+{ord(character):04X}" for character in alone),
            )
        with _refused():
            found = self._tokenizer.encode(text)
        numbers = tuple(found.ids)
        if self._known is not None and self._unknown_id is not None:
            numbers = tuple(n if n < self._known else self._unknown_id for n in numbers)
        if len(numbers) != len(found.tokens):
            raise InputError("damaged_checkpoint", file=FILE)
        names = tuple(
            str(self._unknown) if number == self._unknown_id else name
            for number, name in zip(numbers, found.tokens, strict=True)
        )
        if all(found.special_tokens_mask):
            raise InputError("empty_text")
        if len(numbers) > longest:
            raise InputError("more_tokens_than_places", tokens=len(numbers), limit=longest)
        marked = zip(numbers, found.special_tokens_mask, strict=True)
        wanted = {number for number, special in marked if special}
        special = tuple(index for index, number in enumerate(numbers) if number in wanted)
        unknown = (index for index, name in enumerate(names) if name == self._unknown)
        return Encoding(
            numbers,
            tuple(map(self._shown, names)),
            special=special,
            # CLIP has one token for the end of a text and for unknown words.
            unknown=tuple(index for index in unknown if index not in special),
            origins=tuple(text[begin:end] for begin, end in found.offsets),
            left_out=tuple(dict.fromkeys(self._left_out(text, names, found.offsets))),
        )

    def name_of(self, number: int) -> str:
        """The text of a token by its id; the id itself if it is unknown."""
        token = self._tokenizer.id_to_token(number)
        return f"#{number}" if token is None else self._shown(token)

    def number_of(self, name: str) -> int:
        """The id of a token by its name in the file. Raises KeyError."""
        number = self._tokenizer.token_to_id(name)
        if number is None:
            raise KeyError(name)
        return number

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
            token = self._tokenizer.id_to_token(number)
            if token is None:
                return None
            added = self._tokenizer.get_added_tokens_decoder().get(number)
            if added is not None and added.special:
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

    def _left_out(
        self, text: str, names: tuple[str, ...], offsets: list[tuple[int, int]]
    ) -> Iterator[str]:
        """The characters that are in no token."""
        taken: dict[int, str] = {}
        for name, (begin, end) in zip(names, offsets, strict=True):
            for index in range(begin, end):
                taken[index] = taken.get(index, "") + name
        for index, character in enumerate(text):
            in_token = index in taken and (
                self._by_bytes
                or character in taken[index]
                or taken[index] == self._unknown
                or visible(character) == character
            )
            if not in_token and not character.isspace():
                yield character


class _refused:  # noqa: N801
    """A context manager that converts errors of the library to damaged_checkpoint.

    The library raises plain Exception, or pyo3_runtime.PanicException, which cannot be imported.
    """

    def __enter__(self) -> None:
        """Enter the context."""

    def __exit__(
        self, kind: type[BaseException] | None, failure: Any, where: TracebackType | None
    ) -> None:
        """Convert these two; other exceptions propagate."""
        if kind is Exception or (kind and kind.__module__ == "pyo3_runtime"):
            raise InputError("damaged_checkpoint", file=FILE) from failure


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
