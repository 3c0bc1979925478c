import pytest

from core.margin import margin_of_error, wilson


def test_the_interval_ends_where_the_share_lies_196_deviations_away():
    for share, count in ((0.9955, 2000), (0.97867, 3000), (0.5, 10)):
        ends = wilson(share, count)
        for end in ends:
            deviation = (end * (1 - end) / count) ** 0.5
            assert abs(end - share) / deviation == pytest.approx(1.96, abs=1e-3)
        assert margin_of_error(share, count) == max(abs(end - share) for end in ends)
