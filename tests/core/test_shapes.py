"""Shapes and costs counted from the sizes alone, held to real tensors and to the reference."""

import json
from pathlib import Path

import pytest
from claims import for_all

from core import cost
from core.errors import HeadsDoNotDivide
from core.models.standard import MOST_BYTES, MOST_WORK, STANDARD, computed
from core.shapes import (
    BEFORE,
    Shape,
    Sizes,
    attention,
    from_input,
    of_trace,
    part_that_fits,
    shared_out,
    total,
)

SHAPES = json.loads((Path(__file__).parent / "data" / "worked_examples.json").read_text("utf-8"))[
    "shapes"
]
PRIMES = [
    Sizes(2, 3, 35, 5, 7),
    Sizes(3, 5, 14, 2, 7),
    Sizes(5, 2, 33, 3, 11),
    Sizes(1, 1, 1, 1, 1),
]


def by_key(shapes):
    return {shape.key: shape for shape in shapes}


@for_all("sizes", PRIMES)
@for_all("door", BEFORE)
def test_every_counted_shape_is_that_of_the_real_tensor(door, sizes):
    real, seconds = computed(door, sizes)
    counted = from_input(door, sizes)
    if door == "sound" or (door == "image" and from_input(door, sizes)[0].key != "image"):
        counted = attention(sizes)
    assert counted == real
    assert seconds > 0


def test_images_are_computed_from_their_pixels_where_the_patches_make_a_square():
    sizes = Sizes(2, 9, 35, 5, 7)
    real, _ = computed("image", sizes)
    assert by_key(real)["image"].sizes == (2, 48, 48, 3)
    assert by_key(real)["flattened"].sizes == (2, 9, 768)
    assert from_input("image", sizes) == real


def test_a_head_may_be_narrower_than_its_share():
    sizes = Sizes(2, 3, 35, 1, 7)
    assert attention(sizes) == computed("sound", sizes)[0]


def test_the_bytes_and_multiply_adds_are_those_that_the_cost_module_foretells():
    sizes = shared_out(3, 7, 30, 5)
    spent = total(attention(sizes))
    foretold = cost.attention_cost(7, 30, 5)
    scaled = 3 * 5 * 7 * 7
    assert spent.parameters == foretold.parameters
    assert spent.multiply_adds == 3 * foretold.multiply_adds + scaled
    assert spent.bytes == cost.expected_bytes(
        batch=3, query=7, key=7, d_model=30, heads=5, d_k=6, d_v=6, itemsize=4
    )


@for_all(("ours", "theirs"), [("text", "text"), ("image", "image"), ("sound", "audio")])
def test_the_standard_sizes_have_the_shapes_of_the_reference(ours, theirs):
    expected, known = SHAPES[theirs], by_key(from_input(ours, STANDARD[ours].sizes))
    for key in "QKV":
        assert list(known[key].sizes) == expected["q_k_v"]
    for key in ("scores", "scaled", "weights"):
        assert list(known[key].sizes) == expected["scores"]
    assert list(known["head_output"].sizes) == expected["weighted"]
    assert list(known["concat"].sizes) == expected["concat"]
    assert list(known["output"].sizes) == expected.get("output", expected["concat"])


def test_the_ways_to_x_have_the_shapes_of_the_reference():
    image, sound = (by_key(from_input(name, STANDARD[name].sizes)) for name in ("image", "sound"))
    assert list(image["image"].sizes[1:]) == SHAPES["image"]["image"]
    assert image["patches"].sizes[1] == SHAPES["image"]["patches"]
    assert image["flattened"].sizes[2] == SHAPES["image"]["flat_patch"]
    frames = SHAPES["audio"]["seconds"] * 1000 // SHAPES["audio"]["hop_ms"]
    assert sound["mel"].sizes == (4, frames, SHAPES["audio"]["mel_bins"])
    samples = SHAPES["audio"]["seconds"] * SHAPES["audio"]["sample_rate"]
    assert sound["waveform"].sizes == (4, samples)


def test_the_question_of_the_learners_is_a_size_of_its_own():
    assert by_key(attention(STANDARD["question"].sizes))["weights"].sizes == (1, 8, 100, 100)


def test_twice_as_many_tokens_make_four_times_the_scores_and_twice_the_rest():
    one, two = (by_key(attention(shared_out(3, n, 30, 5))) for n in (7, 14))
    for key in ("scores", "scaled", "weights"):
        assert two[key].values == 4 * one[key].values
        assert two[key].cost.multiply_adds == 4 * one[key].cost.multiply_adds
    for key in ("X", "Q", "K", "V", "concat", "output"):
        assert two[key].values == 2 * one[key].values
    assert two["W_Q"] == one["W_Q"]


def test_more_heads_make_more_scores_and_nothing_else():
    one, five = (by_key(attention(shared_out(3, 7, 30, heads))) for heads in (1, 5))
    assert five["scores"].values == 5 * one["scores"].values
    for key in ("X", "Q", "K", "V", "head_output", "concat", "output", "W_Q", "W_O"):
        assert five[key].cost == one[key].cost


def test_projections_and_pairs_cost_the_same_at_twice_the_width():
    spent = cost.attention_cost(60, 30, 5)
    assert spent.attention == spent.projections + spent.output


def test_a_width_that_heads_do_not_divide_is_refused():
    with pytest.raises(HeadsDoNotDivide, match="d_model = 10 does not divide into h = 3 heads"):
        shared_out(2, 3, 10, 3)


def test_of_the_standard_sizes_all_is_computed_but_three_recordings():
    parts = {
        name: part_that_fits(one.door, one.sizes, MOST_BYTES, MOST_WORK)
        for name, one in STANDARD.items()
    }
    for name in ("text", "image", "question"):
        assert parts[name] == STANDARD[name].sizes
    assert parts["sound"] == Sizes(1, 1000, 512, 8, 64)


def needed(sizes):
    spent = total(from_input("sound", sizes))
    return spent.bytes + 16 * spent.parameters


def test_the_part_that_fits_is_the_largest_there_is():
    sizes = Sizes(7, 11, 35, 5, 7)
    for samples in range(1, 7):
        room = needed(Sizes(samples, 11, 35, 5, 7))
        assert part_that_fits("sound", sizes, room, 10**9).batch == samples
        assert part_that_fits("sound", sizes, room - 1, 10**9).batch == (samples - 1 or 1)
    one_head = Sizes(1, 11, 35, 1, 7)
    assert part_that_fits("sound", sizes, needed(one_head), 10**9) == one_head
    assert part_that_fits("sound", sizes, needed(one_head) - 1, 10**9) is None


def test_the_work_is_bounded_too():
    sizes = Sizes(7, 11, 35, 5, 7)
    work = total(from_input("sound", Sizes(2, 11, 35, 5, 7))).multiply_adds
    assert part_that_fits("sound", sizes, 10**9, work).batch == 2
    assert part_that_fits("sound", sizes, 10**9, work - 1).batch == 1


def test_a_shape_that_differs_in_any_number_is_another():
    shape = Shape("Q", ("query", "d_k"), (3, 5), 7)
    assert shape == Shape("Q", ("query", "d_k"), (3, 5), 7, operation="X W^Q")
    assert shape != Shape("Q", ("query", "d_k"), (5, 3), 7)
    assert shape != Shape("Q", ("query", "d_k"), (3, 5), 8)
    assert shape != Shape("Q", ("query", "d_k"), (3, 5), 7, itemsize=8)


def test_a_real_trace_is_read_as_it_is():
    from core.models.worked import D4_H2

    known = by_key(of_trace(D4_H2.trace()))
    assert known["Q"] == Shape("Q", ("batch", "head", "query", "d_k"), (1, 2, 2, 2), 4, False, 8)
    assert known["W_O"].learnt
