import numpy as np
import pytest

from core import masks
from core.errors import ShapeMismatch


def as_text(mask):
    return ["".join("x" if cell else "." for cell in row) for row in mask]


@pytest.mark.parametrize(
    ("query", "key", "expected"),
    [
        (3, 3, ["x..", "xx.", "xxx"]),
        (2, 5, ["x....", "xx..."]),
        (5, 2, ["x.", "xx", "xx", "xx", "xx"]),
    ],
)
def test_causal_lets_a_query_see_itself_and_what_came_before(query, key, expected):
    assert as_text(masks.causal(query, key)) == expected


def test_a_window_lets_a_query_see_its_neighbours():
    assert as_text(masks.window(4, 6, before=1, after=2)) == [
        "xxx...",
        "xxxx..",
        ".xxxx.",
        "..xxxx",
    ]


def test_padding_shows_as_many_keys_as_each_sample_has():
    assert as_text(masks.padding([3, 0, 5], 5)) == ["xxx..", ".....", "xxxxx"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), (1, 1, 1, 1)),
        ((7,), (1, 1, 1, 7)),
        ((5, 7), (1, 1, 5, 7)),
        ((5, 1), (1, 1, 5, 1)),
        ((3, 1, 7), (1, 3, 1, 7)),
        ((2, 3, 5, 7), (2, 3, 5, 7)),
    ],
)
def test_a_mask_is_given_the_axes_that_it_lacks_in_front(given, expected):
    mask = np.arange(np.prod(given, dtype=int)).reshape(given)
    aligned = masks.aligned("allowed", mask, (2, 3, 5, 7))
    assert aligned.shape == expected
    assert np.array_equal(aligned.ravel(), mask.ravel())


@pytest.mark.parametrize("given", [(5,), (7, 5), (2, 5, 7), (0,), (1, 2, 3, 5, 7)])
def test_a_mask_that_does_not_broadcast_is_refused(given):
    with pytest.raises(ShapeMismatch, match=r"allowed should be broadcastable to \(2, 3, 5, 7\)"):
        masks.aligned("allowed", np.ones(given, dtype=bool), (2, 3, 5, 7))
