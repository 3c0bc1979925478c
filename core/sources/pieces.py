"""A BPE tokenizer: Zhang · Wei · ‑ming.

"Neural Machine Translation of Rare Words with Subword Units" (Sennrich et al., 2016), by the
library ``tokenizers``.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from tokenizers import Tokenizer

START, END = "[START]", "[END]"
BEGINS_WORD = "▁"
GOES_ON = "\u2011"  # a hyphen that does not break, and that no piece holds


class Pieces:
    """A BPE tokenizer with its vocabulary."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """tokenizer: must have the tokens [START] and [END]."""
        self._tokenizer = tokenizer
        self._rows: dict[str, int] = tokenizer.get_vocab()
        self.start, self.end = self._rows[START], self._rows[END]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every piece as text: ``love``, and ``‑ing`` for one that continues a word."""
        return tuple(_shown(piece) for piece in sorted(self._rows, key=self._rows.__getitem__))

    def unknown(self, sentence: str) -> tuple[str, ...]:
        """The characters of a sentence that are in no piece."""
        return tuple(sign for sign in sentence if not sign.isspace() and sign not in self._rows)

    def encode(self, sentence: str) -> tuple[int, ...]:
        """The ids of the pieces of a sentence. Unknown characters are dropped."""
        return tuple(self._tokenizer.encode(sentence).ids)

    def decode(self, rows: Sequence[int]) -> str:
        """The text of ids."""
        return str(self._tokenizer.decode(list(rows)))


def read(path: Path) -> Pieces:
    """Read a ``tokenizer.json``."""
    return Pieces(Tokenizer.from_file(str(path)))


def _shown(piece: str) -> str:
    word = piece.removeprefix(BEGINS_WORD)
    if not word[:1].isalnum():
        return piece
    return word if word != piece else f"{GOES_ON}{piece}"
