"""The NumPy vision transformer against what PyTorch's own encoder layers computed.

Recorded in float64 for one picture when the model was measured (``training.cifar.ship``), of
stages with many rows only some.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from safetensors.numpy import load_file

from core.models.stored import FOLDER, read_folder
from core.models.vision import Vision
from core.sources import picture

REFERENCE = Path(__file__).parent / "data" / "vision_reference.safetensors"
ROWS = [0, 1, 7, 13, 29, 43, 61]
RECORDED = load_file(REFERENCE)
STAGES = sorted(set(RECORDED) - {"pixels"})


@cache
def trace(precision=np.float64):
    images = picture.values(RECORDED["pixels"]).astype(precision)
    return Vision(read_folder(FOLDER / "vision", precision)).trace(images)


def rows(path, tensor):
    """What is recorded of a stage: some of its tokens or queries."""
    if path.startswith("prediction/"):
        return tensor[:, 0]  # the one row of [CLS]
    return tensor.take(ROWS, axis=tensor.ndim - 2)


def test_every_layer_and_the_prediction_are_recorded():
    layers = range(1, Vision(read_folder(FOLDER / "vision", np.float64)).layers + 1)
    of_layers = {
        f"encoder/{layer}/{stage}"
        for layer in layers
        for stage in ("self/weights", "feed_forward/residual")
    }
    assert {*STAGES} == of_layers | {
        "input/X", "prediction/logits", "prediction/probabilities"
    }  # fmt: skip


@for_all("path", STAGES)
def test_a_stage_is_what_pytorch_recorded(path):
    found = rows(path, trace()[path].tensor)
    assert found.shape == RECORDED[path].shape
    assert found == pytest.approx(RECORDED[path], rel=1e-6, abs=1e-6)


@for_all("path", STAGES)
def test_a_stage_in_single_precision_is_within_1e_5_of_its_largest_number(path):
    found = rows(path, trace(np.float32)[path].tensor)
    assert np.abs(found - RECORDED[path]).max() <= 1e-5 * max(1, np.abs(RECORDED[path]).max())
