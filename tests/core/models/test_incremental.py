"""A forward pass in parts: what it gives is what one pass over the whole text gives,
and what the logit lens reads from it is what plain loops give."""

import math
from functools import partial

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, given
from claims import for_all
from safetensors.numpy import load_file

from core.models import checkpoint, embeddings, incremental
from core.models.block import output_stage
from core.models.incremental import Passed

DECODERS = ("llama", "qwen3", "gpt2", "gemma3_text")
EPSILON = 1e-6  # rms_norm_eps in config.json


def differences(one: Passed, other: Passed) -> float:
    pairs = [*zip(one.streams, other.streams, strict=True)]
    for caches in zip(one.caches, other.caches, strict=True):
        pairs += zip(*caches, strict=True)
    return max(float(np.abs(a - b).max()) for a, b in pairs)


@for_all("kind", DECODERS)
def test_one_token_after_the_other_is_one_pass_over_all_to_a_billionth(kind):
    model = checkpoint.open(FOLDERS / kind)
    encoding = model.encode(given(kind) * 2)
    X = embeddings.token_embeddings(model._model, encoding)["X"].tensor[0].astype(np.float64)
    whole = incremental.passed(model._model, Passed(), encoding.ids, X)
    parts = Passed()
    for i, number in enumerate(encoding.ids):
        parts = incremental.passed(model._model, parts, (number,), X[i : i + 1])
    assert parts.ids == encoding.ids
    assert differences(parts, whole) < 1e-9
    assert whole.streams[-1].dtype == np.float64  # else a billionth would be below its precision


@for_all("kind", DECODERS)
def test_it_is_the_forward_pass_that_predicts(kind):
    model, text, streams = checkpoint.open(FOLDERS / kind), given(kind), {}
    made = model.predict(text, streams=streams)
    found = model.passed(text)
    for layer, stream in streams.items():
        np.testing.assert_allclose(found.streams[layer - 1], stream, atol=1e-5)
    readings = model.readings(found)
    assert len(readings) == model.layers
    assert readings[-1].numbers == made.likeliest
    for reading in readings:
        assert made.likeliest[0] in reading.numbers
        assert reading.left == len(made.probabilities) - len(reading.numbers)
    expected = made.probabilities[list(readings[-1].numbers)]
    assert readings[-1].probabilities == pytest.approx(expected, abs=1e-6)


def test_only_tokens_behind_those_that_both_texts_begin_with_are_passed():
    model = checkpoint.open(FOLDERS / "llama")
    before, passed = model.passed("love lov 爱"), []

    def noted(model, known, ids, *more):
        passed.append(len(ids))
        return incremental_passed(model, known, ids, *more)

    incremental_passed, texts = incremental.passed, ("love lov 爱", "love", "love lov 爱e", "ove")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incremental, "passed", noted)
        found = [model.passed(text, before) for text in texts]
    tokens = [len(model.encode(text).ids) for text in texts]
    common = [before.common(model.encode(text).ids) for text in texts]
    assert passed == [n - k for n, k in zip(tokens, common, strict=True) if n > k]
    assert common[:2] == tokens[:2] and tokens[2] > common[2] > 0
    for text, one in zip(texts, found, strict=True):
        assert differences(one, model.passed(text)) < 1e-5


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


def test_a_reading_opens_down_to_the_sum_of_its_probabilities():
    model, text = checkpoint.open(FOLDERS / "qwen3"), given("qwen3")
    for layer, reading in enumerate(model.readings(model.passed(text)), start=1):
        stream = [*model.run(text, layer).values()][-1]
        trace = model.reading_trace(stream, reading)
        found = trace["probabilities"].tensor[0, 0, : len(reading.numbers)]
        assert found == pytest.approx(reading.probabilities, abs=1e-6)
        np.testing.assert_array_equal(trace["stream"].tensor, stream.tensor)


@for_all("kind", ["bert", "vit"])
def test_a_model_that_is_no_decoder_has_no_such_pass_writes_nothing_and_is_not_altered(kind):
    model = checkpoint.open(FOLDERS / kind)
    assert not model.decodes
    for ask in (model.passed, partial(model.write, most=1), partial(model.attention, layer=1)):
        with pytest.raises(TypeError, match="no decoder"):
            ask("love")
