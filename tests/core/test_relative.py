"""Relative position bias: its buckets by the definition in plain loops, and the stages."""

import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import AttentionOptions, Weights, explain, multi_head_attention
from core.relative import RelativeBias

HEADS, D_MODEL, N = 3, 15, 7
# The first distance of each bucket of T5, which has 32 of them up to 128, from its code.
BOTH_WAYS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
BACKWARDS = [*range(17), 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]


def relative(buckets=8, bidirectional=True, furthest=11):
    table = np.random.default_rng(buckets).normal(size=(HEADS, buckets))
    return RelativeBias(table, bidirectional, furthest)


def bucket(apart, buckets, bidirectional, furthest):
    """Raffel et al., 2020, section 2.1: exact up to a half, then logarithmic."""
    behind = 0
    if bidirectional:
        buckets //= 2
        behind = buckets if apart > 0 else 0
        size = abs(apart)
    else:
        size = max(0, -apart)
    exact = buckets // 2
    if size < exact:
        return behind + size
    share = math.log(size / exact) / math.log(furthest / exact)
    return behind + min(buckets - 1, exact + math.floor(share * (buckets - exact) + 1e-9))


@for_all(
    ("buckets", "bidirectional", "furthest"),
    [(32, True, 128), (32, False, 128), (8, True, 11), (8, False, 11), (4, True, 2), (6, False, 9)],
)
def test_a_bucket_follows_from_the_distance_as_in_the_paper(buckets, bidirectional, furthest):
    found = relative(buckets, bidirectional, furthest).buckets(150, 150)
    for query in range(150):
        for key in range(150):
            expected = bucket(key - query, buckets, bidirectional, furthest)
            assert found[query, key] == expected, (query, key)


@for_all(("bidirectional", "firsts"), [(True, BOTH_WAYS), (False, BACKWARDS)])
def test_the_ranges_of_t5_begin_where_its_code_lets_them_begin(bidirectional, firsts):
    of = relative(32, bidirectional, 128).bucket_of(-np.arange(1000))
    assert [int(np.flatnonzero(of == number)[0]) for number in range(len(firsts))] == firsts
    assert of.max() == len(firsts) - 1


def test_the_rows_of_the_table_are_named_by_their_distances():
    names = relative(32, True, 128).names
    assert names[:9] == ("0", "−1", "−2", "−3", "−4", "−5", "−6", "−7", "−8…11")
    assert names[15:18] == ("≤−91", "–", "+1") and names[31] == "≥+91"
    assert relative(8, False, 11).names == ("0", "−1", "−2", "−3", "−4…5", "−6", "−7…8", "≤−9")


def test_behind_a_cache_the_rows_are_those_of_later_positions():
    whole, last = relative().bias(N, N), relative().bias(2, N, N - 2)
    np.testing.assert_array_equal(whole[:, N - 2 :], last)
    np.testing.assert_array_equal(relative().bias(N, N, heads=slice(1, 3)), whole[1:3])


@for_all("causal", [False, True])
def test_the_bias_of_a_cell_is_looked_up_and_added_to_its_score(causal):
    bias = relative(bidirectional=not causal)
    X = np.random.default_rng(5).normal(size=(2, N, D_MODEL))
    options = AttentionOptions(relative=bias, scale=1.0, causal=causal)
    trace = multi_head_attention(X, Weights.seeded(D_MODEL, HEADS, 1), options)
    assert trace["masked"].kind == ("biased_and_masked" if causal else "biased")
    assert trace["scaled"].kind == "unscaled"
    for head, query, key in ((0, 6, 1), (1, 3, 3), (2, 5, 0)):
        row = bucket(key - query, 8, not causal, 11)
        made = explain(trace, "bias", (head, query, key)).made_by
        assert (made.address.stage, made.address.index) == ("bias_table", (head, row))
        score = trace["Q"].tensor[1, head, query] @ trace["K"].tensor[1, head, key]
        summed = score + bias.table[head, row]
        assert trace["masked"].tensor[1, head, query, key] == pytest.approx(summed, rel=1e-12)
    if causal:
        assert np.isneginf(trace["masked"].tensor[:, :, 2, 3:]).all()


def test_a_table_must_fit_the_heads_and_hold_numbers():
    X, weights = np.ones((1, N, D_MODEL)), Weights.seeded(D_MODEL, HEADS, 1)
    for table, code in (
        (np.ones((2, 8)), "shape_mismatch"),
        (np.full((3, 8), np.nan), "not_finite"),
    ):
        with refuses(code, name="bias_table"):
            multi_head_attention(
                X, weights, AttentionOptions(relative=RelativeBias(table, True, 11))
            )


@for_all("other", [{"bias": np.zeros((N, N))}, {"lengths": np.array([N])}])
def test_it_goes_without_another_bias_and_without_lengths(other):
    with pytest.raises(ValueError, match="relative"):
        AttentionOptions(relative=relative(), **other)
