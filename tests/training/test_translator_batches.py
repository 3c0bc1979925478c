"""The batches of an epoch: every pair once, augmented on the Chinese side alone."""

from collections import Counter
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from core.sources.unigram import Unigram  # noqa: E402
from training.translator.batches import Augmentation, Encoded, epoch_batches  # noqa: E402

TOKENS = ("[UNK]", "我", "爱", "北", "京", "北京", "。", *"一二三四五六七八九十")
WORDS = Unigram(TOKENS, tuple(range(len(TOKENS))), {})
AS_IT_IS = Augmentation(apart=0.0, unknown=0.0, unstopped=0.0, joined=0.0)
BUDGET = 71


def pairs(count=101):
    """The number of a pair in base 10 is its source, and stands in its target."""
    numbers = [[TOKENS[7 + int(digit)] for digit in str(i)] for i in range(count)]
    return [Encoded((*one, "我"), tuple([2 + i] * (1 + i % 7))) for i, one in enumerate(numbers)]


def rows(batches):
    """Source and target of every pair, without what fills them up."""
    for batch in batches:
        for source, key_mask, target, labels in zip(
            batch.source, batch.key_mask, batch.target, batch.labels, strict=True
        ):
            n = int((labels >= 0).sum())
            assert target[0] == 0
            assert labels[n - 1] == 1
            assert target[1:n].tolist() == labels[: n - 1].tolist()
            yield tuple(source[key_mask].tolist()), tuple(labels[: n - 1].tolist())


def test_every_pair_is_read_once_and_no_batch_is_too_large():
    learnt = pairs()
    batches = list(epoch_batches(learnt, WORDS, AS_IT_IS, BUDGET, 1))
    expected = Counter((tuple(WORDS.ids(one.words)), one.pieces) for one in learnt)
    assert Counter(rows(batches)) == expected
    assert max(batch.source.numel() + batch.target.numel() for batch in batches) <= BUDGET


def only(**shares):
    """Augmentation by these shares and in no other way."""
    return replace(AS_IT_IS, **shares)


@pytest.mark.parametrize(
    ("augmentation", "expected"),
    [
        (only(apart=1.0), "我 爱 北 京 。"),
        (only(unknown=1.0), "[UNK] [UNK] [UNK] [UNK]"),
        (only(unstopped=1.0), "我 爱 北京"),
        (only(joined=1.0), "我 爱 北京 。 我 爱 北京 。"),
    ],
)
def test_each_augmentation_changes_the_source(augmentation, expected):
    pair = Encoded(("我", "爱", "北京", "。"), (5, 6))
    pairs = [pair] * (2 if augmentation.joined else 1)
    [(source, target)] = rows(epoch_batches(pairs, WORDS, augmentation, BUDGET, 1))
    assert [TOKENS[row] for row in source] == expected.split()
    assert target == pair.pieces * len(pairs)


def alignment_of(augmentation):
    """The alignment of the one pair 我 爱 北京 。, whose pieces render 我, nothing, 爱 and 北京."""
    pair = Encoded(("我", "爱", "北京", "。"), (5, 6, 7), ((0,), (), (1, 2)))
    (batch,) = epoch_batches([pair], WORDS, augmentation, BUDGET, 1)
    return batch.alignment[0].tolist()


def test_the_alignment_follows_a_source_that_is_augmented():
    end = [0, 0, 0, 0]
    assert alignment_of(AS_IT_IS) == [[1, 0, 0, 0], end, [0, 0.5, 0.5, 0], end]
    third = pytest.approx(1 / 3)
    split = alignment_of(only(apart=1.0))
    assert split[0] == [1, 0, 0, 0, 0]
    assert split[2] == [0, third, third, third, 0]
    unstopped = alignment_of(only(unstopped=1.0))
    assert unstopped == [[1, 0, 0], [0, 0, 0], [0, 0.5, 0.5], [0, 0, 0]]
