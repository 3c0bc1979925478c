"""Llama-like decoders: what they have that GPT-2 has not, and what of it is refused by name."""

import json
import math

import numpy as np
import pytest
from checkpoint_folders import DECODERS, EXPECTED, FOLDERS, configured, copied, given
from claims import for_all
from refuses import refuses

from core import explain
from core.models import checkpoint
from core.rotary import Linear, Llama3

INDEX, PART = "model.safetensors.index.json", "model-00003-of-00005.safetensors"


@for_all("kind", DECODERS)
def test_the_next_tokens_probabilities_are_what_transformers_recorded(kind):
    made = checkpoint.open(FOLDERS / kind).predict(given(kind))
    assert np.abs(made.probabilities - EXPECTED[kind]["next"]).max() < 1e-5
    assert made.likeliest[0] == EXPECTED[kind]["next"].argmax()
    listed = made.trace["probabilities"].tensor[0, 0]
    assert listed[:-1] == pytest.approx(EXPECTED[kind]["next"][list(made.likeliest)], abs=1e-5)
    assert listed.sum() == pytest.approx(1, abs=1e-6)


@for_all("kind", DECODERS)
def test_every_cell_of_a_prediction_equals_its_explanation(kind):
    trace = checkpoint.open(FOLDERS / kind).predict(given(kind)).trace
    for key in ("X", "last_vector", "logits", "outcomes", "probabilities"):
        index = tuple(size - 1 for size in trace[key].tensor.shape)
        cell = explain(trace, key, index)
        assert cell.made_by.value == pytest.approx(cell.value, rel=1e-4, abs=1e-6), key
    last = trace["X"].size("token") - 1
    assert explain(trace, "last_vector", (0, 0, 3)).made_by.address.index == (0, last, 3)


def test_a_prediction_begins_where_an_earlier_run_was_and_leaves_its_streams():
    model, streams, reported = checkpoint.open(FOLDERS / "qwen3"), {}, []
    model.run(given("qwen3"), 2, streams=streams)
    first = model.predict(given("qwen3"), lambda *done: reported.append(done), streams=streams)
    assert reported == [(2, 3), (3, 3)]
    again = model.predict(given("qwen3"), lambda *done: reported.append(done), streams=streams)
    assert len(reported) == 2
    np.testing.assert_array_equal(first.probabilities, again.probabilities)


def test_the_chosen_token_is_appended_to_the_text():
    model = checkpoint.open(FOLDERS / "qwen3")
    vocabulary = json.loads((FOLDERS / "qwen3/tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    assert model.append_token("lov", vocabulary["e"]) == "love"
    assert model.append_token("lov", vocabulary["Ġlov"]) == "lov lov"
    assert model.append_token("lov", vocabulary["<|endoftext|>"]) is None


def test_a_token_of_incomplete_utf8_is_completed_by_the_likeliest_tokens():
    model = checkpoint.open(FOLDERS / "qwen3")
    vocabulary = json.loads((FOLDERS / "qwen3/tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    asked = []

    class First:
        likeliest = (vocabulary["\u013a"],)  # the byte 98, so that 0xE6 0x98 … is no character yet

    class Second:
        likeliest = (vocabulary["¯"],)  # the byte AF: 0xE6 0x98 0xAF is 是

    def predicted(embedded, x):
        asked.append(embedded["tokens"].size("token"))
        return First if len(asked) == 1 else Second

    model._predicted = predicted
    assert model.append_token("lo", vocabulary["æ"]) == "lo是"
    assert asked == [2, 3]


def test_a_model_without_a_language_model_head_refuses_to_predict(tmp_path):
    with pytest.raises(TypeError, match="predicts no token"):
        checkpoint.open(FOLDERS / "bert").predict("sun")

    def headless(tensors):
        return {name: tensor for name, tensor in tensors.items() if name != "lm_head.weight"}

    model = checkpoint.open(copied("llama", tmp_path, headless))
    assert not model.predicts
    assert model.run("love", 2)


def test_a_begin_token_precedes_the_text_and_spaces_are_preserved():
    encoding = checkpoint.open(FOLDERS / "llama").encode("love lov")
    assert (encoding.tokens[0], encoding.special) == ("<|endoftext|>", (0,))
    assert "".join(encoding.tokens[1:]) == "love␣lov"


OLDER = {"rope_parameters": ..., "rope_theta": 500.0}


def test_rotary_settings_of_older_files_are_read_alike():
    scaled = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    scaled |= {"original_max_position_embeddings": 31, "rope_type": "llama3"}
    old = configured("llama", rope_parameters=..., rope_theta=700.0, rope_scaling=scaled)
    assert old.rotary == configured("llama").rotary
    assert old.rotary.scaling == Llama3(8.0, 1.0, 4.0, 31)
    linear = configured("qwen3", **OLDER, rope_scaling={"type": "linear", "factor": 2.5})
    assert (linear.rotary.theta, linear.rotary.scaling) == (500.0, Linear(2.5))
    assert configured("qwen3", **OLDER, rope_scaling=None).rotary.scaling is None


def test_linear_scaling_divides_all_frequencies():
    plain, less = configured("qwen3").rotary, configured("qwen3", rope_parameters={
        "rope_type": "linear", "factor": 4.0, "rope_theta": 10_000.0}).rotary  # fmt: skip
    assert less.inv_freq * 4 == pytest.approx(plain.inv_freq)


def test_llama3_scaling_keeps_high_frequencies_and_divides_low_ones():
    rotary = configured("llama").rotary
    plain = 700.0 ** (-np.arange(0, 10, 2) / 10)
    turns = 31 * plain / (2 * math.pi)
    for now, before, often in zip(rotary.inv_freq, plain, turns, strict=True):
        if often >= 4:
            assert now == pytest.approx(before)
        elif often <= 1:
            assert now == pytest.approx(before / 8)
        else:
            mixed = (often - 1) / 3
            assert now == pytest.approx(before * mixed + before / 8 * (1 - mixed))
    assert (turns > 4).any()
    assert (turns < 1).any()


def test_null_heads_of_keys_are_as_many_as_query_heads():
    assert configured("qwen3", num_key_value_heads=None).kv_heads == 4


def test_qwen2_has_biases_of_q_k_and_v_alone_and_mistral_none():
    for kind, biases in (("qwen2", (True, False)), ("mistral", (False, False))):
        sizes = configured("qwen3", model_type=kind, layer_types=None)
        assert (sizes.qkv_bias, sizes.output_bias) == biases
        assert not sizes.qk_norm


def test_windows_slide_in_the_layers_in_which_transformers_has_them():
    layers = {"num_hidden_layers": 3, "sliding_window": 8}
    assert configured("llama", **layers).windows == (None,) * 3
    mistral = {"model_type": "mistral", "num_hidden_layers": 3}
    assert configured("llama", **mistral, sliding_window=8).windows == ((7, -1),) * 3
    assert configured("llama", **mistral, sliding_window=None).windows == (None,) * 3
    assert configured("llama", **mistral).windows == ((4095, -1),) * 3
    qwen = layers | {"use_sliding_window": True, "layer_types": None}
    assert configured("qwen3", **qwen).windows == (None,) * 3  # from layer 28 on
    assert configured("qwen3", **qwen, max_window_layers=2).windows == (None, None, (7, -1))
    assert configured("qwen3", **qwen, max_window_layers=0).windows == ((7, -1),) * 3
    assert configured("qwen3", **qwen | {"use_sliding_window": False}).windows == (None,) * 3
    types = ["sliding_attention", "full_attention", "sliding_attention"]
    assert configured("qwen3", **qwen | {"layer_types": types}).windows == ((7, -1), None, (7, -1))


def test_a_token_sees_no_further_back_than_its_window_and_all_ways_to_compute_agree(tmp_path):
    slides = {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 0}
    model = checkpoint.open(copied("qwen3", tmp_path, layer_types=None, **slides))
    text = "love love love é"
    survey = model.survey(text)
    for layer in range(1, model.layers + 1):
        trace = model.run(text, layer)  # the layers before it are computed without a trace
        weights = trace[f"encoder/{layer}/self/weights"].tensor[0]
        for head, i, j in np.ndindex(weights.shape):
            assert (weights[head, i, j] > 0) == (0 <= i - j < 3), (head, i, j)
        allowed = trace[f"encoder/{layer}/self/sliding_window"].tensor
        assert not allowed[3, 0]
        assert allowed[3, 1]
        found = [head.peak for head in survey[layer - 1]]
        peaks = weights[:, 1:].max(axis=2).mean(axis=1)  # the first token has no choice
        assert found == pytest.approx(peaks.tolist(), abs=1e-6)


def test_heads_that_do_not_divide_the_width_are_refused_where_no_width_is_stated(tmp_path):
    with refuses("heads_do_not_divide"):
        checkpoint.open(copied("llama", tmp_path, head_dim=None, hidden_size=20))


def test_a_single_file_takes_precedence_over_an_index(tmp_path):
    folder = copied("vit", tmp_path)
    (folder / INDEX).write_text("{")
    assert checkpoint.open(folder).layers == 3


def test_of_weights_in_several_files_what_is_missing_is_named(tmp_path):
    folder = copied("qwen3", tmp_path / "model")
    index = json.loads((folder / INDEX).read_text())
    del index["weight_map"]["model.layers.1.mlp.up_proj.weight"]
    (folder / INDEX).write_text(json.dumps(index))
    with refuses("missing_tensor", name="layers.1.mlp.up_proj.weight"):
        checkpoint.open(folder)
    (folder / PART).rename(tmp_path / "outside")
    with refuses("missing_file", file=PART):
        checkpoint.open(folder)
    (folder / PART).symlink_to(tmp_path / "outside")
    with refuses("outside_folder", file=PART):
        checkpoint.open(folder)
    (folder / INDEX).unlink()
    with refuses("missing_file", file=INDEX):
        checkpoint.open(folder)


@for_all(
    "index",
    [
        "\n",
        "[]",
        "{}",
        '{"weight_map": []}',
        '{"weight_map": {}}',
        '{"weight_map": {"a": 1}}',
        '{"weight_map": {"a": "../model.safetensors"}}',
        '{"weight_map": {"a": "/etc/passwd"}}',
    ],
)
def test_an_invalid_index_is_damaged(index, tmp_path_factory):
    folder = copied("qwen3", tmp_path_factory.mktemp("sharded"))
    (folder / INDEX).write_text(index)
    with refuses("damaged_checkpoint", file=INDEX):
        checkpoint.open(folder)
