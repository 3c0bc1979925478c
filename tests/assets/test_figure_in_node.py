"""The figure in Node: which names of rows and columns are drawn, and covered hidden tokens."""

from itertools import pairwise

import numpy as np
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


HIDDEN_TOKENS = ["microscope/figure/hidden_tokens.js"]
COVERED = """
  const rectangles = [], pen = { fillRect: (...rectangle) => rectangles.push(rectangle) };
  hidden_tokens.coverHidden(pen, given.hidden, given.of, given.picture, { card: "white" });
  return { rectangles, ground: pen.fillStyle };
"""


def test_the_veil_of_a_small_picture_has_the_share_that_its_tokens_have():
    """Of 48 × 48 pixels one token of 5 has 9.6 rows and columns, one of 485 a tenth of one."""
    for hidden, tokens in ((4, 5), (0, 485)):
        picture = {"width": 48, "height": 48}
        asked = {"hidden": [hidden], "of": [tokens, tokens], "picture": picture}
        found = evaluate(HIDDEN_TOKENS, COVERED, asked)
        begin, share = hidden * 48 / tokens, 48 / tokens
        expected = [[0, begin, 48, share], [begin, 0, share, 48]]
        np.testing.assert_allclose(found["rectangles"], expected, rtol=1e-12)
        assert found["ground"] == "white"
