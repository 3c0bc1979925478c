"""The pairs of Tatoeba: normalised, and without overlap of training and test data."""

import gzip
from random import Random

import pytest
from claims import for_all

from training import tatoeba as data
from training.tatoeba import Pair, chinese, english, pairs, read, split

SIZES = {"VALIDATION": 11, "TEST": 23}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for name, size in SIZES.items():
        monkeypatch.setattr(data, name, size)


def drawn(count=400, seed=7):
    """Pairs of which many share a side, some only in other marks, spaces and capitals."""
    random = Random(seed)
    rows = []
    for i in range(count):
        source, target = f"第{random.randrange(count)}句", f"Sentence {random.randrange(count)}"
        rows.append((source + random.choice(("", "。", "！")), target + random.choice(("", "."))))
        if i % 5 == 0:
            rows.append((source, target.upper()))
    return pairs(rows)


def bare(text):
    return "".join(c for c in text.lower() if c.isalnum())


def test_no_sentence_of_either_language_is_in_two_parts():
    found = split(drawn())
    sides = [
        {bare(one.source) for one in found.train},
        {bare(one.source) for one in found.validation},
        {bare(one.source) for one in found.test},
    ]
    references = [
        {bare(one.target) for one in found.train},
        {bare(text) for one in found.validation for text in one.references},
        {bare(text) for one in found.test for text in one.references},
    ]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        assert not sides[first] & sides[second]
        assert not references[first] & references[second]


def test_every_pair_is_in_one_part_and_every_part_has_its_size():
    everything = drawn()
    found = split(everything)
    measured = [
        Pair(case.source, text)
        for case in (*found.validation, *found.test)
        for text in case.references
    ]
    assert sorted(map(str, (*found.train, *measured))) == sorted(map(str, everything))
    for cases, size in ((found.validation, 11), (found.test, 23)):
        assert size <= len(cases) < size + data.LARGEST_GROUP
    assert max(len(case.references) for case in found.test) > 1


def test_the_split_does_not_depend_on_the_order_of_the_pairs():
    everything = drawn()
    again = split(Random(3).sample(everything, len(everything)))
    found = split(everything)
    assert (found.validation, found.test) == (again.validation, again.test)
    assert set(found.train) == set(again.train)


def test_a_large_group_goes_to_the_training_part():
    chain = [(f"句{i // 2}", f"s{(i + 1) // 2}") for i in range(40)]  # each shares with the next
    found = split(pairs(chain))
    assert len(found.train) == 40
    assert not found.validation


@for_all(
    ("written", "read_as"),
    [
        ("你 好吗?", "你 好吗？"),
        ("\u200b他说:“是”, 对!", "他说：“是”， 对！"),
        ("２０１３年　Ｔｏｍ", "2013年 Tom"),
    ],
)
def test_chinese_is_normalised(written, read_as):
    assert chinese(written) == read_as


def test_english_has_straight_marks_and_single_spaces():
    assert english(" It’s  “fine”. ") == 'It\'s "fine".'


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress("我\tI\tsomeone\n".encode()))
    with pytest.raises(ValueError, match=data.SHA256):
        read(path)
