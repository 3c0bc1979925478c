"""Small checkpoints of each kind against what ``transformers`` computed with them in float64."""

import json

import numpy as np
import pytest
from checkpoint_folders import (
    EXPECTED,
    FOLDERS,
    LAYERS,
    PICTURED,
    SOUNDS,
    copied,
    file_of,
    given,
    opened,
    sharded,
)
from claims import for_all
from safetensors.numpy import load_file

from core import explain
from core.cost import trace_cost
from core.models import embeddings, forward
from core.nested import parts, subtrace
from core.rules import Given, Operand

HEADS = {"bert": 3, "vit": 2, "gpt2": 5, "llama": 6, "qwen3": 4, "gemma3_text": 4}
HEADS |= {"roberta": 3, "distilbert": 2, "modernbert": 4}
HEADS |= {"deit": 2, "dinov2": 3, "dinov2_with_registers": 2, "clip_vision_model": 3}
HEADS |= {"clip_text_model": 5, "whisper": 2}
POST_NORM = ("bert", "roberta", "distilbert")
EVERY_LAYER = [(kind, layer) for kind, count in LAYERS.items() for layer in range(1, count + 1)]


def last_of(trace, layer):
    return list(subtrace(trace, f"encoder/{layer}/feed_forward").values())[-1].tensor[0]


def apart(trace, kind, layer):
    """How far a layer's attention and what it hands on are from what was recorded."""
    weights = trace[f"encoder/{layer}/self/weights"].tensor[0]
    return max(
        np.abs(weights - EXPECTED[kind][f"weights/{layer}"]).max(),
        np.abs(last_of(trace, layer) - EXPECTED[kind][f"hidden/{layer}"]).max(),
    )


@for_all(("kind", "layer"), EVERY_LAYER)
def test_attention_and_output_of_every_layer_are_what_transformers_recorded(kind, layer):
    trace = opened(kind).run(given(kind), layer)
    assert trace[f"encoder/{layer}/self/weights"].tensor.dtype == np.float32
    assert apart(trace, kind, layer) < 2e-5


@for_all("kind", LAYERS)
def test_a_trace_has_the_input_and_the_two_parts_of_one_layer(kind):
    model = opened(kind)
    trace = model.run(given(kind), 1)
    assert parts(trace) == ("input", "encoder/1/self", "encoder/1/feed_forward")
    tokens = ("patch", "patch") if kind in PICTURED else ("piece", "word")
    tokens = ("frame", "frame") if kind in SOUNDS else tokens
    assert (trace.token, model.token) == tokens
    assert (model.layers, model.heads) == (LAYERS[kind], HEADS[kind])


@for_all("kind", LAYERS)
def test_the_first_layer_takes_the_input_as_it_is(kind):
    trace = opened(kind).run(given(kind), 1)
    begins = "X" if kind in POST_NORM else "stream"
    rule = trace[f"encoder/1/self/{begins}"].rule
    assert isinstance(rule, Operand)
    assert rule.stage == "input/X"
    assert (trace[f"encoder/1/self/{begins}"].tensor == trace["input/X"].tensor).all()


@for_all("kind", LAYERS)
def test_every_computed_cell_equals_its_explanation(kind):
    trace = opened(kind).run(given(kind), 1)
    random = np.random.default_rng(5)
    for key, stage in trace.items():
        if not isinstance(stage.rule, Given):
            index = tuple(int(random.integers(size)) for size in stage.tensor.shape)
            cell = explain(trace, key, index)
            assert cell.made_by.value == pytest.approx(cell.value, rel=1e-4, abs=1e-5), key


@pytest.mark.parametrize("kind", LAYERS)
def test_a_layer_without_a_trace_has_the_output_of_the_traced_layer(kind, monkeypatch):
    model = opened(kind)
    first, second = model.run(given(kind), 1), model.run(given(kind), 2)
    begins = next(iter(subtrace(second, "encoder/2/self").values()))
    assert np.abs(begins.tensor[0] - last_of(first, 1)).max() < 5e-6
    monkeypatch.setattr(forward, "BLOCK", 97)  # one head, and a few rows, at a time
    monkeypatch.setattr(forward, "FEW", 0)
    in_blocks = next(iter(subtrace(model.run(given(kind), 2), "encoder/2/self").values()))
    assert np.abs(begins.tensor - in_blocks.tensor).max() < 5e-6


def renamed(change):
    return lambda tensors: {change(name): tensor for name, tensor in tensors.items()}


OTHER_FILES = {
    "bert with gamma and beta and without its prefix": (
        "bert",
        renamed(
            lambda name: (
                name.removeprefix("bert.")
                .replace("LayerNorm.weight", "LayerNorm.gamma")
                .replace("LayerNorm.bias", "LayerNorm.beta")
            )
        ),
    ),
    "vit with its prefix": ("vit", renamed(lambda name: f"vit.{name}")),
    "gpt2 without its prefix": ("gpt2", renamed(lambda name: name.removeprefix("transformer."))),
    "gpt2 with masks": (
        "gpt2",
        lambda tensors: (
            tensors
            | {f"transformer.h.{i}.attn.bias": np.tri(37)[None, None] for i in range(2)}
            | {f"transformer.h.{i}.attn.masked_bias": np.array(-1e4) for i in range(2)}
        ),
    ),
    "gpt2 with its head": (
        "gpt2",
        lambda tensors: tensors | {"lm_head.weight": tensors["transformer.wte.weight"]},
    ),
    "vit in double precision": (
        "vit",
        lambda tensors: {name: tensor.astype(np.float64) for name, tensor in tensors.items()},
    ),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_the_same_numbers_under_other_names_give_the_same(name, tmp_path):
    kind, change = OTHER_FILES[name]
    trace = opened(kind, copied(kind, tmp_path, change)).run(given(kind), 2)
    assert apart(trace, kind, 2) < 2e-5


@for_all("kind", [kind for kind in LAYERS if kind != "qwen3"])  # which is in several files as it is
def test_weights_in_several_files_are_those_of_one_file(kind, tmp_path_factory):
    several = opened(kind, sharded(kind, tmp_path_factory.mktemp(kind)))
    traces = [model.run(given(kind), LAYERS[kind]) for model in (opened(kind), several)]
    assert all((traces[0][key].tensor == traces[1][key].tensor).all() for key in traces[1])
    assert traces[0].keys() == traces[1].keys()


def test_bfloat16_is_read_by_its_bits(tmp_path):
    stored = load_file(FOLDERS / "vit" / "model.safetensors")
    bits = {name: tensor.view(np.uint32) >> 16 for name, tensor in stored.items()}
    narrow, plain = copied("vit", tmp_path / "narrow"), tmp_path / "plain"
    upper_halves = {name: ("BF16", part.astype("<u2")) for name, part in bits.items()}
    (narrow / "model.safetensors").write_bytes(file_of(upper_halves))
    copied("vit", plain, lambda _: {name: (b << 16).view(np.float32) for name, b in bits.items()})
    found, expected = (opened("vit", folder).run(given("vit"), 3) for folder in (narrow, plain))
    assert all((found[key].tensor == expected[key].tensor).all() for key in expected)


def test_pixels_are_brought_to_the_mean_and_deviation_that_the_folder_states(tmp_path):
    folder = copied("vit", tmp_path)
    stated = {"image_mean": [0.1, 0.2, 0.3], "image_std": [0.5, 0.25, 0.125]}
    (folder / "preprocessor_config.json").write_text(json.dumps(stated))
    pixels = np.full((15, 15, 3), 51, np.uint8)  # a fifth
    image = opened("vit", folder).run(pixels, 1)["input/image"].tensor
    assert image[0, 7, 7] == pytest.approx([0.2, 0.0, -0.8], abs=1e-6)
    plain = opened("vit").run(pixels, 1)["input/image"].tensor
    assert plain[0, 7, 7] == pytest.approx([-0.6] * 3, abs=1e-6)


@pytest.mark.parametrize("kind", LAYERS)
def test_progress_is_reported_by_layer_and_no_later_layer_is_computed(kind, monkeypatch):
    model, reported, read = opened(kind), [], []
    layer_of = type(model._model).layer
    monkeypatch.setattr(
        type(model._model),
        "layer",
        lambda self, number: read.append(number) or layer_of(self, number),
    )
    model.run(given(kind), 2, lambda done, of: reported.append((done, of)))
    assert reported == [(1, 2), (2, 2)]
    assert read == [1, 2]


@for_all("kind", LAYERS)
def test_the_estimated_bytes_of_a_trace_are_exact(kind):
    model = opened(kind)
    trace = model.run(given(kind), min(2, LAYERS[kind] - 1))  # the final norm is not estimated
    n = trace["input/X"].size("token")
    needed = trace_cost(trace).bytes
    if kind not in (
        *PICTURED,
        *SOUNDS,
    ):  # tokens are 8 bytes each, and those that come twice have one row of E
        ids = trace["input/tokens"].tensor
        needed += 4 * (ids.size - trace["input/E"].tensor.shape[0]) * model.config.d_model
    assert embeddings.estimate_trace_bytes(model._model, n) == needed
