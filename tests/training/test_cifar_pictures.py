"""Outliers, and the pointing accuracy of [CLS] on drawings with known masks."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from training.cifar import outliers
from training.cifar.clipart import FOLDER
from training.cifar.cls_attention import fixed_patch_accuracy, pointing_accuracy

RED, CLEAR = (255, 0, 0, 255), (0, 0, 0, 0)


def drawing(package: Path, name: str, size: tuple[int, int] = (40, 20)) -> Path:
    """A red bar whose upper half is clear."""
    path = package / FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGBA", size, CLEAR)
    image.paste(RED, (0, size[1] // 2, *size))
    image.save(path)
    return path


def photos(count: int = 5) -> np.ndarray:
    """Noise without any red."""
    noise = np.random.default_rng(1).integers(0, 200, (count, 32, 32, 3), dtype=np.uint8)
    return noise * np.array([0, 1, 1], np.uint8)


def test_no_outlier_of_the_training_is_evaluated_on(tmp_path: Path) -> None:
    assert not {*outliers.TRAINING_KINDS} & {*outliers.TEST_KINDS}
    for kind in (*outliers.TRAINING_KINDS, *outliers.TEST_KINDS):
        drawing(tmp_path, f"{kind}/bar.png")
    stamps = tmp_path / "stamps"
    for kind in outliers.THINGS:
        path = stamps / outliers.STAMPS / kind / "thing.png"
        path.parent.mkdir(parents=True)
        Image.new("RGBA", (10, 10), RED).save(path)
    once, again = (outliers.training_outliers(tmp_path, photos(), 30) for _ in range(2))
    assert once.shape == (30, 32, 32, 3)
    assert (once == again).all()
    found = outliers.evaluation_outliers(tmp_path, stamps, 4)
    assert {kind: len(one) for kind, one in found.items()} == {
        **{f"drawn {kind}": 1 for kind in outliers.TEST_KINDS},
        "photos of things": len(outliers.THINGS),
    }


def test_a_largest_weight_on_the_object_is_a_hit() -> None:
    on_object = np.array([[True, False, False], [False, True, True], [False, False, True]])
    rows = np.array([[0.5, 0.3, 0.1], [0.6, 0.2, 0.1], [0.0, 0.1, 0.9]])
    assert pointing_accuracy(rows, on_object) == pytest.approx(2 / 3)
    assert fixed_patch_accuracy(on_object) == pytest.approx(2 / 3)  # the third patch
