"""What the card counts, on rows of weights small enough to count by hand."""

import numpy as np
import pytest

from core.models import vision as app
from training.pictures import picture

torch = pytest.importorskip("torch")

from training.vision_measure import (  # noqa: E402
    Labelled,
    Looks,
    by_position_alone,
    labelled,
    looks,
    rollout,
)
from training.vision_model import Config, forward, parameters  # noqa: E402

THREE = Labelled(  # three pictures of five patches
    pixels=torch.zeros(3, 0),
    on_object=torch.tensor([[0, 1, 1, 0, 0], [0, 1, 0, 0, 0], [1, 1, 0, 0, 0]], dtype=torch.bool),
    labels=torch.tensor([0, 1, 2]),
    area=0.25,
)


def test_cls_itself_is_never_the_peak_but_keeps_its_share_of_the_unit():
    rows = torch.tensor([
        [0.5, 0.0, 0.1, 0.3, 0.1, 0.0],  # the peak is on the object, which gets 0.4
        [0.5, 0.1, 0.1, 0.3, 0.0, 0.0],  # it is beside it, 0.1
        [0.0, 0.2, 0.8, 0.0, 0.0, 0.0],  # on it, 1
    ])  # fmt: skip
    found = looks(rows, THREE)
    assert found == Looks(pytest.approx(2 / 3), pytest.approx(1.5 / 3))


def test_chance_is_the_share_of_patches_and_position_alone_the_best_patch():
    by_chance, best_patch = by_position_alone(THREE)
    assert by_chance == pytest.approx(5 / 15)
    assert best_patch == 1  # the second patch is on every object


def test_a_patch_overlaps_an_object_as_soon_as_one_pixel_does():
    found = labelled(range(7, 12), Config())
    for i, seed in enumerate(range(7, 12)):
        mask = picture(seed).mask
        for patch in range(64):
            top, left = 8 * (patch // 8), 8 * (patch % 8)
            assert found.on_object[i, patch] == mask[top : top + 8, left : left + 8].any()


def test_rollout_is_the_one_that_the_app_shows():
    config = Config()
    pixels = np.random.default_rng(3).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)
    stages = forward(parameters(config, 5), config, torch.from_numpy(pixels))
    names = [f"encoder/{layer}/self/weights" for layer in range(1, config.layers + 1)]
    ours = rollout(torch.stack([stages[name].detach() for name in names]))
    weights = {name: Weights(stages[name].detach().numpy()) for name in names}
    assert ours.numpy() == pytest.approx(app.rollout(weights, config.layers), abs=1e-6)
    assert ours.sum(-1).numpy() == pytest.approx(1, abs=1e-5)


class Weights:
    """A stage as far as rollout asks for it."""

    def __init__(self, tensor):
        self.tensor = tensor

    def size(self, role):
        assert role == "key"
        return self.tensor.shape[-1]
