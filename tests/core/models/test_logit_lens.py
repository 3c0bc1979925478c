"""The logit lens, by plain loops over the tensors of a small Llama."""

import math

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


def test_a_reading_is_the_final_norm_and_the_output_rows_on_the_stream_behind_a_layer():
    model, text = checkpoint.open(FOLDERS / "llama"), given("llama")
    tensors = load_file(FOLDERS / "llama" / "model.safetensors")
    read = model.readings(model.passed(text))
    assert len({reading.probabilities for reading in read}) == len(read) == model.layers
    for layer, reading in enumerate(read, start=1):
        stream = output_stage(model.run(text, layer)).tensor[0, -1]
        expected = by_loops(stream, tensors["model.norm.weight"], tensors["lm_head.weight"])
        listed = [expected[number] for number in reading.numbers]
        assert reading.probabilities == pytest.approx(listed, abs=1e-6)
        assert max(expected) == pytest.approx(max(listed))


@for_all("kind", ["bert", "vit"])
def test_a_model_that_is_no_decoder_has_none(kind):
    with pytest.raises(TypeError):
        checkpoint.open(FOLDERS / kind).passed("love")
