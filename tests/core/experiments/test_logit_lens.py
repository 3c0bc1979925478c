"""The logit lens, by plain loops over the tensors of a small Llama."""

import math

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, given
from claims import for_all
from safetensors.numpy import load_file

from core.models import checkpoint
from core.models.block import output_stage

EPSILON = 1e-6  # rms_norm_eps in config.json


def by_loops(vector, gamma, rows):
    """softmax(γ ⊙ x / √(mean x² + ε) · row) over all rows."""
    mean_square = sum(float(x) ** 2 for x in vector) / len(vector)
    root = math.sqrt(mean_square + EPSILON)
    normed = [float(g) * float(x) / root for g, x in zip(gamma, vector, strict=True)]
    logits = [sum(float(w) * x for w, x in zip(row, normed, strict=True)) for row in rows]
    largest = max(logits)
    parts = [math.exp(logit - largest) for logit in logits]
    return [part / sum(parts) for part in parts]


def test_every_row_is_the_final_norm_and_the_output_rows_on_the_stream_behind_a_layer():
    model, text = checkpoint.open(FOLDERS / "llama"), given("llama")
    tensors = load_file(FOLDERS / "llama" / "model.safetensors")
    last = model.encode(text).ids[-1]
    streams = [tensors["model.embed_tokens.weight"][last]]
    for layer in range(1, model.layers + 1):
        streams.append(output_stage(model.run(text, layer)).tensor[0, -1])
    found = model.logit_lens(text)
    assert len(found) == model.layers + 1
    for row, stream in zip(found, streams, strict=True):
        expected = by_loops(stream, tensors["model.norm.weight"], tensors["lm_head.weight"])
        assert row == pytest.approx(expected, abs=1e-6)
    assert np.abs(np.diff(found, axis=0)).max(axis=1).min() > 1e-5  # each layer changes it


@for_all("kind", ["llama", "gpt2", "qwen3", "gemma3_text"])
def test_behind_the_last_layer_it_is_the_prediction(kind):
    model, text = checkpoint.open(FOLDERS / kind), given(kind)
    np.testing.assert_allclose(
        model.logit_lens(text)[-1], model.predict(text).probabilities, rtol=1e-5
    )


def test_layers_that_are_cached_are_not_computed_again():
    model, text, progress, streams = checkpoint.open(FOLDERS / "qwen3"), given("qwen3"), [], {}
    model.predict(text, streams=streams)
    streams[3] = np.zeros_like(streams[3])  # so that a second computation would show
    found = model.logit_lens(text, lambda *done: progress.append(done), streams=streams)
    assert progress == [(1, 3), (2, 3), (3, 3)]
    assert found[2] == pytest.approx(1 / found.shape[1])


@for_all("kind", ["bert", "vit"])
def test_a_model_that_is_no_decoder_has_none(kind):
    with pytest.raises(TypeError):
        checkpoint.open(FOLDERS / kind).logit_lens("love")
