from itertools import product

import numpy as np
import pytest
from attention_inputs import D_K, D_MEMORY, D_MODEL, D_V, HEADS, biased_weights, numbers
from claims import for_all
from refuses import refuses

from core import HeadWeights, Weights

MATRICES = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")


def fields(**changed):
    weights = biased_weights(D_MEMORY)
    return {name: getattr(weights, name) for name in MATRICES} | {"heads": HEADS} | changed


def test_head_i_has_the_columns_from_i_d_k_on_and_the_rows_of_W_O():
    weights = Weights(**fields())
    for i in range(HEADS):
        head = weights.head(i)
        for name, width in (("Q", D_K), ("K", D_K), ("V", D_V)):
            own = [i * width + k for k in range(width)]
            W, b = getattr(weights, f"W_{name}"), getattr(weights, f"b_{name}")
            assert np.array_equal(getattr(head, f"W_{name}"), W[:, own])
            assert np.array_equal(getattr(head, f"b_{name}"), b[own])
        assert np.array_equal(head.W_O, weights.W_O[[i * D_V + v for v in range(D_V)]])


def test_heads_of_a_group_share_keys_and_values():
    W_Q, W_K, W_V = numbers(5, 12, seed=1), numbers(5, 4, seed=2), numbers(5, 6, seed=3)
    weights = Weights(W_Q, W_K, W_V, None, 6, b_V=W_V[0], kv_heads=2)
    for i in range(6):
        own = slice(0, 3) if i < 3 else slice(3, 6)
        assert np.array_equal(weights.head(i).W_V, W_V[:, own])
        assert np.array_equal(weights.head(i).b_V, W_V[0, own])
        assert np.array_equal(weights.head(i).W_K, W_K[:, :2] if i < 3 else W_K[:, 2:])


def test_packing_the_heads_gives_the_same_matrices():
    weights = Weights(**fields())
    again = Weights.from_heads([weights.head(i) for i in range(HEADS)], b_O=weights.b_O)
    assert again.heads == HEADS
    for name in MATRICES:
        assert np.array_equal(getattr(again, name), getattr(weights, name)), name


def test_packing_heads_without_W_O_or_biases_gives_none():
    head = HeadWeights(W_Q=np.ones((4, 2)), W_K=np.ones((4, 2)), W_V=np.ones((4, 3)))
    packed = Weights.from_heads([head, head])
    assert (packed.W_O, packed.b_Q, packed.b_K, packed.b_V, packed.b_O) == (None,) * 5
    assert packed.head(1).W_O is None
    assert packed.head(1).b_V is None


@pytest.mark.parametrize("i", [-1, HEADS])
def test_a_head_that_does_not_exist_is_refused(i):
    with pytest.raises(IndexError, match=f"no head {i}: there are 3"):
        biased_weights().head(i)


def test_no_matrix_can_be_written_to():
    weights = biased_weights()
    for of in (weights, weights.in_precision(np.dtype(np.float32))):
        for name in MATRICES:
            with pytest.raises(ValueError, match="read-only"):
                getattr(of, name)[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        weights.head(1).W_K[0] = 0


@for_all("dtype", [np.float32, np.float64])
@for_all("name", MATRICES)
def test_weights_do_not_share_memory_with_arguments(name, dtype):
    given = fields()
    mine = {key: np.array(given[key], dtype=dtype) for key in MATRICES}
    weights = Weights(**mine, heads=HEADS)
    before = getattr(weights, name).copy()
    mine[name][...] = 99
    assert np.array_equal(getattr(weights, name), before)


@for_all(
    ("name", "shape"),
    [
        ("W_Q", (D_MODEL, HEADS * D_K + HEADS)), ("W_K", (D_MEMORY, HEADS * D_K + HEADS)),
        ("W_V", (D_MODEL, HEADS * D_V)), ("W_O", (HEADS * D_K, D_MODEL)), ("b_Q", (D_K,)),
        ("b_K", (HEADS * D_V,)), ("b_V", (HEADS * D_K,)), ("b_O", (HEADS * D_V,)),
        ("W_Q", (D_MODEL * HEADS * D_K,)), ("W_V", (HEADS, D_MEMORY, D_V)),
        ("b_V", (1, HEADS * D_V)), ("W_Q", (D_MODEL, 0)), ("W_O", (0, D_MODEL)),
    ],
)  # fmt: skip
def test_matrices_that_do_not_fit_one_another_are_refused(name, shape):
    with refuses("shape_mismatch") as refusal:
        Weights(**fields(**{name: numbers(*shape, seed=1)}))
    assert refusal.value.fields["name"] in (name, "W_Q")


@for_all(
    ("changed", "name", "width"),
    [
        ({"heads": 13, "W_Q": None, "W_K": None, "b_Q": None, "b_K": None}, "h·d_k", 7),
        ({"heads": 7}, "h·d_k", HEADS * D_K),
        ({"heads": 11}, "h·d_v", HEADS * D_V),
    ],
)
def test_a_width_that_does_not_divide_into_the_heads_is_refused(changed, name, width):
    if "W_Q" in changed:
        changed |= {"W_Q": np.ones((D_MODEL, width)), "W_K": np.ones((D_MEMORY, width))}
    with refuses("heads_do_not_divide", name=name, width=width, heads=changed["heads"]):
        Weights(**fields(**changed))


def test_sizes_below_1_and_numbers_that_are_not_finite_are_refused():
    for heads in (0, -3):
        with refuses("out_of_range", name="heads", value=heads):
            Weights(**fields(heads=heads))
    with refuses("out_of_range", name="heads", value=0):
        Weights.from_heads([])
    for name in ("d_model", "heads", "d_k", "d_v"):
        sizes = {"d_model": 6, "heads": 2, "seed": 0, "d_k": 3, "d_v": 3} | {name: 0}
        with refuses("out_of_range", name=name, value=0):
            Weights.seeded(**sizes)
    for name, bad in product(MATRICES, (np.nan, np.inf, -np.inf)):
        array = np.array(fields()[name])
        array.flat[-1] = bad
        with refuses("not_finite", name=name):
            Weights(**fields(**{name: array}))


@for_all("name", ["W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V"])
@for_all("missing", [True, False])
def test_packing_heads_that_differ_is_refused(name, missing):
    heads = [biased_weights().head(i) for i in range(HEADS)]
    parts = {key: getattr(heads[1], key) for key in MATRICES if key != "b_O"}
    parts[name] = None if missing else np.zeros((5,) * parts[name].ndim)
    heads[1] = HeadWeights(**parts)
    with refuses("shape_mismatch", name=f"{name} of every head"):
        Weights.from_heads(heads)


def test_seeded_matrices_are_the_same_for_the_same_seed_only():
    first, again, other = (Weights.seeded(6, 2, seed) for seed in (5, 5, 6))
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
        assert not np.array_equal(getattr(first, name), getattr(other, name))


def test_seeded_matrices_have_the_spread_of_xavier():
    weights = Weights.seeded(70, 5, seed=0, d_k=11, d_v=13)
    for W, shape in (
        (weights.W_Q, (70, 55)),
        (weights.W_K, (70, 55)),
        (weights.W_V, (70, 65)),
        (weights.W_O, (65, 70)),
    ):
        limit = (6 / sum(shape)) ** 0.5
        assert W.shape == shape
        assert 0.95 * limit < np.abs(W).max() <= limit
        assert W.var() == pytest.approx(2 / sum(shape), rel=0.05)
        assert abs(W.mean()) < 0.05 * limit
    assert weights.b_Q is None
    assert weights.b_O is None


def test_a_d_model_that_does_not_divide_is_refused_unless_both_widths_are_given():
    for widths in ({}, {"d_k": 2}, {"d_v": 2}):
        with refuses("heads_do_not_divide", name="d_model", width=7, heads=3):
            Weights.seeded(7, 3, seed=0, **widths)
    assert Weights.seeded(7, 3, seed=0, d_k=2, d_v=5).d_v == 5
