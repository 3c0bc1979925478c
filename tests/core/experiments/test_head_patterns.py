"""Measures and patterns of heads, by hand and by plain loops."""

import math
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all

from core.experiments.head_patterns import (
    PATTERNS,
    HeadPattern,
    KnownHead,
    PatternSums,
    Repeats,
    StrongestLink,
    Thumbnails,
    kind_of,
    known_heads,
    of_heads,
)

HEADS, QUERIES, KEYS = 3, 7, 5
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-12}


def drawn(queries, keys, allowed=None, dtype=np.float64):
    """Rows that sum to 1, nothing where a key is not allowed."""
    made = np.random.default_rng(11).random((HEADS, queries, keys)) ** 3
    made *= 1 if allowed is None else allowed
    return (made / made.sum(axis=2, keepdims=True)).astype(dtype)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def by_loops(weights, visible, counts, special, same):
    """One head, a query at a time; None where none has a choice."""
    chosen = [i for i in range(len(weights)) if counts[i] and visible[i] > 1]
    if not chosen:
        return None
    rows = {i: [float(w) for w in weights[i]] for i in chosen}
    last = len(weights[0]) - 1
    columns = [mean(rows[i][j] for i in chosen) for j in range(last + 1)]
    return HeadPattern(
        evenness=mean(
            -sum(w * math.log(w) for w in rows[i] if w > 0) / math.log(visible[i]) for i in chosen
        ),
        peak=mean(max(rows[i]) for i in chosen),
        itself=mean(rows[i][i] for i in chosen) if same else 0.0,
        previous=mean(rows[i][i - 1] for i in chosen if i > 0) if same else 0.0,
        following=mean(rows[i][i + 1] for i in chosen if i < last) if same else 0.0,
        favourite=columns.index(max(columns)),
        share=max(columns),
        special=sum(columns[j] for j in special),
        reached=0 if same else reached([rows[i] for i in chosen]),
        keys=last + 1,
        last=max(range(last + 1), key=list(weights[-1]).__getitem__),
        last_share=float(max(weights[-1])),
    )


def reached(rows):
    """How many keys get more than half, if most rows give a key so much and not all the same."""
    found = [row.index(max(row)) for row in rows if max(row) > 0.5]
    several = len({*found}) > 1 or len(rows) == 1
    return len({*found}) if len(found) > len(rows) / 2 and several else 0


def assert_alike(found, expected, tolerance):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        if one and other:
            assert vars(one) == pytest.approx(vars(other), abs=tolerance)


@for_all("dtype", TOLERANCE)
@for_all("special", [(), (0, 6), (2,)])
@for_all("causal", [False, True])
def test_the_measures_of_every_head_are_those_of_plain_loops(causal, special, dtype):
    n = QUERIES
    weights = drawn(n, n, np.tri(n) if causal else None, dtype)
    visible = np.arange(1, n + 1) if causal else np.full(n, n)
    expected = [by_loops(head, visible, [True] * n, special, same=True) for head in weights]
    assert_alike(of_heads(weights, visible[None], special=special), expected, TOLERANCE[dtype])
    assert (expected[0].following > 0) == (not causal)


def test_some_queries_at_a_time_give_the_measures_of_all_at_once():
    ids, visible = (4, 7, 9, 4, 7, 7, 4), np.arange(1, QUERIES + 1)[None]
    weights = drawn(QUERIES, QUERIES, np.tri(QUERIES))
    sums = PatternSums(weights.shape, weights.dtype, visible, special=(1,), repeats=Repeats(ids))
    for first, stop in ((0, 3), (3, 4), (4, 7)):  # without the keys that none of them sees
        sums.add(weights[:, first:stop, :stop], slice(first, stop))
    expected = of_heads(weights, visible, special=(1,), ids=ids)
    assert expected[0].duplicate and expected[0].induction
    assert_alike(sums.patterns(), expected, 1e-12)


def test_padded_queries_do_not_count_in_the_measures():
    n = QUERIES
    allowed = np.random.default_rng(5).random((HEADS, n, n)) < 0.4
    allowed |= np.eye(n, dtype=bool)
    allowed[1] = np.eye(n)  # the second head has no choice
    counts = np.array([True] * 5 + [False] * 2)
    weights, visible = drawn(n, n, allowed), allowed.sum(axis=2)
    expected = [
        by_loops(*head, counts, (), same=True) for head in zip(weights, visible, strict=True)
    ]
    assert [one is None for one in expected] == [False, True, False]
    assert_alike(of_heads(weights, visible, counts=counts), expected, 1e-12)


@pytest.mark.parametrize(("keys", "same"), [(KEYS, True), (QUERIES, False)])
def test_cross_attention_has_no_previous_and_following_tokens(keys, same):
    weights, visible = drawn(QUERIES, keys), np.full(QUERIES, keys)
    expected = [by_loops(head, visible, [True] * QUERIES, (), same=False) for head in weights]
    assert_alike(of_heads(weights, visible[None], same=same), expected, 1e-12)


def test_heads_that_look_at_the_same_token_or_behind_it_are_measured_on_repeated_tokens_alone():
    ids = [4, 7, 9, 4, 7, 7]
    n = len(ids)
    weights = drawn(n, n, np.tri(n))
    same = {3: [0], 4: [1], 5: [1, 4]}
    behind = {3: [1], 4: [2], 5: [2]}  # 5, behind 4, is the query itself
    for head, found in zip(
        weights, of_heads(weights, np.arange(1, n + 1)[None], ids=ids), strict=True
    ):
        for measure, keys in ((found.duplicate, same), (found.induction, behind)):
            assert measure == pytest.approx(mean(sum(head[i, j] for j in keys[i]) for i in keys))
    (found, *_) = of_heads(weights[:, :3, :3], np.arange(1, 4)[None], ids=[4, 7, 4])
    assert found.induction == 0  # what is behind the same token is the previous one
    (found, *_) = of_heads(weights, np.arange(1, n + 1)[None], ids=range(n))
    assert found.duplicate == found.induction == 0


def test_a_single_token_has_no_pattern():
    assert of_heads(np.ones((HEADS, 1, 1), np.float32), np.ones((1, 1), int)) == [None] * HEADS


def test_weights_of_0_have_entropy_0():
    weights = np.zeros((1, QUERIES, QUERIES), np.float32)
    weights[:, :, 3] = 1
    (found,) = of_heads(weights, np.full((1, QUERIES), QUERIES))
    assert found.evenness == pytest.approx(0, abs=1e-30)
    assert found.pattern == ("one", 1.0)


NOTHING = dict(evenness=0.2, peak=0.41, itself=0.1, previous=0.2, following=0.3, favourite=4,
               share=0.4, special=0.25)  # fmt: skip


@for_all(
    ("changed", "expected"),
    [
        ({}, ("mixed", 0.41)),
        ({"itself": 0.7}, ("itself", 0.7)),
        ({"previous": 0.5}, ("previous", 0.5)),
        ({"previous": 0.499}, ("mixed", 0.41)),
        ({"following": 0.6, "previous": 0.55}, ("following", 0.6)),
        ({"special": 0.6, "share": 0.59}, ("special", 0.6)),
        ({"special": 0.6, "share": 0.6, "favourite": 0}, ("special", 0.6)),
        ({"share": 0.6}, ("one", 0.6)),
        ({"share": 0.6, "favourite": 0}, ("first", 0.6)),
        ({"previous": 0.6, "share": 0.6}, ("previous", 0.6)),
        ({"share": 0.6, "evenness": 0.95}, ("broadly", 0.95)),
        ({"share": 0.6, "evenness": 0.9499}, ("one", 0.6)),
        ({"reached": 3, "keys": 5}, ("along", 0.41)),
        ({"reached": 3, "keys": 3, "share": 0.7}, ("along", 0.41)),
        ({"reached": 2, "keys": 4}, ("mixed", 0.41)),
        ({"reached": 3, "keys": 5, "evenness": 0.96}, ("broadly", 0.96)),
    ],
)
def test_the_pattern_is_the_largest_measure_above_one_half(changed, expected):
    assert HeadPattern(**NOTHING | changed).pattern == expected
    assert expected[0] in PATTERNS


def test_measures_are_at_most_1_despite_rounding():
    n = 11
    weights = np.full((1, n, n), 1e-9, np.float32)
    weights[0, np.arange(n), (np.arange(n) + 3) % n] = np.nextafter(np.float32(1), np.float32(2))
    (found,) = of_heads(weights, np.full((1, n), n))
    assert found.peak == 1
    assert found.pattern == ("mixed", 1)


def test_the_head_that_does_most_of_each_known_behaviour_is_found():
    ids, following = [5, 8, 5, 2], 8
    nothing = HeadPattern(**NOTHING)
    heads = [
        [replace(nothing, previous=0.6), replace(nothing, last=1, last_share=0.7), None],
        [replace(nothing, previous=0.8, itself=0.49), replace(nothing, last=0, last_share=0.9)],
        [replace(nothing, favourite=2, share=0.9), replace(nothing, favourite=0, share=0.5)],
    ]
    assert known_heads(heads, ids, following) == [
        KnownHead("answer", 0, 1, 0.7, (3, 1)),
        KnownHead("previous", 1, 0, 0.8),
        KnownHead("sink", 2, 1, 0.5),
    ]
    assert known_heads([[replace(nothing, special=0.6)]], ids, 9)[0].known == "sink"


@for_all(
    ("changed", "kind"),
    [
        ({"previous": 0.7, "last": 1, "last_share": 0.6}, ("answer", 0.6)),  # token 9 follows
        ({"previous": 0.7, "last": 2, "last_share": 0.6}, ("previous", 0.7)),
        ({"previous": 0.7, "induction": 0.5, "duplicate": 0.9}, ("induction", 0.5)),
        ({"share": 0.6, "favourite": 2, "duplicate": 0.9}, ("duplicate", 0.9)),
        ({"share": 0.6, "favourite": 0, "duplicate": 0.9}, ("first", 0.6)),
        ({"share": 0.6, "favourite": 0, "induction": 0.8}, ("induction", 0.8)),
        ({"peak": 0.4}, ("mixed", 0.4)),
    ],
)
def test_what_a_head_has_few_occasions_to_do_counts_before_what_it_does_elsewhere(changed, kind):
    nothing = dict.fromkeys(
        ("evenness", "peak", "itself", "previous", "following", "share", "special"), 0.0
    )
    one = HeadPattern(**nothing | {"favourite": 1} | changed)
    assert kind_of(one, (7, 9, 8), 9) == kind
    assert kind_of(None, (7, 9, 8), 9) == ("none", 0.0)


def pictured(weights, most):
    small = Thumbnails(7, most)
    for queries in (slice(0, 2), slice(2, 7)):  # no end of a square
        small.look(weights[:, queries], queries)
    return small.pictures


def test_a_small_picture_has_the_largest_weight_of_each_square():
    weights = drawn(7, 7)
    np.testing.assert_array_equal(pictured(weights, 7), weights)
    found = pictured(weights, 3)  # squares of three tokens, the last of one
    assert found.shape == (HEADS, 3, 3)
    for head, picture in zip(weights, found, strict=True):
        for i in range(3):
            for j in range(3):
                assert picture[i, j] == head[3 * i : 3 * i + 3, 3 * j : 3 * j + 3].max()


def test_the_strongest_link_is_the_largest_weight_among_its_pairs_and_named_once() -> None:
    pairs = np.tri(4, k=-2, dtype=bool)
    weights = np.tile(0.1 * np.tri(4), (4, 1, 1))
    weights[0, 1, 0] = 0.9  # of neighbours
    weights[0, 2, 0], weights[3, 2, 0] = 0.55, 0.5
    weights[3, 3, 1] = 0.6
    strongest = StrongestLink(pairs, heads=2)
    for block in (weights[:3], weights[3:]):  # of the layers in order, not each alone
        for queries in (slice(0, 3), slice(3, 4)):  # without keys that none of them sees
            strongest.look(block[:, queries, : queries.stop], queries)
    link = KnownHead("link", 1, 1, 0.6, (3, 1))
    assert strongest.found == link
    assert strongest.by_query[3] == link
    for query, one in strongest.by_query.items():
        among = np.where(pairs, weights, 0)[:, query]
        assert one.value == among.max() == among[2 * one.layer + one.head, one.cell[1]]
        assert (strongest.rows[query] == weights[2 * one.layer + one.head, query]).all()
    nothing = of_heads(weights, np.full((1, 4), 4))
    heads = [nothing[:2], nothing[2:]]
    assert known_heads(heads, (1, 2, 3, 4), 9, link)[0] == link
    assert link not in known_heads(
        [heads[0], [None, replace(nothing[3], induction=0.7)]], (1, 2, 3, 4), 9, link
    )
