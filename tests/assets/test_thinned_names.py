"""Which rows and columns are named where there is no room for all."""

from itertools import pairwise

from in_node import evaluate


def thinned(*asked: tuple[int, int, int, list[int]]) -> list[list[int]]:
    """The named indices. asked: the first, the end, the width of a name in cells, the bold ones."""
    body = "return given.map((one) => labels.thinned(...one));"
    return evaluate(["microscope/figure/labels.js"], body, asked)


def test_a_bold_name_is_always_there_and_no_other_is_nearer_than_a_step():
    for first, last, step, bold in ((0, 50, 10, [23]), (7, 60, 5, [58, 9]), (0, 4, 1, [2])):
        (named,) = thinned((first, last, step, bold))
        assert set(bold) <= set(named)
        ordered = sorted(named)
        assert all(b - a >= step for a, b in pairwise(ordered))
        assert len(named) >= (last - first) // step - 1


def test_a_name_beside_a_bold_one_goes_only_where_they_would_overlap():
    assert thinned((0, 160, 30, [130])) == [[130, 0, 50, 100]]
    assert thinned((0, 160, 30, [129])) == [[129, 0, 50]]


def test_of_two_bold_names_without_room_for_both_the_first_stays():
    assert thinned((0, 30, 10, [12, 15])) == [[12, 0]]


def test_a_bold_name_out_of_sight_is_left_out():
    assert thinned((10, 14, 1, [3, 99])) == [[10, 11, 12, 13]]
