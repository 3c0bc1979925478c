"""Byte-level BPE, learnt on both languages: every frequent Chinese character is one token.

"Neural Machine Translation of Rare Words with Subword Units" (Sennrich et al., 2016), over the
bytes of UTF-8 as in GPT-2, so that no text is unknown. Plain BPE would first learn parts of
characters, so the bytes of each character are merged first, and whole characters after that, within
words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import regex
import rjieba
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

BEGIN, END = "<|begin_of_text|>", "<|end_of_text|>"
MIN_COUNT = 3  # occurrences from which a character is a token of its own
PATTERN = regex.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)  # of GPT-2
HAN = regex.compile(r"(\p{Script=Han}+)")

Merge = tuple[str, str]


def train_tokenizer(sentences: Sequence[str], size: int) -> Tokenizer:
    """A tokenizer with ``size`` tokens, learnt from these sentences."""
    byte_letters = _byte_letters()
    words = Counter(word for text in sentences for word in words_of(text))
    character_counts = Counter(character for word, n in words.items() for character in word * n)
    frequent = sorted(c for c, n in character_counts.items() if n >= MIN_COUNT and ord(c) > 127)
    merges = list(dict.fromkeys(_character_merges(frequent, byte_letters)))
    merge_count = size - 256 - 2 - len(merges)
    allowed_characters = {*frequent, *(chr(byte) for byte in range(128))}
    merges += [
        (_to_letters(left, byte_letters), _to_letters(right, byte_letters))
        for left, right in _learn_merges(words, allowed_characters, merge_count)
    ]
    tokens = [*(byte_letters[byte] for byte in range(256)), *("".join(merge) for merge in merges)]
    tokens = [BEGIN, END, *dict.fromkeys(tokens)]
    bpe = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.add_special_tokens([BEGIN, END])
    bpe.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, 0)]
    )
    return bpe


def words_of(text: str) -> Iterator[str]:
    """The words of a text, each with the space before it: no merge crosses their borders."""
    for piece in PATTERN.findall(text):
        for i, run in enumerate(HAN.split(piece)):
            yield from rjieba.cut(run) if i % 2 else filter(None, [run])


def _byte_letters() -> list[str]:
    """The letter that stands for each byte in the vocabulary of a byte-level tokenizer."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (chr(0x100 + i) for i in range(256 - len(printable)))
    return [chr(byte) if byte in printable else next(others) for byte in range(256)]


def _to_letters(text: str, byte_letters: Sequence[str]) -> str:
    return "".join(byte_letters[byte] for byte in text.encode())


def _character_merges(frequent: Iterable[str], byte_letters: Sequence[str]) -> Iterator[Merge]:
    """The merges that build each character from its bytes, from the left."""
    for character in frequent:
        letters_of_character = _to_letters(character, byte_letters)
        for end in range(1, len(letters_of_character)):
            yield letters_of_character[:end], letters_of_character[end]


def _learn_merges(
    words: Counter[str], allowed_characters: set[str], merge_count: int
) -> Iterator[Merge]:
    """The most frequent neighbour pairs, merged one after the other within words."""
    parts = {
        word: tuple(word) for word in words if set(word) <= allowed_characters and len(word) > 1
    }
    pairs: Counter[Merge] = Counter()
    where: dict[Merge, set[str]] = {}
    for word, characters in parts.items():
        for pair in pairwise(characters):
            pairs[pair] += words[word]
            where.setdefault(pair, set()).add(word)
    for _ in range(merge_count):
        best = max(pairs, key=lambda pair: (pairs[pair], pair), default=None)
        if best is None or pairs[best] < 2:
            return
        yield best
        for word in where.pop(best):
            before = parts[word]
            after = _merged(before, best)
            parts[word] = after
            for pair in pairwise(before):
                pairs[pair] -= words[word]
            for pair in pairwise(after):
                pairs[pair] += words[word]
                where.setdefault(pair, set()).add(word)
        del pairs[best]


def _merged(parts: tuple[str, ...], pair: Merge) -> tuple[str, ...]:
    merged: list[str] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)
