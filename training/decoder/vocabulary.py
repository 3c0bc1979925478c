"""Pairs of bytes, learnt on both languages: every Chinese character of the data is one token.

Byte pair encoding ("Neural Machine Translation of Rare Words with Subword Units", Sennrich et al.,
2016) over UTF-8's bytes, as GPT-2 has it, so that no text is unknown. Left to itself it would first
learn parts of characters; so the bytes of each character are merged first, and whole characters
after that, within words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import regex
import rjieba
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

BEGIN, END = "<|begin_of_text|>", "<|end_of_text|>"
OFTEN = 3  # times that a character occurs, to be a token as a whole
PIECES = regex.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)  # of GPT-2
HAN = regex.compile(r"(\p{Script=Han}+)")

Merge = tuple[str, str]


def tokenizer_of(learnt: Sequence[str], size: int) -> Tokenizer:
    """The tokenizer with so many tokens that is learnt from these sentences."""
    letters = _letters()
    words = Counter(word for text in learnt for word in words_of(text))
    often = Counter(character for word, n in words.items() for character in word * n)
    whole = sorted(c for c, n in often.items() if n >= OFTEN and ord(c) > 127)
    merges = list(dict.fromkeys(_of_characters(whole, letters)))
    room = size - 256 - 2 - len(merges)
    known = {*whole, *(chr(byte) for byte in range(128))}
    merges += [
        (_spelt(one, letters), _spelt(other, letters)) for one, other in _learnt(words, known, room)
    ]
    tokens = [*(letters[byte] for byte in range(256)), *("".join(merge) for merge in merges)]
    tokens = [BEGIN, END, *dict.fromkeys(tokens)]
    made = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([BEGIN, END])
    made.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, 0)]
    )
    return made


def words_of(text: str) -> Iterator[str]:
    """What merges may lie within: a word, with the space before it."""
    for piece in PIECES.findall(text):
        for i, run in enumerate(HAN.split(piece)):
            yield from rjieba.cut(run) if i % 2 else filter(None, [run])


def _letters() -> list[str]:
    """The letter that stands for each byte in such a file."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (chr(0x100 + i) for i in range(256 - len(printable)))
    return [chr(byte) if byte in printable else next(others) for byte in range(256)]


def _spelt(text: str, letters: Sequence[str]) -> str:
    return "".join(letters[byte] for byte in text.encode())


def _of_characters(whole: Iterable[str], letters: Sequence[str]) -> Iterator[Merge]:
    """The merges that make characters of their bytes, from the left."""
    for character in whole:
        spelt = _spelt(character, letters)
        for end in range(1, len(spelt)):
            yield spelt[:end], spelt[end]


def _learnt(words: Counter[str], known: set[str], room: int) -> Iterator[Merge]:
    """The most frequent neighbour pairs, merged one after the other within words."""
    parts = {word: tuple(word) for word in words if set(word) <= known and len(word) > 1}
    pairs: Counter[Merge] = Counter()
    where: dict[Merge, set[str]] = {}
    for word, cut in parts.items():
        for pair in pairwise(cut):
            pairs[pair] += words[word]
            where.setdefault(pair, set()).add(word)
    for _ in range(room):
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
    made: list[str] = []
    for part in parts:
        if made and (made[-1], part) == pair:
            made[-1] += part
        else:
            made.append(part)
    return tuple(made)
