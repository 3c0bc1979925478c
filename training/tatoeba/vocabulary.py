"""The vocabularies of both sides, from the training pairs.

Needs jieba (MIT) to find words, opencc-python-reimplemented (Apache 2.0) for the table from
traditional to simplified characters, and tokenizers (Apache 2.0) for the pieces of English words.
The vocabularies are stored; translating needs neither jieba nor opencc.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import jieba
import opencc
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from core.sources.pieces import END, START
from core.sources.unigram import UNKNOWN, Unigram
from training.tatoeba.data import Pair

MIN_COUNT = 2  # occurrences from which a word of several characters is a token
PIECES = 4_000
MARKS = "。，？！、；：“”‘’（）《》…—·"
PLAIN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%.-"


def train_words(pairs: Sequence[Pair]) -> Unigram:
    """The source vocabulary: words with MIN_COUNT, all characters seen, and everyday ones."""
    jieba.setLogLevel(60)
    simplify = simplification_table()
    counts: Counter[str] = Counter()
    for source in dict.fromkeys(pair.source for pair in pairs):
        simple = "".join(simplify.get(c, c) for c in source)
        for word in jieba.cut(simple, HMM=False):
            counts[word] += 1
            if len(word) > 1:
                counts.update(dict.fromkeys(word, 0))
    kept = {word: n for word, n in counts.items() if word.strip() and _is_kept(word, n)}
    kept |= {c: 0 for c in (*everyday(), *MARKS, *PLAIN) if c not in kept}
    tokens = sorted(kept, key=lambda word: (-kept[word], word))
    used = {old: new for old, new in simplify.items() if new in kept and old not in kept}
    return Unigram((UNKNOWN, *tokens), (0, *(kept[word] for word in tokens)), used)


def _is_kept(word: str, count: int) -> bool:
    return len(word) == 1 or (count >= MIN_COUNT and word not in PLAIN)


def everyday() -> Iterator[str]:
    """The 3,755 characters of GB 2312 level 1: those in daily use."""
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            if (row, cell) < (0xD7, 0xFA):
                yield bytes((row, cell)).decode("gb2312")


def simplification_table() -> dict[str, str]:
    """The likeliest simplified character of each traditional one."""
    path = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    first = {old: new.split()[0] for old, new in rows}
    return {old: new for old, new in first.items() if old != new and len(old) == len(new) == 1}


def train_pieces(pairs: Sequence[Pair]) -> Tokenizer:
    """The BPE tokenizer of the target.

    "Neural Machine Translation of Rare Words with Subword Units" (Sennrich et al., 2016).
    Punctuation is split off, except apostrophes and hyphens inside words; ▁ begins a word.
    """
    tokenizer = Tokenizer(models.BPE())
    alone = pre_tokenizers.Split(Regex(r"[^\w\s'▁\-]"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), alone])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES, special_tokens=[START, END], show_progress=False, min_frequency=2
    )
    tokenizer.train_from_iterator((pair.target for pair in pairs), trainer)
    return tokenizer
