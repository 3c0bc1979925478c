"""The NumPy vision transformer against PyTorch: recorded, and recomputed where it is at hand.

Recorded is what PyTorch computed in float64 for the first sample picture (``python -m
training.vision_reference``), of stages with many rows only some. Recomputed it is with PyTorch's
own encoder layer, which shares no line with the recording.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from PIL import Image
from safetensors.numpy import load_file

from core.models.stored import read
from core.models.vision import Vision, load, rollout
from core.rules import Given
from core.sources import picture
from training.pictures_samples import SAMPLES, first, path_of

REFERENCE = Path(__file__).parent / "data" / "vision_reference.safetensors"
ROWS = [0, 1, 7, 13, 29, 43, 61]
RECORDED = load_file(REFERENCE)
STAGES = sorted(set(RECORDED) - {"pixels"})


@cache
def trace(precision=np.float64):
    images = picture.values(RECORDED["pixels"]).astype(precision)
    return Vision(read("vision", precision)).trace(images)


def rows(path, tensor):
    """What is recorded of a stage: some of its patches, tokens or queries."""
    if path == "input/image":
        return tensor
    if path in ("prediction/logits", "prediction/probabilities"):
        return tensor[:, 0]  # the one row of [CLS]
    return tensor.take(ROWS, axis=1 if path == "input/patches" else tensor.ndim - 2)


def test_the_recorded_picture_is_the_red_ring_among_the_samples():
    assert np.array_equal(RECORDED["pixels"][0], np.asarray(Image.open(path_of("red", "ring"))))


def test_every_stage_that_is_computed_is_recorded():
    computed = {path for path, stage in trace().items() if not isinstance(stage.rule, Given)}
    assert computed - {"prediction/cls_vector"} <= set(STAGES)
    assert {"encoder/3/self/weights", "prediction/probabilities"} <= computed


@for_all("path", STAGES)
def test_a_stage_is_what_pytorch_recorded(path):
    found = rows(path, trace()[path].tensor)
    assert found.shape == RECORDED[path].shape
    assert found == pytest.approx(RECORDED[path], rel=1e-6, abs=1e-6)


@for_all("path", STAGES)
def test_a_stage_in_single_precision_is_within_1e_5_of_its_largest_number(path):
    found = rows(path, trace(np.float32)[path].tensor)
    assert np.abs(found - RECORDED[path]).max() <= 1e-5 * max(1, np.abs(RECORDED[path]).max())


@for_all("sample", SAMPLES)
def test_a_sample_is_recognised_and_cls_looks_at_its_object(sample):
    model, drawn = load(), first(*sample)
    found = model.classify(drawn.pixels)
    assert found.label == sample
    best = model.stored.training["best_head"]
    weights = found.trace[f"encoder/{best['layer']}/self/weights"].tensor[0, best["head"] - 1]
    side = model.side // model.patch
    on_object = drawn.mask.reshape(side, model.patch, side, model.patch).any((1, 3)).ravel()
    for looks in (weights, rollout(found.trace, model.layers)[0]):
        assert on_object[looks[0, 1:].argmax()]


def test_pytorchs_own_encoder_layers_give_the_same_numbers():
    torch = pytest.importorskip("torch")
    stored = read("vision", np.float64)
    sizes = stored.config
    X = torch.tensor(trace()["input/X"].tensor)
    for number in range(1, sizes["layers"] + 1):
        layer = torch.nn.TransformerEncoderLayer(
            sizes["d_model"],
            sizes["heads"],
            sizes["d_ff"],
            dropout=0,
            activation="gelu",
            layer_norm_eps=sizes["epsilon"],
            batch_first=True,
            norm_first=True,
            dtype=torch.float64,
        ).eval()
        layer.load_state_dict(theirs(torch, stored.tensors, f"encoder/{number}"))
        with torch.no_grad():
            normalised = layer.norm1(X)
            _, weights = layer.self_attn(
                normalised, normalised, normalised, average_attn_weights=False
            )
            X = layer(X)
        ours = trace()[f"encoder/{number}/self/weights"].tensor
        assert weights.numpy() == pytest.approx(ours, abs=1e-12)
        ours = trace()[f"encoder/{number}/feed_forward/residual"].tensor
        assert X.numpy() == pytest.approx(ours, abs=1e-10)


def theirs(torch, tensors, path):
    """Our matrices (in, out) under PyTorch's names, as it keeps them: (out, in), Q K V stacked."""

    def of(name):
        return torch.tensor(tensors[f"{path}/{name}"].T)

    one, two = "self", "feed_forward"
    return {
        "self_attn.in_proj_weight": torch.cat([of(f"{one}/W_{name}") for name in "QKV"]),
        "self_attn.in_proj_bias": torch.cat([of(f"{one}/b_{name}") for name in "QKV"]),
        "self_attn.out_proj.weight": of(f"{one}/W_O"),
        "self_attn.out_proj.bias": of(f"{one}/b_O"),
        "linear1.weight": of(f"{two}/W_1"),
        "linear1.bias": of(f"{two}/b_1"),
        "linear2.weight": of(f"{two}/W_2"),
        "linear2.bias": of(f"{two}/b_2"),
        "norm1.weight": of(f"{one}/gamma"),
        "norm1.bias": of(f"{one}/beta"),
        "norm2.weight": of(f"{two}/gamma"),
        "norm2.bias": of(f"{two}/beta"),
    }
