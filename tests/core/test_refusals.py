"""What attention refuses, and the sentence in which it does."""

from dataclasses import replace

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
    QUERY,
    biased_weights,
    numbers,
    projected,
)
from claims import for_all
from refuses import refuses

from core import Stage, Trace, Weights, multi_head_attention, scaled_dot_product_attention
from core.by_head import Heads
from core.errors import InputError
from core.experiments.measures import entropy, jacobian, jacobian_size, perplexity
from core.experiments.recurrent import RecurrentNet, states
from core.layers import FeedForward, GatedFeedForward, Norm, RMSNorm, output_head
from core.notation import axes
from core.options import AttentionOptions
from core.rules import Given
from core.sources import audio, image, text
from core.weights import ARRAYS

LARGE = 1e308


SINGLE = dict(zip("QKV", projected(np.float32), strict=True))


def changed(**arrays):
    given = dict(zip("QKV", projected(), strict=True))
    return list((given | arrays).values())


def sequence(n=QUERY, width=D_MODEL, batch=BATCH):
    return numbers(batch, n, width, seed=51)


@for_all(
    ("name", "shape"),
    [
        ("Q", (BATCH, QUERY, D_K)),
        ("K", (1, BATCH, HEADS, KEY, D_K)),
        ("V", ()),
        ("Q", (BATCH, HEADS, 0, D_K)),
        ("V", (BATCH, HEADS, KEY, 0)),
        ("K", (BATCH + 1, HEADS, KEY, D_K)),
        ("K", (BATCH, HEADS + 1, KEY, D_K)),
        ("K", (BATCH, HEADS, KEY, D_K + 1)),
        ("V", (BATCH + 1, HEADS, KEY, D_V)),
        ("V", (BATCH, 1, KEY, D_V)),
        ("V", (BATCH, HEADS, KEY + 1, D_V)),
    ],
)
def test_projections_that_do_not_fit_one_another_are_refused(name, shape):
    with refuses("shape_mismatch", name=name, shape=shape):
        scaled_dot_product_attention(*changed(**{name: np.ones(shape)}))


@for_all("bad", [np.nan, np.inf, -np.inf])
@for_all("name", ["Q", "K", "V"])
def test_projections_that_are_not_finite_are_refused(name, bad):
    array = np.array(changed()["QKV".index(name)])
    array[1, 2, 3, 4] = bad
    with refuses("not_finite", name=name):
        scaled_dot_product_attention(*changed(**{name: array}))


@for_all(
    ("option", "value"),
    [
        ("scale", np.inf),
        ("scale", np.nan),
        ("temperature", 0.0),
        ("temperature", -1.0),
        ("temperature", np.nan),
        ("temperature", np.inf),
        ("dropout", 1.0),
        ("dropout", -0.1),
        ("dropout", np.nan),
        ("seed", -1),
    ],
)
def test_options_out_of_their_range_are_refused(option, value):
    for refused in (
        lambda: scaled_dot_product_attention(*projected(), AttentionOptions(**{option: value})),
        lambda: multi_head_attention(
            sequence(), biased_weights(), AttentionOptions(**{option: value})
        ),
    ):
        with refuses("out_of_range", name=option, value=value):
            refused()


@for_all("option", ["allowed", "bias"])
@for_all("shape", [(KEY + 1,), (KEY, QUERY), (BATCH, QUERY, KEY), (0,), (1,) * 5])
def test_masks_and_biases_that_do_not_broadcast_are_refused(option, shape):
    with refuses("shape_mismatch", name=option):
        kind = bool if option == "allowed" else float
        scaled_dot_product_attention(
            *projected(), AttentionOptions(**{option: np.ones(shape, kind)})
        )


def test_numbers_are_refused_for_a_boolean_mask():
    added = np.array([0.0] * (KEY - 1) + [-np.inf])
    with refuses("not_boolean", name="allowed"):
        scaled_dot_product_attention(*projected(), AttentionOptions(allowed=added))
    with refuses("not_boolean", name="key_mask"):
        multi_head_attention(
            sequence(), biased_weights(), AttentionOptions(key_mask=np.ones((BATCH, KEY), int))
        )


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_bias_of_nan_or_plus_infinity_is_refused(bad):
    with refuses("not_finite", name="bias"):
        scaled_dot_product_attention(
            *projected(), AttentionOptions(bias=np.array([bad] + [0.0] * (KEY - 1)))
        )


@for_all("shape", [(BATCH, KEY), (1, QUERY), (QUERY,), (BATCH, HEADS, 1, QUERY)])
def test_a_key_mask_must_have_the_shape_batch_key(shape):
    with refuses("shape_mismatch", name="key_mask", expected="(2, 5)"):
        multi_head_attention(
            sequence(), biased_weights(), AttentionOptions(key_mask=np.ones(shape, dtype=bool))
        )


@for_all("X", [np.ones((QUERY, D_MODEL)), np.ones((BATCH, 0, D_MODEL)), sequence(width=D_MEMORY)])
def test_an_X_that_does_not_fit_the_weights_is_refused(X):
    with refuses("shape_mismatch", name="X"):
        multi_head_attention(X, biased_weights())


@for_all(
    "memory",
    [
        np.ones((KEY, D_MEMORY)),
        sequence(KEY, D_MEMORY, batch=BATCH + 1),
        sequence(KEY, D_MODEL),
        np.ones((BATCH, 0, D_MEMORY)),
    ],
)
def test_a_memory_that_fits_neither_X_nor_the_weights_is_refused(memory):
    with refuses("shape_mismatch", name="memory"):
        multi_head_attention(sequence(), biased_weights(D_MEMORY), memory=memory)


def test_self_attention_with_the_weights_of_a_memory_is_refused():
    with refuses("shape_mismatch", name="X", expected="(batch, key, 19)"):
        multi_head_attention(sequence(), biased_weights(D_MEMORY))


@for_all("name", ["X", "memory"])
@for_all("bad", [np.nan, np.inf])
def test_sequences_that_are_not_finite_are_refused(name, bad):
    given = {"X": sequence(), "memory": sequence(KEY)}
    given[name][1, 2, 3] = bad
    with refuses("not_finite", name=name):
        multi_head_attention(given["X"], biased_weights(), memory=given["memory"])


@pytest.mark.parametrize("name", ["concat", "output"])
def test_what_is_not_as_wide_as_X_cannot_be_added_to_it(name):
    W_O = None if name == "concat" else numbers(HEADS * D_V, D_MODEL + 2, seed=1)
    full = biased_weights()
    weights = Weights(full.W_Q, full.W_K, full.W_V, W_O, HEADS)
    with refuses("shape_mismatch", name=name, expected="(2, 5, 17), as X is"):
        multi_head_attention(sequence(), weights, AttentionOptions(residual=True))


def scaled_weights(**factors):
    full = biased_weights()
    return Weights(*(np.sign(getattr(full, f"W_{x}")) * factors.get(x, 1) for x in "QKVO"), HEADS)


@for_all(
    ("name", "arrays", "options"),
    [
        ("scores", {"Q": projected()[0] * (LARGE / 9)}, {}),
        ("scores", {}, {"temperature": 1e-308}),
        ("scores", {}, {"scale": LARGE, "bias": LARGE}),
        ("scores", {}, {"scale": LARGE / 1e3, "bias": -1.7 * LARGE}),
        ("scores", SINGLE, {"scale": 1e300}),
        ("scores", {name: 0 * array for name, array in SINGLE.items()}, {"scale": 1e300}),
        ("bias", SINGLE, {"bias": 1e300}),
        ("bias", SINGLE, {"bias": -1e300}),
        ("head_output", {"V": np.full((BATCH, HEADS, KEY, D_V), LARGE)}, {"dropout": 0.9}),
        ("head_output", {"V": np.full((BATCH, HEADS, KEY, D_V), np.finfo(float).max)}, {}),
    ],
)
def test_projections_that_grow_too_large_are_refused_without_a_warning(name, arrays, options):
    with refuses("not_finite", name=name):
        scaled_dot_product_attention(*changed(**arrays), AttentionOptions(**options))


@for_all("dtype", [np.float32, np.float64])
@for_all(
    ("name", "factors"),
    [
        ("Q", {"W_Q": LARGE}),
        ("K", {"W_K": LARGE}),
        ("V", {"W_V": LARGE}),
        ("output", {"W_O": LARGE}),
        ("Q", {"X": LARGE}),
        ("K", {"memory": LARGE}),
        ("normalised", {"W_O": 1e200}),
    ],
)
def test_sequences_that_grow_too_large_are_refused_without_a_warning(name, factors, dtype):
    factor = {part: factors.get(part, 1.0) for part in ("X", "memory", "W_Q", "W_K", "W_V", "W_O")}
    if dtype == np.float32:
        # 38 powers of ten instead of 308.
        factor = {part: value ** (38 / 308) for part, value in factor.items()}
    full = biased_weights()
    matrices = [
        np.sign(getattr(full, part)) * factor[part] for part in ("W_Q", "W_K", "W_V", "W_O")
    ]
    X = np.sign(sequence()) * factor["X"]
    memory = np.sign(sequence(KEY)) * factor["memory"]
    with refuses("not_finite", name=name):
        multi_head_attention(
            X.astype(dtype),
            Weights(*matrices, HEADS),
            AttentionOptions(residual=True),
            memory=memory,
        )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_of_X_and_output_that_grows_too_large_is_refused_without_a_warning(dtype):
    most = 0.7 * float(np.finfo(dtype).max)
    weights = Weights([[0]], [[0]], [[1 / most]], [[most]], heads=1)
    with refuses("not_finite", name="residual"):
        multi_head_attention(
            np.full((1, 1, 1), most, dtype=dtype), weights, AttentionOptions(residual=True)
        )


def test_double_precision_that_does_not_fit_into_single_is_refused():
    X, full = sequence().astype(np.float32), biased_weights()
    for part in ("W_Q", "W_O", "b_V"):
        arrays = {name: getattr(full, name) for name in ("W_Q", "W_K", "W_V", "W_O", "b_V")}
        arrays[part] = np.full(arrays[part].shape, LARGE)
        with refuses("not_finite", name=part):
            multi_head_attention(X, Weights(**arrays, heads=HEADS))
    with refuses("not_finite", name="memory"):
        multi_head_attention(X, full, memory=np.full((BATCH, KEY, D_MODEL), LARGE))


def test_large_numbers_that_stay_finite_are_computed():
    Q, K, V = changed(V=projected()[2] * 1e300)
    trace = scaled_dot_product_attention(Q * 1e150, K * 1e150, V)
    for key in ("scores", "weights", "head_output"):
        assert np.isfinite(trace[key].tensor).all()


def test_a_boolean_bias_is_refused():
    truths = np.ones((QUERY, KEY), bool)
    with refuses("boolean_bias", name="bias"):
        scaled_dot_product_attention(*projected(), AttentionOptions(bias=truths))
    with refuses("boolean_bias"):
        multi_head_attention(sequence(), biased_weights(), AttentionOptions(bias=truths[:, :QUERY]))
    heads = Heads(
        Trace([given_X(sequence())]), biased_weights(), AttentionOptions(bias=truths[:, :QUERY])
    )
    with refuses("boolean_bias"):
        heads.head_trace(0)


def given_X(tensor):
    return Stage("X", "X", tensor, axes("batch", "token", "d_model"), Given("input"))


def takers():
    """Every way in for arrays, by what it takes: a function of that array."""
    x, full, X = sequence(), biased_weights(), given_X(sequence())
    yield "X", x, lambda a: multi_head_attention(a, full)
    yield "X", x, lambda a: Heads(Trace([given_X(a)]), full)
    yield "memory", sequence(KEY), lambda a: multi_head_attention(x, full, memory=a)
    for name, array in zip("QKV", projected(), strict=True):
        yield name, array, lambda a, n=name: scaled_dot_product_attention(*changed(**{n: a}))
    Q = numbers(BATCH, HEADS, QUERY, D_K, seed=61)
    yield "Q", Q, lambda a: multi_head_attention(x, full, given={"Q": a})
    bias = np.zeros((QUERY, KEY))
    yield (
        "bias",
        bias,
        lambda a: scaled_dot_product_attention(*projected(), AttentionOptions(bias=a)),
    )
    arrays = {name: getattr(full, name) for name in ARRAYS}
    arrays |= dict.fromkeys(("gamma_Q", "gamma_K"), np.ones(D_K))
    for name, array in arrays.items():
        yield name, array, lambda a, n=name: Weights(**arrays | {n: a}, heads=HEADS)
    W_Q = full.head(0).W_Q
    yield "W_Q", W_Q, lambda a: Weights.from_heads([replace(full.head(0), W_Q=a)])
    vector = np.ones(D_MODEL)
    yield "gamma", vector, lambda a: Norm(a, vector, 1e-5).stages(X)
    yield "beta", vector, lambda a: Norm(vector, a, 1e-5).stages(X)
    square, parts = np.eye(D_MODEL), {"W_1": 2, "b_1": 1, "W_2": 2, "b_2": 1}
    fitting = {name: square if axes == 2 else vector for name, axes in parts.items()}
    for name, array in fitting.items():
        yield name, array, lambda a, n=name: FeedForward(**fitting | {n: a}).stages(X)
    yield "gamma", vector, lambda a: RMSNorm(a, 1e-5).stages(X, "normed", "")
    gated = dict.fromkeys(("W_gate", "W_up", "W_down"), square)
    for name, array in gated.items():
        yield name, array, lambda a, n=name: GatedFeedForward(**gated | {n: a}).stages(X)
    names = tuple(map(str, range(D_MODEL)))
    yield "W_P", square, lambda a: output_head(X, a, vector, "class", names)
    yield "b_P", vector, lambda a: output_head(X, square, a, "class", names)
    pictures = np.ones((1, 4, 4, 3))
    yield "images", pictures, lambda a: image.embed(a, 2, D_MODEL, 1)
    learnt = [np.ones((12, D_MODEL)), vector, np.ones((5, D_MODEL)), vector]
    for i, name in enumerate(("W_E", "cls", "position", "b_E")):
        yield (
            name,
            learnt[i],
            lambda a, i=i: image.project(
                pictures, 2, *[a if j == i else one for j, one in enumerate(learnt)]
            ),
        )
    yield "samples", np.ones(400), lambda a: audio.embed(a, 16_000, D_MODEL, 1)
    yield "samples", np.ones(400), lambda a: audio.log_mel(a, 16_000)
    yield "E", np.eye(2), lambda a: text.look_up([[0, 1]], a, ("a", "b"))
    net = {"W_h": np.eye(2), "W_x": np.eye(2), "b": np.ones(2)}
    for name, array in net.items():
        yield name, array, lambda a, n=name: RecurrentNet(**net | {n: a})
    yield "X", np.eye(2), lambda a: states(RecurrentNet(**net), a)
    yield "X", x, given_X
    for measure in (entropy, perplexity, jacobian, jacobian_size):
        yield "weights", np.eye(3), measure


def test_arrays_of_anything_but_real_numbers_are_refused_by_name_wherever_arrays_are_taken():
    kinds = {
        "complex128": lambda a: a + 0j,
        "complex64": lambda a: a.astype(np.complex64),
        "str": lambda a: a.astype(str),
        "bytes": lambda a: a.astype("S"),
        "object": lambda a: a.astype(object),
        "datetime": lambda a: np.zeros(a.shape, "datetime64[s]"),
    }
    wrong = []
    for place, (name, array, take) in enumerate(takers()):
        take(array)
        for kind, made in kinds.items():
            try:
                take(made(array))
            except InputError as refusal:
                said = (refusal.code, refusal.fields["name"])
                if said != ("not_real", name) or kind not in refusal.fields["kind"]:
                    wrong.append(f"{place} {name}, {kind}: {refusal}")
            else:
                wrong.append(f"{place} {name}, {kind}: taken")
    assert not wrong, "\n".join(wrong)


def test_booleans_are_refused_as_numbers():
    wrong = []
    for place, (name, array, take) in enumerate(takers()):
        if name != "bias" and take is not given_X:  # a mask is a stage too
            try:
                take(np.ones(array.shape, bool))
            except InputError as refusal:
                assert (refusal.code, refusal.fields["name"]) == ("not_real", name)
            else:
                wrong.append(f"{place} {name}: taken")
    assert not wrong, "\n".join(wrong)
