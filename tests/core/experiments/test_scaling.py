import math
from itertools import pairwise

import numpy as np
import pytest
from claims import for_all

from core.errors import OutOfRange
from core.experiments import scaling
from core.experiments.scaling import (
    DIVISORS,
    KEYS,
    PAIRS,
    WIDTHS,
    divisor,
    measured,
    random_scores,
)

CERTAIN = 4.0  # z: once in 16 000 seeds a spread lies outside
SEEDS = (7, 11, 13)


def test_a_score_is_the_dot_product_of_the_first_entries_of_two_drawn_vectors():
    Q, K = np.random.default_rng(7).standard_normal((2, PAIRS, 1024)).tolist()
    assert [scores.d_k for scores in random_scores(7)] == list(WIDTHS)
    for scores in (random_scores(7)[2], random_scores(7)[5]):
        d_k = scores.d_k
        assert scores.pairs.shape == (PAIRS,)
        assert scores.rows.shape == (PAIRS // KEYS, KEYS)
        for pair in (0, 1, 1999):
            dot = math.fsum(q * k for q, k in zip(Q[pair][:d_k], K[pair][:d_k], strict=True))
            assert scores.pairs[pair] == pytest.approx(dot)
        for query, key in ((0, 0), (3, 5), (124, 15)):
            other = K[query * KEYS + key][:d_k]
            dot = math.fsum(q * k for q, k in zip(Q[query][:d_k], other, strict=True))
            assert scores.rows[query, key] == pytest.approx(dot)


@for_all("seed", SEEDS)
def test_the_spread_of_random_dot_products_is_the_root_of_d_k_within_its_interval(seed):
    for scores in random_scores(seed):
        low, high = scaling.spread_interval(scores.d_k, z=CERTAIN)
        assert low < scaling.spread(scores.pairs) < high
        assert low < math.sqrt(scores.d_k) < high


@for_all("d_k", [1, 2, 5, 64])
def test_the_interval_holds_95_of_100_spreads(d_k):
    generator, pairs, times = np.random.default_rng(17), 1009, 499
    inside = 0
    for _ in range(times):
        q, k = generator.standard_normal((2, pairs, d_k))
        low, high = scaling.spread_interval(d_k, pairs)
        inside += low <= scaling.spread((q * k).sum(axis=1)) <= high
    # Four standard deviations of a count of 499 with chance 0.95: ± 0.039.
    assert 0.95 - 0.04 < inside / times < 0.95 + 0.04


def test_for_many_pairs_of_wide_vectors_the_interval_is_that_of_a_normal_sample():
    low, high = scaling.spread_interval(10**9, 5000)
    assert low / math.sqrt(10**9) == pytest.approx(1 - 1.96 / math.sqrt(2 * 5000), abs=2e-4)
    assert high / math.sqrt(10**9) == pytest.approx(1 + 1.96 / math.sqrt(2 * 5000), abs=2e-4)


def test_twice_the_width_spreads_root_two_times_as_far():
    spreads = [scaling.spread(scores.pairs) for scores in random_scores(7)]
    slope = np.polyfit(np.log(WIDTHS), np.log(spreads), 1)[0]
    assert slope == pytest.approx(0.5, abs=0.02)


def test_spread_is_the_root_of_the_mean_square():
    assert scaling.spread(np.array([3.0, -4.0, 0.0, 5.0, -5.0])) == pytest.approx(math.sqrt(15))


def test_the_normal_curve_has_the_area_one_and_the_spread_that_it_is_given():
    x = np.linspace(-60, 60, 24001)
    density = scaling.normal_density(x, 7.0)
    step = x[1] - x[0]
    assert density.sum() * step == pytest.approx(1)
    assert (density * x**2).sum() * step == pytest.approx(49)
    assert density.max() == pytest.approx(1 / (7 * math.sqrt(2 * math.pi)))


@for_all("seed", SEEDS)
def test_undivided_scores_saturate_softmax_as_d_k_grows(seed):
    found = [measured(scores, 1.0) for scores in random_scores(seed)]
    assert found[0].largest < 0.3 < 0.9 < found[-1].largest
    assert found[0].entropy > 3 > 0.3 > found[-1].entropy
    assert found[0].jacobian_size > 0.25 > 0.1 > found[-1].jacobian_size
    for before, after in pairwise(found[4:]):
        assert before.entropy > after.entropy
        assert before.jacobian_size > after.jacobian_size


@for_all("seed", SEEDS)
def test_divided_by_the_root_of_d_k_softmax_stays_as_it_is_whatever_the_width(seed):
    found = [measured(s, divisor("sqrt_d_k", s.d_k)) for s in random_scores(seed)]
    for row in found:
        assert row.spread == pytest.approx(1, abs=0.13)
        assert row.largest == pytest.approx(0.25, abs=0.06)
        assert row.entropy == pytest.approx(3.4, abs=0.15)
        assert row.jacobian_size == pytest.approx(0.3, abs=0.03)


def test_divided_by_d_k_the_weights_become_even():
    scores = random_scores(7)[-1]
    found = measured(scores, divisor("d_k", scores.d_k))
    assert found.spread == pytest.approx(1 / math.sqrt(1024), rel=0.05)
    assert found.largest == pytest.approx(1 / KEYS, abs=0.005)
    assert found.entropy == pytest.approx(4, abs=0.002)


def test_divided_by_the_root_of_d_model_the_spread_hangs_on_the_number_of_heads():
    scores = random_scores(7)[6]
    for heads in (1, 2, 8, 32):
        found = measured(scores, divisor("sqrt_d_model", scores.d_k, heads))
        assert found.spread == pytest.approx(1 / math.sqrt(heads), rel=0.05)


def test_every_divisor_is_what_its_name_says():
    assert [divisor(kind, 64, heads=8) for kind in DIVISORS] == [
        1, 8, 64, pytest.approx(math.sqrt(512))
    ]  # fmt: skip


def test_what_is_measured_is_the_mean_over_the_rows():
    scores = random_scores(11)[3]
    found, rows = measured(scores, 2.0), []
    for row in scores.rows.tolist():
        exponentials = [math.exp(x / 2) for x in row]
        rows.append([e / math.fsum(exponentials) for e in exponentials])
    largest = math.fsum(max(row) for row in rows) / len(rows)
    bits = math.fsum(-p * math.log2(p) for row in rows for p in row) / len(rows)
    assert found.largest == pytest.approx(largest)
    assert found.entropy == pytest.approx(bits)
    assert found.spread == pytest.approx(scaling.spread(scores.pairs) / 2)


def test_the_remembered_scores_cannot_be_written_to():
    for scores in random_scores(7):
        for array in (scores.pairs, scores.rows):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


def test_a_seed_below_0_is_refused():
    with pytest.raises(OutOfRange, match="at least 0"):
        random_scores(-1)
