import numpy as np
import pytest
from attention_inputs import (
    BATCH,
    D_K,
    D_MEMORY,
    D_MODEL,
    D_V,
    HEADS,
    KEY,
    MEMORY_TOKENS,
    PER_KEY,
    QUERY,
    TOKENS,
    EveryOption,
    biased_weights,
    numbers,
    projected,
)
from claims import for_all

from core import (
    Stage,
    Trace,
    UnknownStage,
    Weights,
    multi_head_attention,
    scaled_dot_product_attention,
)
from core.options import AttentionOptions
from core.rules import Given

PARAMETERS = ["W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O"]
ATTENDED = ["scores", "scaled", "weights", "head_output"]


def sequence(dtype=np.float64, n=QUERY, width=D_MODEL):
    return numbers(BATCH, n, width, seed=41, dtype=dtype)


@for_all(
    ("options", "stages"),
    [
        ({}, ATTENDED),
        ({"temperature": 2.0, "scale": 0.5}, ATTENDED),
        ({"causal": True}, ["causal", "scores", "scaled", "masked", "weights", "head_output"]),
        ({"allowed": True}, ["allowed", "scores", "scaled", "masked", "weights", "head_output"]),
        ({"bias": 0.5}, ["bias", "scores", "scaled", "masked", "weights", "head_output"]),
        (
            {"dropout": 0.5, "seed": 3},
            ["scores", "scaled", "weights", "keep", "dropped", "head_output"],
        ),
        (
            {"causal": True, "allowed": True, "bias": 0.5, "dropout": 0.5},
            [
                *["causal", "allowed", "bias", "scores", "scaled", "masked", "weights"],
                *["keep", "dropped", "head_output"],
            ],
        ),
    ],
)
def test_options_add_their_stages_in_order(options, stages):
    assert list(scaled_dot_product_attention(*projected(), AttentionOptions(**options))) == [
        "Q",
        "K",
        "V",
        *stages,
    ]


def test_the_stages_of_multi_head_attention_follow_the_paper():
    X = sequence()
    assert list(multi_head_attention(X, biased_weights())) == [
        *["X", *PARAMETERS, "Q", "K", "V", *ATTENDED, "concat", "output"]
    ]
    assert list(
        multi_head_attention(X, Weights.seeded(D_MODEL, 1, seed=0), AttentionOptions(residual=True))
    ) == [
        *["X", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", *ATTENDED, "concat", "output"],
        *["residual", "normalised"],
    ]


def test_axes_and_shapes_of_all_stages():
    trace = EveryOption.in_precision(np.float64).trace()
    head, sizes = ("batch", "head"), {}
    sizes |= dict.fromkeys(("scores", "scaled", "masked", "weights", "keep", "dropped"), PER_KEY)
    for key, expected in sizes.items():
        assert trace[key].roles == (*head, "query", "key")
        assert trace[key].tensor.shape == expected
    for key, roles, shape in (
        ("X", ("batch", "token", "d_model"), (BATCH, QUERY, D_MODEL)),
        ("memory", ("batch", "key", "d_model"), (BATCH, KEY, D_MEMORY)),
        ("W_Q", ("head", "d_model", "d_k"), (HEADS, D_MODEL, D_K)),
        ("W_K", ("head", "d_model", "d_k"), (HEADS, D_MEMORY, D_K)),
        ("W_V", ("head", "d_model", "d_v"), (HEADS, D_MEMORY, D_V)),
        ("W_O", ("head", "d_v", "d_model"), (HEADS, D_V, D_MODEL)),
        ("b_Q", ("head", "d_k"), (HEADS, D_K)),
        ("b_V", ("head", "d_v"), (HEADS, D_V)),
        ("b_O", ("d_model",), (D_MODEL,)),
        ("Q", (*head, "query", "d_k"), (BATCH, HEADS, QUERY, D_K)),
        ("K", (*head, "key", "d_k"), (BATCH, HEADS, KEY, D_K)),
        ("V", (*head, "key", "d_v"), (BATCH, HEADS, KEY, D_V)),
        ("key_mask", ("batch", "key"), (BATCH, KEY)),
        ("causal", ("query", "key"), (QUERY, KEY)),
        ("allowed", ("batch", "query", "key"), (BATCH, QUERY, KEY)),
        ("bias", ("head", "key"), (HEADS, KEY)),
        ("head_output", (*head, "query", "d_v"), (BATCH, HEADS, QUERY, D_V)),
        ("concat", ("batch", "query", "concat"), (BATCH, QUERY, HEADS * D_V)),
        ("output", ("batch", "query", "d_model"), (BATCH, QUERY, D_MODEL)),
        ("normalised", ("batch", "query", "d_model"), (BATCH, QUERY, D_MODEL)),
    ):
        assert (trace[key].roles, trace[key].tensor.shape) == (roles, shape), key


def test_token_labels_are_those_of_X_and_memory_in_all_stages():
    trace = EveryOption.in_precision(np.float64).trace()
    for key in ("Q", "scores", "weights", "keep", "head_output", "concat", "output", "normalised"):
        assert trace[key].axis("query").labels == TOKENS, key
    for key in ("K", "V", "key_mask", "scores", "masked", "dropped"):
        assert trace[key].axis("key").labels == MEMORY_TOKENS, key


@for_all(
    ("given", "computed"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.int64, np.float64)],
)
def test_float32_is_computed_in_float32_and_all_else_in_float64(given, computed):
    ones = [np.ones(array.shape, dtype=given) for array in projected()]
    X = np.ones((BATCH, QUERY, D_MODEL), dtype=given)
    for trace in (
        scaled_dot_product_attention(
            *ones, AttentionOptions(causal=True, bias=1, dropout=0.5, temperature=3)
        ),
        multi_head_attention(
            X, biased_weights(), AttentionOptions(causal=True, bias=1.0, residual=True)
        ),
        multi_head_attention(X, biased_weights(D_MEMORY), memory=np.ones((BATCH, KEY, D_MEMORY))),
    ):
        for key, stage in trace.items():
            expected = bool if key in ("causal", "keep") else computed
            assert stage.tensor.dtype == expected, key


def test_the_same_weights_serve_both_precisions():
    weights = biased_weights()
    for kind in (np.float64, np.float32, np.float64):
        trace = multi_head_attention(np.ones((BATCH, QUERY, D_MODEL), kind), weights)
        assert {stage.tensor.dtype for stage in trace.values()} == {np.dtype(kind)}


def test_without_W_O_concat_is_added_to_X_where_its_width_fits():
    W = numbers(6, 6, seed=1)
    X = sequence(width=6)
    trace = multi_head_attention(X, Weights(W, W, W, None, 2), AttentionOptions(residual=True))
    assert "output" not in trace and "W_O" not in trace
    assert trace["residual"].computed_from == ("X", "concat")
    np.testing.assert_allclose(trace["residual"].tensor, X + trace["concat"].tensor)


def padded_source(lengths):
    source = EveryOption.in_precision(np.float64).source()
    key_mask = np.arange(QUERY) < np.array(lengths)[:, None]
    axes = source["X"].axes[:2]
    return Trace([*source.values(), Stage("key_mask", "", key_mask, axes, Given("mask"))])


def test_the_key_mask_of_a_source_masks_its_padding():
    trace = multi_head_attention(padded_source([5, 4]), biased_weights())
    assert trace["key_mask"].roles == ("batch", "key")
    assert not trace["weights"].tensor[1, ..., 4].any()
    assert trace["weights"].tensor[0, ..., 4].all()


def test_a_key_mask_among_the_options_replaces_that_of_the_source():
    key_mask = np.arange(QUERY) < np.array([[2], [5]])
    trace = multi_head_attention(
        padded_source([5, 4]), biased_weights(), AttentionOptions(key_mask=key_mask)
    )
    assert np.array_equal(trace["key_mask"].tensor, key_mask)


def test_the_key_mask_of_X_is_not_applied_to_the_keys_of_a_memory():
    memory = numbers(BATCH, QUERY, D_MODEL, seed=43)
    trace = multi_head_attention(padded_source([5, 4]), biased_weights(), memory=memory)
    assert trace["weights"].tensor.all()


def test_a_source_without_X_is_refused():
    source = EveryOption.in_precision(np.float64).source()
    with pytest.raises(UnknownStage, match="no stage 'X'; this trace has embedding, position"):
        multi_head_attention(Trace([source["embedding"], source["position"]]), biased_weights())


@for_all(
    "shape", [(), (KEY,), (QUERY, KEY), (QUERY, 1), (HEADS, 1, KEY), (BATCH, 1, 1, KEY), PER_KEY]
)
def test_masks_and_biases_broadcast(shape):
    visible = np.asarray(np.random.default_rng(1).random(shape) < 0.5)
    added = np.asarray(np.random.default_rng(2).normal(size=shape))
    trace = scaled_dot_product_attention(
        *projected(), AttentionOptions(allowed=visible, bias=added)
    )
    visible, added = np.broadcast_to(visible, PER_KEY), np.broadcast_to(added, PER_KEY)
    for index in np.ndindex(PER_KEY):
        expected = trace["scaled"].tensor[index] + added[index] if visible[index] else -np.inf
        assert trace["masked"].tensor[index] == pytest.approx(expected, rel=1e-14)


def test_the_scale_is_one_over_the_root_of_d_k_unless_given():
    scores = scaled_dot_product_attention(*projected())["scores"].tensor
    for options, factor in (
        ({}, D_K**-0.5),
        ({"scale": "root"}, D_K**-0.5),
        ({"scale": 0.2}, 0.2),
        ({"temperature": 4}, D_K**-0.5 / 4),
        ({"scale": -3, "temperature": 0.5}, -6),
        ({"scale": 0}, 0),
    ):
        trace = scaled_dot_product_attention(*projected(), AttentionOptions(**options))
        np.testing.assert_allclose(trace["scaled"].tensor, scores * factor, rtol=1e-14)


def test_the_share_of_weights_after_dropout_is_one_minus_p():
    Q = np.zeros((2, 3, 50, 4))
    trace = scaled_dot_product_attention(Q, Q, Q, AttentionOptions(dropout=0.3, seed=1))
    keep = trace["keep"].tensor
    assert keep.mean() == pytest.approx(0.7, abs=4 * (0.3 * 0.7 / keep.size) ** 0.5)
    assert trace["dropped"].tensor[keep] == pytest.approx(1 / 50 / 0.7)
    assert not trace["dropped"].tensor[~keep].any()


def test_the_same_seed_drops_the_same_weights():
    def keep_mask(seed, dtype=np.float64):
        trace = scaled_dot_product_attention(
            *projected(dtype), AttentionOptions(dropout=0.5, seed=seed)
        )
        return trace["keep"].tensor

    assert np.array_equal(keep_mask(7), keep_mask(7))
    assert np.array_equal(keep_mask(7), keep_mask(7, np.float32))
    assert not np.array_equal(keep_mask(7), keep_mask(8))


def unchanged_by(writing, trace):
    before = {key: stage.tensor.copy() for key, stage in trace.items()}
    for array in writing:
        array.setflags(write=True)
        array[...] = 0 if array.all() else 1
    return all(np.array_equal(before[key], trace[key].tensor) for key in trace)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_stages_do_not_share_memory_with_arguments(dtype):
    X, memory = sequence(dtype), numbers(BATCH, KEY, D_MEMORY, seed=42, dtype=dtype)
    given = EveryOption.in_precision(dtype)
    masks = [given.key_mask, given.allowed, given.bias]
    trace = multi_head_attention(
        X,
        biased_weights(D_MEMORY, dtype),
        AttentionOptions(key_mask=given.key_mask, allowed=given.allowed, bias=given.bias),
        memory=memory,
    )
    assert unchanged_by([X, memory, *masks], trace)
    Q, K, V = projected(dtype)
    full = [np.ones(PER_KEY, dtype=bool), np.ones(PER_KEY, dtype=dtype)]
    trace = scaled_dot_product_attention(Q, K, V, AttentionOptions(allowed=full[0], bias=full[1]))
    assert unchanged_by([Q, K, V, *full], trace)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_stages_do_not_share_memory_with_what_the_weights_were_made_of(dtype):
    for is_locked in (False, True):
        made = [getattr(biased_weights(dtype=dtype), name).copy() for name in PARAMETERS]
        given = [array.view() for array in made]
        for view in given:
            view.setflags(write=not is_locked)
        weights = Weights(heads=HEADS, **dict(zip(PARAMETERS, given, strict=True)))
        assert unchanged_by(made, multi_head_attention(sequence(dtype), weights)), is_locked
