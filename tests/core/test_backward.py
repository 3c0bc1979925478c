"""Gradients against central differences of the forward pass, and against sums by hand."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from attention_microscope import html
from core import Trace, Weights, explain, layers, multi_head_attention
from core.backward import backward
from core.layers import FeedForward, GatedFeedForward, Norm, RMSNorm
from core.limits import LIMITS
from core.models import block
from core.nested import compose
from core.notation import axes, given
from core.options import AttentionOptions
from core.rotary import Rotary

BATCH, HEADS, KV_HEADS, N, D_K, D_V, D_MODEL, D_FF = 2, 4, 2, 3, 6, 5, 7, 11
MEMORY, PAST, CLASSES = 4, 2, 3
STEP = 1e-5
Arrays = dict[str, np.ndarray]


def draw(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape) / 2


def attention_arrays(kv_heads=HEADS, biases=True, **more):
    shapes = {"X": (BATCH, N, D_MODEL), "W_Q": (HEADS, D_MODEL, D_K), "W_O": (HEADS, D_V, D_MODEL)}
    shapes |= {"W_K": (kv_heads, D_MODEL, D_K), "W_V": (kv_heads, D_MODEL, D_V)}
    if biases:
        shapes |= {"b_Q": (HEADS, D_K), "b_K": (kv_heads, D_K), "b_V": (kv_heads, D_V)}
        shapes |= {"b_O": (D_MODEL,)}
    return {key: draw(i, *shape) for i, (key, shape) in enumerate((shapes | more).items())}


def weights_of(arrays: Arrays) -> Weights:
    packed = {key: arrays[key].swapaxes(0, 1).reshape(D_MODEL, -1) for key in ("W_Q", "W_K", "W_V")}
    packed["W_O"] = arrays["W_O"].reshape(-1, D_MODEL)
    flat = {key: array.reshape(-1) for key, array in arrays.items() if key.startswith("b_")}
    gammas = {key: arrays[key] for key in ("gamma_Q", "gamma_K") if key in arrays}
    return Weights(**packed, **flat, **gammas, heads=HEADS, kv_heads=len(arrays["W_K"]))


def attention(**options):
    def make(arrays: Arrays) -> Trace:
        past = None
        if "past_K" in arrays:
            past = arrays["past_K"], arrays["past_V"]
        changed = {key: arrays[key] for key in ("bias",) if key in arrays}
        if "slopes" in arrays:
            changed["alibi"] = arrays["slopes"]
        chosen = AttentionOptions(**options, **changed, past=past)
        return multi_head_attention(
            arrays["X"], weights_of(arrays), chosen, memory=arrays.get("memory")
        )

    return make


def stage(key, array):
    return given(key, array, axes("batch", "token", "d_model"))


def norm_of(arrays, key=""):
    if f"beta{key}" in arrays:
        return Norm(arrays[f"gamma{key}"], arrays[f"beta{key}"], 1e-5)
    return RMSNorm(arrays[f"gamma{key}"], 1e-5)


def pre_norm(arrays: Arrays) -> Trace:
    options = AttentionOptions(causal=True, rotary=Rotary(D_K, theta=30.0))
    post = RMSNorm(arrays["gamma_post"], 1e-5) if "gamma_post" in arrays else None
    return block.pre_norm_attention(
        stage("stream", arrays["stream"]), weights_of(arrays), norm_of(arrays), options,
        scale=arrays.get("lambda"), post_norm=post,
    )  # fmt: skip


def feed_forward(activation):
    def make(arrays: Arrays) -> Trace:
        if "W_gate" in arrays:
            names = ("W_gate", "W_up", "W_down", "b_gate", "b_up", "b_down")
            parts = GatedFeedForward(**{k: arrays[k] for k in names}, activation=activation)
        else:
            names = ("W_1", "b_1", "W_2", "b_2")
            parts = FeedForward(**{k: arrays[k] for k in names}, activation=activation)
        return block.post_norm_feed_forward(stage("X", arrays["X"]), parts, norm_of(arrays))

    return make


def feed_forward_arrays(gated):
    wide, narrow = (D_MODEL, D_FF), (D_FF, D_MODEL)
    shapes = {"X": (BATCH, N, D_MODEL), "gamma": (D_MODEL,), "beta": (D_MODEL,)}
    if gated:
        shapes |= {"W_gate": wide, "W_up": wide, "W_down": narrow}
        shapes |= {"b_gate": (D_FF,), "b_up": (D_FF,), "b_down": (D_MODEL,)}
    else:
        shapes |= {"W_1": wide, "b_1": (D_FF,), "W_2": narrow, "b_2": (D_MODEL,)}
    return {key: draw(i, *shape) for i, (key, shape) in enumerate(shapes.items())}


def classified(token: Callable[..., object], listed: bool = False):
    def make(arrays: Arrays) -> Trace:
        X = stage("X", arrays["X"])
        last = token(X, "last")
        others = (draw(9, BATCH, 1), "others") if listed else None
        names = tuple("abc")
        head = layers.output_head(last, arrays["W_P"], arrays["b_P"], "vocabulary", names, others)
        return Trace([X, last, *head])

    return make


CLASSIFIED = {
    "X": draw(1, BATCH, N, D_MODEL), "W_P": draw(2, D_MODEL, CLASSES), "b_P": draw(3, CLASSES),
}  # fmt: skip
STREAM = {"stream": draw(30, BATCH, N, D_MODEL), "gamma": draw(31, D_MODEL)}
OF_STREAM = {k: v for k, v in attention_arrays(KV_HEADS, False).items() if k != "X"} | STREAM
MASKED = {
    "causal": True,
    "key_mask": np.array([[True] * N, [True] * (N - 1) + [False]]),
    "allowed": ~np.eye(N, dtype=bool)[0] | np.ones((HEADS, N, N), bool),
}
CASES = [
    ("plain", attention(residual=True), attention_arrays(biases=False)),
    ("biased and masked", attention(**MASKED), attention_arrays(bias=(HEADS, N, N))),
    ("shared heads", attention(causal=True), attention_arrays(KV_HEADS)),
    ("one key head, normed", attention(), attention_arrays(1, gamma_Q=(D_K,), gamma_K=(D_K,))),
    ("cross", attention(dropout=0.3, temperature=1.7, scale=0.4),
     attention_arrays(memory=(BATCH, MEMORY, D_MODEL))),
    ("rotary, capped", attention(rotary=Rotary(D_K, theta=9.0), soft_cap=0.5),
     attention_arrays(KV_HEADS)),
    ("part of it rotary", attention(rotary=Rotary(4, theta=9.0, interleaved=True)),
     attention_arrays()),
    ("cached", attention(rotary=Rotary(D_K), causal=True), attention_arrays(
        past_K=(BATCH, HEADS, PAST, D_K), past_V=(BATCH, HEADS, PAST, D_V))),
    ("slopes, sinks", attention(sinks=draw(3, HEADS)), attention_arrays(slopes=(HEADS,))),
    ("pre-norm", pre_norm, OF_STREAM | {"beta": draw(32, D_MODEL), "lambda": draw(33, D_MODEL)}),
    ("RMS", pre_norm, OF_STREAM | {"gamma_post": draw(34, D_MODEL)}),
    *((name, feed_forward(name), feed_forward_arrays(False))
      for name in ("relu", "gelu", "gelu_tanh", "quick_gelu", "silu")),
    ("gated", feed_forward("silu"), feed_forward_arrays(True)),
    ("first token", classified(layers.first_token), CLASSIFIED),
    ("last token", classified(layers.last_token, listed=True), CLASSIFIED),
]  # fmt: skip


def last_of(trace: Trace) -> str:
    return list(trace)[-1]


def upstream(trace: Trace) -> Arrays:
    return {last_of(trace): draw(77, *trace[last_of(trace)].tensor.shape)}


@for_all(("name", "make", "arrays"), CASES)
def test_a_gradient_is_the_slope_of_what_it_is_the_gradient_of(name, make, arrays):
    trace = make(arrays)
    seeds = upstream(trace)
    made = backward(trace, seeds)
    (seed,) = seeds.values()
    for key, array in arrays.items():
        along = draw(len(key), *array.shape)
        sides = (
            (make(arrays | {key: array + sign * STEP * along})[last_of(trace)].tensor * seed).sum()
            for sign in (1, -1)
        )
        above, below = sides
        found = (made[f"grad/{key}"].tensor * along).sum()
        assert found == pytest.approx((above - below) / (2 * STEP), rel=2e-8, abs=2e-9), key


@for_all(("name", "make", "arrays"), CASES)
def test_the_terms_of_every_gradient_add_up_to_it(name, make, arrays):
    trace = make(arrays)
    made = backward(trace, upstream(trace))
    draws = np.random.default_rng(5)
    for key in made.keys() - trace.keys():
        tensor = made[key].tensor
        for index in map(tuple, draws.integers(0, tensor.shape, (6, tensor.ndim)).tolist()):
            cell = explain(made, key, index)
            assert cell.made_by.value == pytest.approx(cell.value, rel=1e-11, abs=1e-13), key


def test_gradients_of_matrix_products_are_written_as_in_matrix_calculus():
    trace = attention()(attention_arrays(biases=False))
    made = backward(trace, upstream(trace))
    for key, formula in (  # output = C W^O, head_output = A V, scores = Q Kᵀ
        ("concat", r"d\text{concat} = d\text{output} {W^O}^\top"),
        ("W_O", r"dW^O = {\text{concat}}^\top d\text{output}"),
        ("V", r"dV = {\text{weights}}^\top d\text{head\_output}"),
        ("Q", r"dQ = d\text{scores} K"),
        ("K", r"dK = {d\text{scores}}^\top Q"),
    ):
        assert made[f"grad/{key}"].formula == formula


def test_gradients_flow_from_one_part_of_a_model_to_the_part_before_it():
    arrays = attention_arrays(biases=False)
    below = attention()(arrays)
    above = attention()(arrays | {"X": below["output"].tensor})
    whole = compose({"1": below, "2": above}, {"2/X": "1/output"})
    made = backward(whole, {"2/output": np.ones((BATCH, N, D_MODEL))})
    of_above = backward(above, {"output": np.ones((BATCH, N, D_MODEL))})["grad/X"].tensor
    of_below = backward(below, {"output": of_above})
    assert [*of_below][len(below) :] == [f"grad/{key}" for key in reversed([*below])]
    for key in ("X", "W_Q", "scores"):
        found = made[f"grad/1/{key}"].tensor
        np.testing.assert_array_equal(found, of_below[f"grad/{key}"].tensor, err_msg=key)


def test_float32_stays_float32():
    arrays = {key: array.astype(np.float32) for key, array in attention_arrays(KV_HEADS).items()}
    trace = attention(rotary=Rotary(D_K), soft_cap=2.0, residual=True)(arrays)
    made = backward(trace, upstream(trace))
    assert {key for key in made if made[key].tensor.dtype == np.float64} == set()


def test_gradients_that_do_not_fit_are_refused():
    trace = attention()(attention_arrays())
    shape = trace["output"].tensor.shape
    with refuses("shape_mismatch"):
        backward(trace, {"output": np.ones(shape[1:])})
    with refuses("not_finite"):
        backward(trace, {"output": np.full(shape, np.nan)})
    with pytest.raises(ValueError, match="scores"):
        backward(trace, {"output": np.ones(shape), "scores": trace["scores"].tensor})


def test_gradients_beyond_their_limit_are_refused_before_any_is_computed():
    trace = attention()(attention_arrays())
    needed = sum(stage.tensor.nbytes for stage in trace.values())  # no masks among them
    backward(trace, upstream(trace), replace(LIMITS, gradient_bytes=needed))
    with refuses("gradients_too_large", needed=needed, limit=needed - 1):
        backward(trace, upstream(trace), replace(LIMITS, gradient_bytes=needed - 1))


def test_gradients_of_a_batch_are_computed_and_one_sample_of_them_is_shown():
    trace = attention()(attention_arrays())
    made = backward(trace, upstream(trace))
    with refuses("one_sample", samples=BATCH):
        html(made)
    alone = attention()({k: v[:1] if k == "X" else v for k, v in attention_arrays().items()})
    assert "grad/weights" in html(backward(alone, upstream(alone)))
