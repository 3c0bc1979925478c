"""Invalid arguments of attention, and the error for each."""

from dataclasses import replace
from functools import partial

import numpy as np
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

from core import Stage, Weights, multi_head_attention, scaled_dot_product_attention
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
VALUES = (BATCH, HEADS, KEY, D_V)
TRUTHS = np.ones((QUERY, KEY), bool)


def changed(**arrays):
    given = dict(zip("QKV", projected(), strict=True))
    return list((given | arrays).values())


def sequence(n=QUERY, width=D_MODEL, batch=BATCH):
    return numbers(batch, n, width, seed=51)


def attend(arrays=None, **options):
    return scaled_dot_product_attention(*changed(**arrays or {}), AttentionOptions(**options))


def attend_by_heads(X=None, weights=None, memory=None, **options):
    X, weights = sequence() if X is None else X, weights or biased_weights()
    return multi_head_attention(X, weights, AttentionOptions(**options), memory=memory)


def signs(dtype=float, **factors):
    """X, weights and memory of ones of either sign, some of them times a factor."""
    full = biased_weights()
    arrays = {name: np.sign(getattr(full, name)) for name in ("W_Q", "W_K", "W_V", "W_O")}
    arrays |= {"X": np.sign(sequence()), "memory": np.sign(sequence(KEY))}
    arrays = {name: array * factors.get(name, 1.0) for name, array in arrays.items()}
    X, memory = (arrays.pop(name).astype(dtype) for name in ("X", "memory"))
    return {"X": X, "weights": Weights(**arrays, heads=HEADS), "memory": memory}


def with_one(array, bad):
    array = np.array(array)
    array[1, 2, 3] = bad
    return array


def without_fit():
    """Name, further fields and call of what does not fit in shape."""
    for name, *shapes in (
        ("Q", (BATCH, QUERY, D_K), (BATCH, HEADS, 0, D_K)),
        ("K", (1, BATCH, HEADS, KEY, D_K), (BATCH + 1, HEADS, KEY, D_K)),
        ("K", (BATCH, HEADS + 1, KEY, D_K), (BATCH, HEADS, KEY, D_K + 1)),
        ("V", (), (BATCH, HEADS, KEY, 0), (BATCH + 1, HEADS, KEY, D_V)),
        ("V", (BATCH, 1, KEY, D_V), (BATCH, HEADS, KEY + 1, D_V)),
    ):
        for shape in shapes:
            yield name, {"shape": shape}, partial(attend, {name: np.ones(shape)})
    for shape in ((KEY + 1,), (KEY, QUERY), (BATCH, QUERY, KEY), (0,), (1,) * 5):
        yield "allowed", {}, partial(attend, allowed=np.ones(shape, bool))
        yield "bias", {}, partial(attend, bias=np.ones(shape))
    for shape in ((BATCH, KEY), (1, QUERY), (QUERY,), (BATCH, HEADS, 1, QUERY)):
        call = partial(attend_by_heads, key_mask=np.ones(shape, bool))
        yield "key_mask", {"expected": "(2, 5)"}, call
    for X in (np.ones((QUERY, D_MODEL)), np.ones((BATCH, 0, D_MODEL)), sequence(width=D_MEMORY)):
        yield "X", {}, partial(attend_by_heads, X)
    crossed = partial(attend_by_heads, weights=biased_weights(D_MEMORY))
    yield "X", {"expected": "(batch, key, 19)"}, crossed
    for shape in (
        (KEY, D_MEMORY), (BATCH + 1, KEY, D_MEMORY), (BATCH, KEY, D_MODEL), (BATCH, 0, D_MEMORY)
    ):  # fmt: skip
        yield "memory", {}, partial(crossed, memory=np.ones(shape))
    full, wider = biased_weights(), numbers(HEADS * D_V, D_MODEL + 2, seed=1)
    for name, W_O in (("concat", None), ("output", wider)):
        weights = Weights(full.W_Q, full.W_K, full.W_V, W_O, HEADS)
        call = partial(attend_by_heads, weights=weights, residual=True)
        yield name, {"expected": "(2, 5, 17), as X is"}, call


def not_finite():
    """Name and call of what is not finite, or becomes so; none with a warning."""
    for bad in (np.nan, np.inf, -np.inf):
        for name, array in zip("QKV", projected(), strict=True):
            yield name, partial(attend, {name: with_one(array, bad)})
    for bad in (np.nan, np.inf):
        yield "bias", partial(attend, bias=np.array([bad] + [0.0] * (KEY - 1)))
        yield "X", partial(attend_by_heads, with_one(sequence(), bad))
        yield "memory", partial(attend_by_heads, memory=with_one(sequence(KEY), bad))
    yield "scores", partial(attend, {"Q": projected()[0] * (LARGE / 9)})
    yield "scores", partial(attend, temperature=1e-308)
    yield "scores", partial(attend, scale=LARGE, bias=LARGE)
    yield "scores", partial(attend, scale=LARGE / 1e3, bias=-1.7 * LARGE)
    yield "scores", partial(attend, SINGLE, scale=1e300)
    yield (
        "scores",
        partial(attend, {name: 0 * array for name, array in SINGLE.items()}, scale=1e300),
    )
    yield "bias", partial(attend, SINGLE, bias=1e300)
    yield "bias", partial(attend, SINGLE, bias=-1e300)
    yield "head_output", partial(attend, {"V": np.full(VALUES, LARGE)}, dropout=0.9)
    yield "head_output", partial(attend, {"V": np.full(VALUES, np.finfo(float).max)})
    for dtype, powers in ((np.float32, 38 / 308), (np.float64, 1)):
        for name, part, factor in (
            ("Q", "W_Q", LARGE), ("K", "W_K", LARGE), ("V", "W_V", LARGE), ("output", "W_O", LARGE),
            ("Q", "X", LARGE), ("K", "memory", LARGE), ("normalised", "W_O", 1e200),
        ):  # fmt: skip
            grown = signs(dtype, **{part: factor**powers})
            yield name, partial(attend_by_heads, **grown, residual=True)
        most = 0.7 * float(np.finfo(dtype).max)
        weights = Weights([[0]], [[0]], [[1 / most]], [[most]], heads=1)
        X = np.full((1, 1, 1), most, dtype=dtype)
        yield "residual", partial(attend_by_heads, X, weights, residual=True)
    single, full = sequence().astype(np.float32), biased_weights()
    for name in ("W_Q", "W_O", "b_V"):  # double precision that does not fit into single
        arrays = {key: getattr(full, key) for key in ("W_Q", "W_K", "W_V", "W_O", "b_V")}
        arrays[name] = np.full(arrays[name].shape, LARGE)
        yield name, partial(attend_by_heads, single, Weights(**arrays, heads=HEADS))
    large = np.full((BATCH, KEY, D_MODEL), LARGE)
    yield "memory", partial(attend_by_heads, single, memory=large)


@for_all(("name", "fields", "call"), without_fit())
def test_shapes_that_do_not_fit_one_another_are_refused(name, fields, call):
    with refuses("shape_mismatch", name=name, **fields):
        call()


@for_all(("name", "call"), not_finite())
def test_numbers_that_are_not_finite_or_overflow_are_refused(name, call):
    with refuses("not_finite", name=name):
        call()


@for_all(
    ("option", "values"),
    [
        ("scale", (np.inf, np.nan)),
        ("temperature", (0.0, -1.0, np.nan, np.inf)),
        ("dropout", (1.0, -0.1, np.nan)),
        ("seed", (-1,)),
    ],
)
def test_options_out_of_their_range_are_refused(option, values):
    for value in values:
        for call in (attend, attend_by_heads):
            with refuses("out_of_range", name=option, value=value):
                call(**{option: value})


def test_numbers_are_refused_for_a_boolean_mask_and_booleans_for_a_bias():
    with refuses("not_boolean", name="allowed"):
        attend(allowed=np.array([0.0] * (KEY - 1) + [-np.inf]))
    with refuses("not_boolean", name="key_mask"):
        attend_by_heads(key_mask=np.ones((BATCH, KEY), int))
    with refuses("boolean_bias", name="bias"):
        attend(bias=TRUTHS)
    with refuses("boolean_bias"):
        attend_by_heads(bias=TRUTHS[:, :QUERY])


def test_large_numbers_that_stay_finite_are_computed():
    Q, K, V = changed(V=projected()[2] * 1e300)
    trace = scaled_dot_product_attention(Q * 1e150, K * 1e150, V)
    for key in ("scores", "weights", "head_output"):
        assert np.isfinite(trace[key].tensor).all()


def given_X(tensor):
    return Stage("X", "X", tensor, axes("batch", "token", "d_model"), Given("input"))


def takers():
    """For each array argument: its name, a valid array, and a call with another one."""
    x, full, X = sequence(), biased_weights(), given_X(sequence())
    yield "X", x, lambda a: multi_head_attention(a, full)
    yield "memory", sequence(KEY), lambda a: multi_head_attention(x, full, memory=a)
    for name, array in zip("QKV", projected(), strict=True):
        yield name, array, lambda a, n=name: attend({n: a})
    Q = numbers(BATCH, HEADS, QUERY, D_K, seed=61)
    yield "Q", Q, lambda a: multi_head_attention(x, full, given={"Q": a})
    bias = np.zeros((QUERY, KEY))
    yield "bias", bias, lambda a: attend(bias=a)
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
        before, behind = learnt[:i], learnt[i + 1 :]
        project = partial(image.project, pictures, 2, *before)
        yield name, learnt[i], lambda a, p=project, rest=behind: p(a, *rest)
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


def test_arrays_that_are_not_real_are_refused_by_name():
    kinds = {
        "complex128": lambda a: a + 0j,
        "complex64": lambda a: a.astype(np.complex64),
        "str": lambda a: a.astype(str),
        "bytes": lambda a: a.astype("S"),
        "object": lambda a: a.astype(object),
        "datetime": lambda a: np.zeros(a.shape, "datetime64[s]"),
        "bool": lambda a: np.ones(a.shape, bool),
    }
    wrong = []
    for number, (name, array, take) in enumerate(takers()):
        take(array)
        for kind, made in kinds.items():
            if kind == "bool" and (name == "bias" or take is given_X):  # a mask is a stage too
                continue
            try:
                take(made(array))
            except InputError as refusal:
                found = (refusal.code, refusal.fields["name"])
                if found != ("not_real", name) or kind not in refusal.fields["kind"]:
                    wrong.append(f"{number} {name}, {kind}: {refusal}")
            else:
                wrong.append(f"{number} {name}, {kind}: taken")
    assert not wrong, "\n".join(wrong)
