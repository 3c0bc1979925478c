import numpy as np
import pytest
from claims import for_all
from shown_traces import STAGES, TRACES, middle, words_in_a_row

from core import Weights, multi_head_attention
from core.options import AttentionOptions
from core.sources import text
from views.figures.arrange import PHONE_PORTRAIT, arrange
from views.figures.plane import Plane, Side
from views.figures.step import Step, step_of

DESIGNED = 760  # px, the width at which a figure is laid out
FOR_THE_BAR = 70


def boxes(trace, key):
    return arrange(step_of(trace, key, middle(trace, key)))


def plane(rows, columns):
    sides = (Side("", tuple(map(str, range(n))), False) for n in (rows, columns))
    return Plane("Z", np.zeros((rows, columns)), *sides)


def beside(*shapes):
    *operands, result = (plane(*shape) for shape in shapes)
    return arrange(Step("beside", tuple(operands), result))


def assert_in_order(found):
    """Each plane is wide enough to be visible, and all of them are no wider than the figure.

    Where there is no room for that, all are alike: none is wider at the cost of another.
    That none lies on another is claimed of every drawing: scene/test_drawings.py.
    """
    for box in found:
        columns = box.plane.values.shape[1]
        widest = max(other.width for other in found)
        assert box.width >= min(105, 64 * columns, widest) - 1e-9
        assert box.width <= 64 * columns + 1e-9
        assert box.x + box.width <= DESIGNED - FOR_THE_BAR + 1e-9


@for_all(("name", "key"), STAGES)
def test_every_plane_is_wide_enough_to_be_visible_and_inside_the_figure(name, key):
    assert_in_order(boxes(TRACES[name](), key))


@pytest.mark.parametrize(
    "words", ["the cat sat on a mat", "Neural networks transform communication"]
)
def test_every_plane_of_two_masked_sentences_is_inside_the_figure(words):
    source = text.embed((tuple(words.split()), ("I", "agree")), 16, seed=3)
    trace = multi_head_attention(
        source, Weights.seeded(16, 2, 1), AttentionOptions(causal=True, dropout=0.1)
    )
    for key in trace:
        assert_in_order(boxes(trace, key))


def test_a_narrow_plane_gets_its_minimum_width_from_the_widest():
    """760 − 70 − 34 = 656 px for 300 + 10 columns would leave the narrow one 21 px."""
    wide, narrow = beside((400, 300), (400, 10))
    assert (wide.width, narrow.width) == (pytest.approx(656 - 105), 105)
    one, result = beside((400, 300), (400, 1))
    assert (one.width, result.width) == (pytest.approx(656 - 64), 64)


def test_slanted_labels_have_room_above_their_plane():
    words = words_in_a_row(tuple(f"international{i}" for i in range(30)))
    numbered = words_in_a_row(tuple(str(i) for i in range(30)))
    assert boxes(words, "weights")[0].y - boxes(numbered, "weights")[0].y > 50


def test_cells_of_two_sentences_have_room_for_their_numbers_on_a_phone():
    """A card of a phone has 336 px for a figure of 380, and five characters take 30."""
    asks, answers = (
        text.embed((words,), 8, seed=7)
        for words in (("I", "love", "Beijing"), ("我", "爱", "北京", "天安门"))
    )
    trace = multi_head_attention(asks, Weights.seeded(8, 2, 7), memory=answers["X"])
    for key in ("scores", "head_output"):
        for box in arrange(step_of(trace, key, middle(trace, key)), PHONE_PORTRAIT):
            assert box.width / box.plane.values.shape[1] * 336 / 380 >= 30, key
            assert box.x + box.width <= 380
