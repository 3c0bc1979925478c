"""Every stage from an image to X, recomputed here by plain loops over named sizes."""

import math
from itertools import product

import numpy as np
import pytest
from claims import for_all
from refuses import refuses
from rules_as_text import through_json

from core import Weights, explain
from core.sources.image import embed, grid, patchify, unpatchify
from core.sources.picture import values

BATCH, PATCH, ROWS, COLUMNS, CHANNELS, D_MODEL, SEED = 2, 5, 2, 3, 3, 7, 13
HEIGHT, WIDTH = ROWS * PATCH, COLUMNS * PATCH
COUNT, PIXELS = ROWS * COLUMNS, PATCH * PATCH * CHANNELS


def pictures(dtype=np.float32, channels=CHANNELS):
    random = np.random.default_rng(3)
    pixels = random.integers(0, 256, (BATCH, HEIGHT, WIDTH, channels), dtype=np.uint8)
    return values(pixels).astype(dtype)


class PlainLoops:
    """Each stage's cells by whole numbers and sums alone, from the given stages."""

    def __init__(self, images, trace):
        self.images, self.trace = images, trace
        self.cls_first = "cls" in trace

    def given(self, key, *index):
        return float(self.trace[key].tensor[index])

    def image(self, b, y, x, c):
        return float(self.images[b, y, x, c])

    def patches(self, b, n, row, column, c):
        above, beside = divmod(n, COLUMNS)
        return self.image(b, above * PATCH + row, beside * PATCH + column, c)

    def flattened(self, b, n, pixel):
        indices = product(range(PATCH), range(PATCH), range(self.images.shape[3]))
        row, column, c = list(indices)[pixel]
        return self.patches(b, n, row, column, c)

    def embedding(self, b, n, d):
        pixels = self.trace["W_E"].tensor.shape[0]
        return math.fsum(self.flattened(b, n, p) * self.given("W_E", p, d) for p in range(pixels))

    def sequence(self, b, t, d):
        if not self.cls_first:
            return self.embedding(b, t, d)
        return self.given("cls", d) if t == 0 else self.embedding(b, t - 1, d)

    def X(self, b, t, d):
        added = 0.0
        if "position" in self.trace:
            angle = t / 10000 ** (2 * (d // 2) / D_MODEL)
            added = math.cos(angle) if d % 2 else math.sin(angle)
        return self.sequence(b, t, d) + added


@for_all(("dtype", "rtol"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@for_all("cls", [True, False])
@for_all("position", [True, False])
def test_every_cell_is_what_its_rule_and_plain_loops_make_it(cls, position, dtype, rtol):
    images = pictures(dtype)
    trace = through_json(embed(images, PATCH, D_MODEL, SEED, cls=cls, position=position))
    loops = PlainLoops(images, trace)
    for key, stage in trace.items():
        assert stage.tensor.dtype == dtype, key
        # Every index of every axis, though not every combination where there are many.
        indices = list(np.ndindex(stage.tensor.shape))
        for index in [*indices[:: len(indices) // 40 + 1], indices[-1]]:
            cell = explain(trace, key, index)
            assert cell.value == stage.tensor[index]
            assert cell.made_by.value == pytest.approx(cell.value, rel=rtol, abs=rtol)
            if hasattr(loops, key):
                expected = getattr(loops, key)(*index)
                assert cell.value == pytest.approx(expected, rel=rtol, abs=rtol), (key, index)


def test_every_axis_has_its_role_and_its_size():
    trace = embed(pictures(), PATCH, D_MODEL, SEED)
    batch, d_model = ("batch", BATCH), ("d_model", D_MODEL)
    patch, token = ("patch", COUNT), ("token", COUNT + 1)
    expected = {
        "image": [batch, ("height", HEIGHT), ("width", WIDTH), ("channel", CHANNELS)],
        "patches": [batch, patch, ("row", PATCH), ("column", PATCH), ("channel", CHANNELS)],
        "flattened": [batch, patch, ("pixel", PIXELS)],
        "W_E": [("pixel", PIXELS), d_model],
        "embedding": [batch, patch, d_model],
        "cls": [d_model],
        "sequence": [batch, token, d_model],
        "position": [token, d_model],
        "X": [batch, token, d_model],
    }
    for key, named in expected.items():
        assert list(zip(trace[key].roles, trace[key].tensor.shape, strict=True)) == named
    symbols = [[axis.symbol for axis in trace[key].axes] for key in ("patches", "flattened")]
    assert symbols == [["B", "N", "P", "P", "C"], ["B", "N", r"P^2 C"]]


def test_patches_are_numbered_row_by_row_behind_cls():
    numbers = ("1", "2", "3", "4", "5", "6")
    trace = embed(pictures(), PATCH, D_MODEL, SEED)
    for key in ("patches", "flattened", "embedding"):
        assert trace[key].axis("patch").labels == numbers
    for key in ("sequence", "position", "X"):
        assert trace[key].axis("token").labels == ("[CLS]", *numbers)
    plain = embed(pictures(), PATCH, D_MODEL, SEED, cls=False)
    assert plain["X"].axis("token").labels == plain["position"].axis("token").labels == numbers


def test_channels_have_names_where_there_are_three():
    coloured = embed(pictures(), PATCH, D_MODEL, SEED)
    assert coloured["image"].axis("channel").labels == ("R", "G", "B")
    pixel = coloured["flattened"].axis("pixel")
    assert pixel.labels == coloured["W_E"].axis("pixel").labels
    # Row 2, column 4, green: pixel (1 · 5 + 3) · 3 + 1.
    assert pixel.label(25) == "2·4·G"
    grey = embed(pictures(channels=2), PATCH, D_MODEL, SEED)
    assert grey["patches"].axis("channel").labels is None
    assert grey["flattened"].axis("pixel").label(2 * PATCH + 1) == "2·1·2"


def test_the_parameters_follow_from_the_seed_and_keep_to_xaviers_bounds():
    one, same, other = (embed(pictures(), PATCH, D_MODEL, seed) for seed in (1, 1, 2))
    for key, rows in (("W_E", PIXELS), ("cls", 1)):
        tensor, limit = one[key].tensor, math.sqrt(6 / (rows + D_MODEL))
        np.testing.assert_array_equal(tensor, same[key].tensor)
        assert not np.array_equal(tensor, other[key].tensor)
        assert 0.7 * limit < np.abs(tensor).max() <= limit
        assert tensor.min() < 0 < tensor.max()
    np.testing.assert_array_equal(
        embed(pictures(), PATCH, D_MODEL, 1, cls=False)["W_E"].tensor, one["W_E"].tensor
    )


def test_the_projection_is_no_copy_of_attentions_own_matrices():
    # 75 numbers a patch, and 75 a token: W_E and W_Q have the same shape and the same seed.
    trace = embed(pictures(), PATCH, PIXELS, SEED)
    weights = Weights.seeded(PIXELS, 5, SEED)
    for W in (weights.W_Q, weights.W_K, weights.W_V):
        assert abs(np.corrcoef(W.ravel(), trace["W_E"].tensor.ravel())[0, 1]) < 0.1


@for_all("dtype", [np.uint8, np.float32])
@for_all("patch", [1, 5])
def test_images_come_back_from_their_patches_exactly(dtype, patch):
    images = np.random.default_rng(5).integers(0, 256, (2, 10, 35, 3)).astype(dtype)
    patches = patchify(images, patch)
    rows, columns = grid(10, 35, patch)
    assert patches.shape == (2, rows * columns, patch, patch, 3)
    back = unpatchify(patches, columns)
    assert back.dtype == dtype
    np.testing.assert_array_equal(back, images)


@for_all(("height", "width", "patch", "size"), [(10, 35, 7, 10), (35, 10, 7, 10), (3, 3, 5, 3)])
def test_patches_that_do_not_divide_a_side_are_refused_with_that_side(height, width, patch, size):
    with refuses("patches_do_not_fit", size=size, patch=patch):
        grid(height, width, patch)
    with refuses("patches_do_not_fit"):
        embed(np.zeros((1, height, width, 3)), patch, D_MODEL, SEED)


@for_all(
    ("name", "patch", "d_model", "seed"),
    [("patch", 0, 7, 1), ("patch", -5, 7, 1), ("d_model", 5, 0, 1), ("seed", 5, 7, -1)],
)
def test_sizes_below_their_least_are_refused(name, patch, d_model, seed):
    with refuses("out_of_range", name=name):
        embed(pictures(), patch, d_model, seed)


@for_all("shape", [(10, 15, 3), (0, 10, 15, 3), (1, 10, 15, 0), (1, 1, 10, 15, 3)])
def test_images_of_another_shape_are_refused(shape):
    with refuses("shape_mismatch", name="images"):
        embed(np.zeros(shape), PATCH, D_MODEL, SEED)


@for_all(
    ("shape", "columns", "refusal"),
    [
        ((1, 6, 5, 5, 3), 4, "out_of_range"),
        ((1, 6, 5, 5, 3), 0, "out_of_range"),
        ((1, 6, 5, 4, 3), 2, "shape_mismatch"),
        ((6, 5, 5, 3), 2, "shape_mismatch"),
    ],
)
def test_patches_that_do_not_make_an_image_are_refused(shape, columns, refusal):
    with refuses(refusal):
        unpatchify(np.zeros(shape), columns)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused(value):
    images = pictures()
    images[1, 2, 3, 1] = value
    with refuses("not_finite", name="images"):
        embed(images, PATCH, D_MODEL, SEED)


def test_a_projection_that_overflows_is_refused():
    with refuses("not_finite", name="embedding"):
        embed(np.full((1, 5, 5, 3), 3e38, dtype=np.float32), PATCH, D_MODEL, SEED)


def test_the_given_images_are_not_modified_or_referenced():
    images = pictures()
    trace = embed(images, PATCH, D_MODEL, SEED)
    before = trace["image"].tensor.copy()
    images[:] = 0
    np.testing.assert_array_equal(trace["image"].tensor, before)


def test_whole_numbers_are_computed_in_float64():
    assert embed(np.ones((1, 5, 5, 3), dtype=np.uint8), PATCH, 7, 1)["X"].tensor.dtype == np.float64
