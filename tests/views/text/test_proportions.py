import math

import pytest

from views.text import numbers, proportions


def test_a_share_of_cases_gives_back_the_count():
    for right, cases in ((1991, 2000), (2936, 3000), (3, 3), (0, 7)):
        assert proportions.count_of(right / cases, cases) == numbers.count(right)


def test_an_interval_and_the_largest_margin_are_those_of_wilson():
    # By hand: 2 of 4 at z = 1.959964 is 0.5 ± 1.959964 / (1 + z²/4) · √(1/16 + z²/64)
    z = 1.959964
    half = z / (1 + z * z / 4) * math.sqrt(1 / 16 + z * z / 64)
    low, high = (f"{100 * (0.5 + sign * half):.1f}" for sign in (-1, 1))
    assert proportions.confidence_interval(0.5, 4) == f"{low}–{high}\N{NO-BREAK SPACE}%"
    assert proportions.margin_of_error((0.5,), 4) == f"{math.ceil(1000 * half) / 10:.1f}"
    assert proportions.margin_of_error((0.5, 1.0), 40) == proportions.margin_of_error((0.5,), 40)


def test_the_interval_ends_where_the_share_lies_196_deviations_away():
    for share, count in ((0.9955, 2000), (0.97867, 3000), (0.5, 10)):
        for end in proportions.wilson(share, count):
            deviation = (end * (1 - end) / count) ** 0.5
            assert abs(end - share) / deviation == pytest.approx(1.96, abs=1e-3)
