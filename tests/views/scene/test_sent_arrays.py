"""Which numbers are sent of a large trace, and in what form."""

import numpy as np
import pytest
from browser import Browser
from claims import for_all
from shown_traces import HEADS, many_patches, picture, sentence, wide_patches

from core import Axis, Stage, Trace, Weights, multi_head_attention, scaled_dot_product_attention
from core.options import AttentionOptions
from core.rules import Given
from core.sources import image, text
from views.figures.scale import scale_of
from views.scene import arrays
from views.scene.scene import scene
from views.text import LANGUAGES


def given_stage(tensor):
    axes = (Axis("batch", "B"), Axis("token", "n"), Axis("d_model", "d"))
    return Trace([Stage("X", "X", tensor, axes, Given("input"))])


def attended(queries, keys, **options):
    """One head of width 3 over random numbers."""
    random = np.random.default_rng(4)
    Q, K = random.normal(size=(1, 1, queries, 3)), random.normal(size=(1, 1, keys, 3))
    return scaled_dot_product_attention(Q, K, K, AttentionOptions(**options))


def pixels(levels, side):
    """A picture whose pixels are so many levels of 255, as photographs are."""
    random = np.random.default_rng(6).integers(0, levels, (1, side, side, 3))
    random.flat[:levels] = np.arange(levels)
    return (random / 127.5 - 1).astype(np.float32)


def test_float64_is_sent_up_to_16384_numbers_and_rounded_to_float32_beyond():
    numbers = np.random.default_rng(3).normal(size=(1, 129, 128))
    sent = arrays.sent(given_stage(numbers[:, :128]), ["X"], 0, None)["X"]
    np.testing.assert_array_equal(sent.array, numbers[:, :128], strict=True)
    rounded = arrays.sent(given_stage(numbers), ["X"], 0, None)["X"]
    np.testing.assert_array_equal(rounded.array, numbers.astype(np.float32), strict=True)


def test_stored_weights_that_half_precision_holds_go_in_two_bytes_a_number():
    numbers = np.random.default_rng(3).normal(size=(1, 129, 128)).astype(np.float16)
    trace = given_stage(numbers.astype(np.float32))
    sent = arrays.sent(trace, ["X"], 0, None)["X"].array
    np.testing.assert_array_equal(sent, numbers, strict=True)
    assert arrays.num_bytes(trace, ["X"]) == numbers.nbytes
    for one in (
        1e-9,
        1e6,
        1 + 2**-12,
    ):  # what float16 does not hold: too small, too large, too fine
        numbers_of = numbers.astype(np.float32)
        numbers_of[0, 5, 7] = one
        sent = arrays.sent(given_stage(numbers_of), ["X"], 0, None)["X"].array
        np.testing.assert_array_equal(sent, numbers_of, strict=True)


def test_a_large_mask_takes_the_bytes_of_its_queries_and_keys():
    trace = attended(300, 400, causal=True)
    assert arrays.num_bytes(trace, ["causal"]) == 4 * (300 + 400)


def test_a_photograph_of_256_levels_goes_as_a_byte_a_number_and_a_table():
    photo = pixels(256, 40)
    trace = image.embed(photo, 8, 4, seed=1)
    found = arrays.sent(trace, trace, 0, None)["image"]
    assert (found.form, found.array.dtype, found.table.size) == ("table", np.uint8, 256)
    np.testing.assert_array_equal(found.table[found.array], photo, strict=True)


@pytest.mark.parametrize(("levels", "side"), [(257, 40), (256, 36)])
def test_numbers_of_more_than_256_levels_and_few_numbers_go_as_they_are(levels, side):
    """36 × 36 × 3 = 3888 numbers are few."""
    photo = pixels(levels, side)
    found = arrays.sent(image.embed(photo, 4, 4, seed=1), ["image"], 0, None)["image"]
    assert (found.form, found.table) == ("numbers", None)
    np.testing.assert_array_equal(found.array, photo, strict=True)


def test_flags_go_as_bytes_and_whole_numbers_as_int32():
    found = arrays.sent(sentence(), sentence(), 1, None)
    assert found["tokens"].array.dtype == np.int32
    assert found["tokens"].array.tolist() == sentence()["tokens"].tensor[1:].tolist()
    for key in ("key_mask", "causal", "allowed", "keep"):
        assert found[key].array.dtype == np.uint8
        assert set(np.unique(found[key].array)) <= {0, 1}


LARGE = {"queries": 257, "keys": 256}


def test_a_plane_of_128_by_128_goes_as_numbers_and_of_a_larger_one_what_it_is_made_of():
    options = {"causal": True, "window": (9, 0), "sink_tokens": 2, "alibi": np.array([0.5])}
    small = arrays.sent(trace := attended(128, 128, **options), trace, 0, 0)
    assert all(piece.form == "numbers" for piece in small.values())
    assert {"scores", "weights"} <= small.keys()
    assert arrays.logsumexps(trace, trace, 0, 0) == {}
    large = attended(**LARGE, **options)
    found = arrays.sent(large, large, 0, 0)
    forms = {"causal": "runs", "sliding_window": "runs", "distance": "diagonals"}
    numbers = dict.fromkeys(("Q", "K", "V", "slopes", "head_output"), "numbers")
    assert {key: piece.form for key, piece in found.items()} == forms | numbers
    browser = Browser(scene(large, "weights", 0, 0, (), LANGUAGES["en"]))
    for key in forms:
        np.testing.assert_array_equal(browser.stage(key), large[key].tensor)
    (sums,) = arrays.logsumexps(large, large, 0, 0).values()
    exponentials = np.exp(large["masked"].tensor[0])
    np.testing.assert_allclose(sums, np.log(exponentials.sum(axis=-1)), rtol=1e-12)


def test_x_is_sent_to_attention_as_numbers_however_large_it_is():
    """X is 300 × 256. Attention reads it; its sources are sent only with the stages up to X."""
    words = tuple(f"w{i}" for i in range(300))
    trace = multi_head_attention(text.embed((words,), 256, seed=3), Weights.seeded(256, 2, 1))
    read = arrays.sent(trace, arrays.group_of(trace, "Q"), 0, 0)["X"]
    assert read.form == "numbers"
    np.testing.assert_array_equal(read.array, trace["X"].tensor.astype(np.float32), strict=True)
    made = arrays.sent(trace, arrays.group_of(trace, "X"), 0, 0)
    assert "X" not in made
    assert made["E"].form == made["position"].form == "numbers"


def test_of_a_large_trace_the_chosen_head_goes_and_what_joins_all_heads():
    found = arrays.sent(many_patches(), arrays.group_of(many_patches(), "scores"), 0, 2)
    heads = {
        key: piece.array.shape[many_patches()[key].roles.index("head")]
        for key, piece in found.items()
        if "head" in many_patches()[key].roles
    }
    one = dict.fromkeys(("W_Q", "W_K", "W_V", "Q", "K", "V"), 1)
    assert heads == one | {"W_O": 4, "head_output": 4}
    for key, piece in found.items():
        begins = dict(zip(many_patches()[key].roles, piece.begins, strict=True))
        assert begins.get("head") == (None if key not in heads else 2 if key in one else 0)
        assert not any(index for role, index in begins.items() if role != "head")


FRONT = {"image", "patches", "flattened", "W_E", "embedding", "cls", "sequence", "position", "X"}


@for_all("key", picture())
def test_the_stages_up_to_x_and_those_after_it_are_sent_separately(key):
    expected = FRONT if key in FRONT else set(picture()) - FRONT
    found = arrays.group_of(picture(), key)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_of_wide_heads_projections_one_head_and_what_joins_all_go_separately():
    """The weights go with each, for the other parts of a page that show them."""
    _, of_head, projections, joined = map(set, arrays.groups(wide_patches()))
    looks = {"scores", "scaled", "weights"}
    assert of_head == looks | {"head_output"}
    assert projections == looks | {"W_Q", "W_K", "W_V", "Q", "K", "V"}
    assert joined == looks | {"W_O", "concat", "output", "residual", "normalised"}
    for key in looks:
        assert set(arrays.group_of(wide_patches(), key)) == of_head
    sent = arrays.sent(wide_patches(), arrays.group_of(wide_patches(), "weights"), 0, 2)
    assert {*sent} == {"Q", "K", "V", "scores", "weights", "head_output"}
    assert all(piece.array.shape[1] == 1 for piece in sent.values())


def test_wide_heads_weigh_a_quarter_of_all_that_is_computed_of_one():
    blob = scene(wide_patches(), "weights", 0, 2, ("X", "weights"), LANGUAGES["zh"])
    assert 250_000 < len(blob) < 400_000


# The thumbnails of all heads.
HEADED = [key for key, stage in sentence().items() if "head" in stage.roles]


def self_attention(tokens, heads=3, **options):
    x = np.random.default_rng(1).normal(size=(1, heads, tokens, 4))
    return scaled_dot_product_attention(x, x, x, AttentionOptions(**options))


@for_all("key", HEADED)
@for_all("sample", [0, 1])
def test_a_small_plane_is_its_own_picture_on_the_scale_of_its_step(key, sample):
    found = arrays.thumbnails(sentence(), key, sample)
    stage, scale = sentence()[key], scale_of(sentence(), key)
    values = stage.tensor[sample] if "batch" in stage.roles else stage.tensor
    values = values.reshape(HEADS, -1, values.shape[-1])  # a bias is a single row
    assert found.dtype == np.uint8
    assert found.shape == values.shape
    is_masked = np.isneginf(sentence()["masked"].tensor[sample])
    for index, value in np.ndenumerate(values):
        if not np.isfinite(value) or (key in ("weights", "dropped") and is_masked[index]):
            assert found[index] == 0
            continue
        assert found[index] == max(1, scale.positions(np.array([value]))[0])


def test_a_mask_of_heads_is_one_cell_a_head():
    values = np.random.default_rng(2).normal(size=(1, 3, 5, 4))
    masks = AttentionOptions(head_mask=np.array([True, False, True]))
    trace = scaled_dot_product_attention(values, values, values, masks)
    assert arrays.thumbnails(trace, "head_mask", 0).shape == (3, 1, 1)


@for_all("key", [k for k in many_patches() if many_patches()[k].size("head") > 1])
def test_none_is_larger_than_48_by_48(key):
    heads, rows, columns = arrays.thumbnails(many_patches(), key, 0).shape
    assert heads == many_patches()["Q"].size("head")
    assert max(rows, columns) <= 48


def test_a_large_plane_is_averaged_and_no_cell_is_lost():
    """Of 96 × 96 each cell of the picture is four."""
    trace = self_attention(96)
    found = arrays.thumbnails(trace, "scores", 0)
    scale, scores = scale_of(trace, "scores"), trace["scores"].tensor[0]
    levels = np.maximum(np.round((scores - scale.low) / (scale.high - scale.low) * 255), 1)
    means = levels.reshape(3, 48, 2, 48, 2).mean(axis=(2, 4))
    np.testing.assert_allclose(found, means, atol=1)  # Pillow rounds twice
