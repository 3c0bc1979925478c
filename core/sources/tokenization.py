"""The library ``tokenizers`` and a ``tokenizer.json``, in a process that ``apart`` limits.

The library executes such a file without limits: it may multiply the text, backtrack in a regular
expression, allocate any amount of memory, or end its process.
"""

import mmap
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import tokenizers

from core.errors import InputError
from core.limits import TOKENIZER as MOST
from core.sources.visible import visible

FILE = "tokenizer.json"
BY_BYTES = b'"type":"ByteLevel"'  # in JSON without spaces, whose texts have no plain quotes

Read = tuple[dict[str, Any], np.ndarray]


def vocabulary(data: bytes) -> Read:
    """The ids of all tokens: (token,).

    tokens: their names in the file. special: ids of added special tokens. unknown: the name of the
    unknown token, or None. by_bytes: whether tokens are byte-level. suffix: what marks the end of a
    word. Raises damaged_checkpoint.
    """
    built = _built(data)
    with _refused():
        size = built.tokenizer.get_vocab_size()
        numbers = sorted({*range(size), *built.tokenizer.get_vocab().values()})
        named = {number: built.tokenizer.id_to_token(number) for number in numbers}
        added = built.tokenizer.get_added_tokens_decoder()
    tokens = {number: token for number, token in named.items() if token is not None}
    if max(map(len, tokens.values()), default=0) > MOST.token:
        raise InputError("damaged_checkpoint", file=FILE)
    facts = {
        "tokens": [*tokens.values()],
        "special": [number for number, token in added.items() if token.special],
        "unknown": built.unknown,
        "by_bytes": built.by_bytes,
        "suffix": getattr(built.tokenizer.model, "end_of_word_suffix", None) or "",
    }
    return facts, np.array([*tokens], np.uint32)


def encoding(data: bytes, text: str, longest: int, known: int | None = None) -> Read:
    """The tokens of a text: (4, token), their ids, where each begins and ends in the text, and 1
    for one that the definition puts beside the text.

    left_out: characters in no token, except white space. longest: the most tokens. known: ids from
    this one on stand for the unknown token.
    Raises empty_text, more_tokens_than_places and damaged_checkpoint.
    """
    built = _built(data)
    with _refused():
        found = built.tokenizer.encode(text)
    if len(found.ids) != len(found.tokens):
        raise InputError("damaged_checkpoint", file=FILE)
    if all(found.special_tokens_mask):
        raise InputError("empty_text")
    if len(found.ids) > longest:
        raise InputError("more_tokens_than_places", tokens=len(found.ids), limit=longest)
    unknown = built.unknown_id
    numbers = [n if known is None or unknown is None or n < known else unknown for n in found.ids]
    names = [
        str(built.unknown) if number == unknown else name
        for number, name in zip(numbers, found.tokens, strict=True)
    ]
    left_out = dict.fromkeys(built.left_out(text, names, found.offsets))
    rows = [numbers, *zip(*found.offsets, strict=True), found.special_tokens_mask]
    return {"left_out": [*left_out]}, np.array(rows, np.uint32)


class _Built:
    """A tokenizer as defined, without padding, truncation and chance."""

    def __init__(self, data: bytes) -> None:
        """Raises damaged_checkpoint."""
        with _refused():
            self.tokenizer = tokenizers.Tokenizer.from_buffer(data)
            self.tokenizer.no_padding()
            self.tokenizer.no_truncation()
            if isinstance(self.tokenizer.model, tokenizers.models.BPE):
                self.tokenizer.model.dropout = None
            steps = (self.tokenizer.normalizer, self.tokenizer.pre_tokenizer)
            self.by_bytes = any(step and BY_BYTES in step.__getstate__() for step in steps)

    @cached_property
    def unknown_id(self) -> int | None:
        """The id of the unknown token of a Unigram model, which gives such a token under the text
        that it stands for; None for other models."""
        model = self.tokenizer.model
        if not isinstance(model, tokenizers.models.Unigram):
            return None
        stated = repr(model).partition("unk_id=")[2].partition(",")[0]
        return int(stated) if stated.isdecimal() else None

    @cached_property
    def unknown(self) -> str | None:
        """The unknown token."""
        if self.unknown_id is not None:
            return self.tokenizer.id_to_token(self.unknown_id)
        return getattr(self.tokenizer.model, "unk_token", None)

    def left_out(
        self, text: str, names: list[str], offsets: list[tuple[int, int]]
    ) -> Iterator[str]:
        """The characters that are in no token."""
        taken: dict[int, str] = {}
        for name, (begin, end) in zip(names, offsets, strict=True):
            for index in range(begin, end):
                taken[index] = taken.get(index, "") + name
        for index, character in enumerate(text):
            in_token = index in taken and (
                self.by_bytes
                or character in taken[index]
                or taken[index] == self.unknown
                or visible(character) == character
            )
            if not in_token and not character.isspace():
                yield character


_KEPT: dict[bytes, _Built] = {}


def _built(data: bytes) -> _Built:
    """The tokenizer of a definition. Those before it make room for it."""
    if data not in _KEPT:
        if len(data) + sum(map(len, _KEPT)) > MOST.kept or _held() > MOST.held:
            _KEPT.clear()
        _KEPT[data] = _Built(data)
    return _KEPT[data]


def _held() -> int:
    """The bytes of memory that this process holds; 0 where they are not limited either."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[5]) * mmap.PAGESIZE


class _refused:  # noqa: N801
    """A context manager that converts errors of the library to damaged_checkpoint.

    The library raises plain Exception, plain ValueError, or pyo3_runtime.PanicException, which
    cannot be imported.
    """

    def __enter__(self) -> None:
        """Enter the context."""

    def __exit__(
        self, kind: type[BaseException] | None, failure: Any, where: TracebackType | None
    ) -> None:
        """Convert these; other exceptions propagate."""
        if kind in (Exception, ValueError) or (kind and kind.__module__ == "pyo3_runtime"):
            raise InputError("damaged_checkpoint", file=FILE) from failure
