import html
from functools import cache
from pathlib import Path

import numpy as np
import streamlit
from claims import for_all
from PIL import ImageFont
from shown_traces import many_patches, middle, words_in_a_row

from views.figures import axis as module
from views.figures.arrange import arrange
from views.figures.plane import Side
from views.figures.step import step_of

NARROWER = 0.86  # a narrow window draws a figure no narrower than this before it scrolls
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
WORDS = """
    the transformer architecture replaced recurrence with attention because parallel computation
    suits modern hardware and every token can reach any other one in a single layer although
    memory grows quadratically so researchers have proposed sparse approximations which restrict
    neighbourhoods or compress representations while careful benchmarks demonstrate that exact
    kernels remain surprisingly competitive for sequences of moderate length
"""


@cache
def font():
    """The very font in which Streamlit shows a figure, at the size of a label."""
    folder = Path(streamlit.__file__).parent / "static"
    (path,) = folder.rglob("SourceSansVF-Upright*.woff2")
    found = ImageFont.truetype(str(path), 13)
    found.set_variation_by_axes([400])
    return found


def side(*names, kinds=""):
    return Side("key", names, True, kinds)


def across(*names, cell=100.0, kinds=""):
    return module.axis(side(*names, kinds=kinds), (0.2, 0.7), "y3", "light", cell, vertical=False)


def down(*names, cell=30.0):
    return module.axis(side(*names), (0, 1), "x3", "light", cell, vertical=True)


def assert_apart(axis, length):
    """No shown name touches the next; length: of the axis in pixels, as drawn."""
    names = [html.unescape(text) for text in axis["ticktext"]]
    positions = axis["tickvals"]
    cell = length * (axis["domain"][1] - axis["domain"][0]) / abs(np.diff(axis["range"]).item())
    _, top, _, bottom = font().getbbox("dfhkltgjpqy", anchor="ls")
    for here, there, name, following in zip(
        positions, positions[1:], names, names[1:], strict=False
    ):
        apart = (there - here) * cell
        if "side" not in axis:
            assert apart >= bottom - top
        elif axis["tickangle"] == 0:
            assert apart > (font().getlength(name) + font().getlength(following)) / 2
        else:
            assert axis["tickangle"] == -60
            assert apart * 3**0.5 / 2 > bottom - top - 1  # as lines of text, measured slantwise


def sides(trace, key):
    """The axis across and the axis down of each plane of a step, with their lengths in pixels."""
    for box in arrange(step_of(trace, key, middle(trace, key))):
        rows, columns = box.plane.values.shape
        width, whole = box.width * NARROWER, (0, 1)
        x = module.axis(box.plane.columns, whole, "y", "light", width / columns, vertical=False)
        y = module.axis(box.plane.rows, whole, "x", "light", box.height / rows, vertical=True)
        yield (x, width), (y, box.height)


@for_all("size", [10, 16, 24, 25, 33, 48, 64])
@for_all("key", ["Q", "scores", "scaled", "masked", "weights", "head_output"])
def test_no_two_word_labels_overlap(size, key):
    for x, y in sides(words_in_a_row(tuple((WORDS * 2).split()[:size])), key):
        assert_apart(*x)
        assert_apart(*y)


@for_all("key", ["scores", "weights", "X"])
def test_no_two_patch_labels_overlap(key):
    for x, y in sides(many_patches(), key):
        assert_apart(*x)
        assert_apart(*y)
        assert x[0]["tickangle"] == 0


@for_all("cell", [1.0, 2.2, 4.7, 11.0, 23.0, 41.0])
@for_all("first", ["cls", "patch"])
def test_the_labels_of_197_patches_stay_upright_and_do_not_overlap(first, cell):
    names = ("[CLS]", *(str(number) for number in range(1, 197)))
    kinds = (first, *["patch"] * 196)
    shown = across(*names, cell=cell, kinds=kinds) | {"domain": (0, 1)}
    assert shown["tickangle"] == 0
    assert_apart(shown, cell * 197)
    assert len(shown["tickvals"]) > 1


@for_all("size", [1, 7, 24, 49, 196, 1000])
@for_all("cell", [0.6, 3.0, 16.0, 30.0, 90.0])
def test_labels_are_thinned_evenly_from_the_first_on(size, cell):
    names = [f"token{i}" for i in range(size)]
    for shown in (across(*names, cell=cell), down(*names, cell=cell)):
        positions = shown["tickvals"]
        assert positions[0] == 1
        steps = set(np.diff(positions).tolist())
        assert len(steps) == 1 or len(positions) == 1
        assert steps <= set(STEPS)
        assert all(positions[-1] + step > size for step in steps)
        assert shown["ticktext"] == [f"token{position - 1}" for position in positions]


def test_only_column_labels_that_would_overlap_are_slanted():
    assert across("attention", "is", "all", cell=90.0)["tickangle"] == 0
    assert across("attention", "is", "all", cell=40.0)["tickangle"] == -60
    assert across("attention", "is", "all", cell=40.0)["tickvals"] == [1, 2, 3]
    assert "tickangle" not in down("attention", "is", "all", cell=40.0)
    unnamed = Side("d_k", tuple(str(i + 1) for i in range(512)), False)
    shown = module.axis(unnamed, (0, 1), "y", "light", 1.0, vertical=False)
    assert shown["tickangle"] == 0


def test_tokens_are_escaped():
    assert across("<b>x</b>", "&amp;", '"')["ticktext"] == [
        "&lt;b&gt;x&lt;/b&gt;", "&amp;amp;", "&quot;"
    ]  # fmt: skip


def test_a_long_label_is_shortened_before_it_is_escaped():
    assert across("<" * 12)["ticktext"] == ["&lt;" * 12]
    assert across("<" * 13)["ticktext"] == ["&lt;" * 11 + "…"]
