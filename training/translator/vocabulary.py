"""The vocabularies of both sides, from the training pairs.

Needs rjieba (MIT) to find words, opencc-python-reimplemented (Apache 2.0) for the table from
traditional to simplified characters, and tokenizers (Apache 2.0) for the pieces of English words.
The vocabularies are stored; translating needs neither.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

import opencc
import rjieba
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from core.sources.pieces import END, START
from core.sources.unigram import UNKNOWN, Unigram
from training.tatoeba import Pair

MIN_COUNT = 2  # occurrences from which a word of several characters is a token
LONGEST_WORD = 4  # characters, but for names
PIECES = 7_000
SPELT = 200  # how often the pieces' trainer reads every name
MARKS = "。，？！、；：“”‘’（）《》…—·"
PLAIN = "0123456789abcdefghijklmnopqrstuvwxyz%.-"


def train_words(pairs: Sequence[Pair], headwords: Set[str], known: Sequence[str]) -> Unigram:
    """The source vocabulary: words, all characters of the pairs, and everyday ones.

    A word is what rjieba finds and a dictionary lists; what it joins beyond that (开了门, 今天天气)
    is taken apart. headwords: of the dictionary. known: words that are tokens, wherever they occur.
    """
    variants = character_variants()
    allowed = {word for word in headwords if len(word) <= LONGEST_WORD} | set(known)
    counts: Counter[str] = Counter(dict.fromkeys(known, MIN_COUNT))
    for source in dict.fromkeys(pair.source for pair in pairs):
        read = "".join(variants.get(c, c) for c in source)
        for word in rjieba.cut(read):
            counts.update(_words(word, allowed))
    characters = {c for word in counts for c in word}
    frequent = {word: n for word, n in counts.items() if word.strip() and n >= MIN_COUNT}
    frequent |= {c: counts[c] for c in (*characters, *everyday(), *MARKS, *PLAIN) if c.strip()}
    tokens = sorted(frequent, key=lambda word: (-frequent[word], word))
    used = {old: new for old, new in variants.items() if new in frequent and old not in frequent}
    return Unigram((UNKNOWN, *tokens), (0, *(frequent[word] for word in tokens)), used)


def _words(joined: str, allowed: Set[str]) -> Iterator[str]:
    """What rjieba joined, parted into allowed words from the left, the longest first."""
    if joined.isascii() and joined.isalpha():
        yield joined
        return
    while joined:
        end = next((n for n in range(len(joined), 1, -1) if joined[:n] in allowed), 1)
        yield joined[:end]
        joined = joined[end:]


def everyday() -> Iterator[str]:
    """The 3,755 characters of GB 2312 level 1: those in daily use."""
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            if (row, cell) < (0xD7, 0xFA):
                yield bytes((row, cell)).decode("gb2312")


def character_variants() -> dict[str, str]:
    """What each variant of a character is read as.

    The likeliest simplified character of a traditional one; full-width punctuation for half-width;
    half-width lower-case letters and digits.
    """
    path = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    first = {old: new.split()[0] for old, new in rows}
    variants = {old: new for old, new in first.items() if old != new and len(old) == len(new) == 1}
    variants |= dict(zip("?!,:;()~", "？！，：；（）～", strict=True))
    for plain in map(chr, range(0x21, 0x7F)):
        wide = chr(ord(plain) + 0xFEE0)
        read = variants.get(plain, plain.lower())
        variants |= {one: read for one in (plain, wide) if one != read}
    return variants


def train_pieces(sentences: Sequence[str], names: Sequence[str]) -> Tokenizer:
    """The BPE tokenizer of the target; every common word and every name is one piece.

    "Neural Machine Translation of Rare Words with Subword Units" (Sennrich et al., 2016).
    Punctuation is split off, except apostrophes and hyphens inside words, and so is every digit; ▁
    begins a word.
    """
    tokenizer = Tokenizer(models.BPE())
    alone = pre_tokenizers.Split(Regex(r"[^\w\s'▁\-]"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(), alone, pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES, special_tokens=[START, END], show_progress=False, min_frequency=2
    )
    tokenizer.train_from_iterator((*sentences, *(names * SPELT)), trainer)
    return tokenizer
