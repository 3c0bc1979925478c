"""The tokens of both sides, made from the pairs that are learnt from.

Needs jieba (MIT) to find words, opencc-python-reimplemented (Apache 2.0) for the table from
traditional to simplified characters, and tokenizers (Apache 2.0) for the pieces of English words.
What they make is stored; whoever translates needs the first two no more.
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

SEEN = 2  # times that a word of several characters has to be seen
PIECES = 4_000
MARKS = "。，？！、；：“”‘’（）《》…—·"
PLAIN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%.-"


def words_of(learnt: Sequence[Pair]) -> Unigram:
    """Words seen at least SEEN times, all characters seen, and those of everyday use."""
    jieba.setLogLevel(60)
    simplified = table()
    counts: Counter[str] = Counter()
    for source in dict.fromkeys(pair.source for pair in learnt):
        simple = "".join(simplified.get(c, c) for c in source)
        for word in jieba.cut(simple, HMM=False):
            counts[word] += 1
            if len(word) > 1:
                counts.update(dict.fromkeys(word, 0))
    kept = {word: n for word, n in counts.items() if word.strip() and _kept(word, n)}
    kept |= {c: 0 for c in (*everyday(), *MARKS, *PLAIN) if c not in kept}
    tokens = sorted(kept, key=lambda word: (-kept[word], word))
    used = {old: new for old, new in simplified.items() if new in kept and old not in kept}
    return Unigram((UNKNOWN, *tokens), (0, *(kept[word] for word in tokens)), used)


def _kept(word: str, count: int) -> bool:
    return len(word) == 1 or (count >= SEEN and word not in PLAIN)


def everyday() -> Iterator[str]:
    """The 3,755 characters of GB 2312 level 1: those in daily use."""
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            if (row, cell) < (0xD7, 0xFA):
                yield bytes((row, cell)).decode("gb2312")


def table() -> dict[str, str]:
    """A traditional character and the likeliest simplified one."""
    path = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    first = {old: new.split()[0] for old, new in rows}
    return {old: new for old, new in first.items() if old != new and len(old) == len(new) == 1}


def pieces_of(learnt: Sequence[Pair]) -> Tokenizer:
    """Byte-pair encoding ("Neural Machine Translation of Rare Words with Subword Units").

    Marks stand alone, an apostrophe or a hyphen within a word belongs to it; ▁ begins a word.
    """
    tokenizer = Tokenizer(models.BPE())
    alone = pre_tokenizers.Split(Regex(r"[^\w\s'▁\-]"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), alone])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES, special_tokens=[START, END], show_progress=False, min_frequency=2
    )
    tokenizer.train_from_iterator((pair.target for pair in learnt), trainer)
    return tokenizer
