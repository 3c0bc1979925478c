"""Limits of checkpoints, and defaults of settings that config.json may omit."""

import math
import os
import re

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, LAYERS, attending, copied, given, opened
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file

from core.cost import trace_cost
from core.limits import Limits
from core.models import checkpoint, embeddings, forward

KINDS = tuple(LAYERS)


@for_all("kind", KINDS)
@for_all("asked", ["run", "survey"])
def test_a_trace_that_is_too_large_is_refused_before_a_layer_is_read(kind, asked):
    model, reported, layer = opened(kind), [], (2,) * (asked == "run")
    with refuses("trace_too_large"):
        getattr(model, asked)(
            given(kind), *layer, lambda *done: reported.append(done), Limits(trace_bytes=5_000)
        )
    assert not reported


def test_a_longer_text_than_is_allowed_is_refused_by_a_run_and_a_survey():
    model, short = opened("gpt2"), Limits(text=3)
    for ask in (
        lambda: model.run("love", 1, limits=short),
        lambda: model.survey("love", limits=short),
    ):
        with refuses("text_too_long"):
            ask()


@pytest.mark.parametrize(
    ("kind", "positions", "text"), [("bert", 19, "sun " * 17), ("gpt2", 37, "l" * 37)]
)
def test_a_text_may_have_as_many_tokens_as_the_model_has_positions(kind, positions, text):
    model = opened(kind)
    assert model.run(text, 1)["input/X"].size("token") == positions
    with refuses(
        "more_tokens_than_places", tokens=positions + 1 + (kind == "gpt2"), limit=positions
    ):
        model.run(text + text[: len(text) // 17], 1)


def test_a_tokenizer_file_of_65_megabytes_is_not_read(tmp_path):
    folder = copied("bert", tmp_path)
    os.truncate(folder / "tokenizer.json", 65_000_000)
    with refuses("checkpoint_file_too_large", file="tokenizer.json", size=65_000_000):
        checkpoint.open(folder)


def test_a_vit_without_biases_of_q_k_and_v_computes_as_if_they_were_0(tmp_path):
    biases = re.compile(r"attention\.(query|key|value)\.bias$")

    def without(tensors):
        return {name: tensor for name, tensor in tensors.items() if not biases.search(name)}

    def of_0(tensors):
        return {n: t * (not biases.search(n)) for n, t in tensors.items()}

    bare = opened("vit", copied("vit", tmp_path / "bare", without, qkv_bias=False))
    of_nothing = opened("vit", copied("vit", tmp_path / "zero", of_0))
    found, expected = (model.run(given("vit"), 3) for model in (bare, of_nothing))
    assert set(expected) - set(found) == {f"encoder/3/self/b_{letter}" for letter in "QKV"}
    for key, stage in found.items():
        np.testing.assert_allclose(stage.tensor, expected[key].tensor, atol=5e-6, err_msg=key)
    before_last = trace_cost(bare.run(given("vit"), 2)).bytes  # the final norm is not estimated
    assert embeddings.estimate_trace_bytes(bare._model, 10) == before_last


BENT = {
    "relu": lambda x: max(0.0, x),
    "gelu": lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2,
    "gelu_new": lambda x: x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
}
BENT["gelu_pytorch_tanh"] = BENT["gelu_new"]


@pytest.mark.parametrize("stated", BENT)
def test_a_layer_uses_the_activation_of_the_settings(stated, tmp_path):
    trace = opened("vit", copied("vit", tmp_path, hidden_act=stated)).run(given("vit"), 2)
    X, hidden = (trace[f"encoder/2/feed_forward/{k}"].tensor[0] for k in ("X", "hidden"))
    file = load_file(FOLDERS / "vit" / "model.safetensors")
    at = "encoder.layer.1.intermediate.dense."
    before = X.astype(np.float64) @ file[f"{at}weight"].T + file[f"{at}bias"]
    assert hidden == pytest.approx(np.vectorize(BENT[stated])(before), abs=1e-5)


@pytest.mark.parametrize(("block", "at_once"), [(1, 1), (2 * 101**2, 2), (3 * 101**2 - 1, 2)])
def test_as_many_heads_at_once_as_have_room_in_a_block(monkeypatch, block, at_once):
    heads, n, d_model, shapes = 7, 101, 14, []
    random = np.random.default_rng(3)
    X = random.standard_normal((n, d_model), np.float32)
    monkeypatch.setattr(forward, "BLOCK", block)
    layer = attending(heads, d_model)
    forward.attention(X, layer, False, lambda shares, _: shapes.append(shares.shape))
    assert max(count for count, *_ in shapes) == at_once
    assert sum(count * rows for count, rows, _ in shapes) == heads * n


@pytest.mark.parametrize(
    "name", ["pytorch_model.bin", "model.bin", "model.pt", "model.pth", "model.ckpt"]
)
def test_weights_that_are_there_as_a_pickle_alone_are_named(name, tmp_path):
    folder = copied("vit", tmp_path)
    (folder / "model.safetensors").rename(folder / name)
    with refuses("pickle_only", file=name):
        checkpoint.open(folder)
