"""The photos: read from their files, with the same validation split each time."""

import io

import numpy as np
import pytest
from PIL import Image

from training.cifar.data import Photos, decode, read, split

COUNT = 60


def photos():
    """Every photo is one colour of its own."""
    pixels = np.arange(COUNT, dtype=np.uint8)[:, None, None, None].repeat(3, axis=3)
    labels = np.arange(COUNT) % 3
    return Photos(pixels, labels, ("cat", "dog", "ship"))


def test_a_photo_is_in_one_part_and_every_class_is_measured_alike():
    found = split(photos(), validation=5)
    assert np.bincount(found.validation.labels).tolist() == [5, 5, 5]
    both = [*found.train.pixels[:, 0, 0, 0], *found.validation.pixels[:, 0, 0, 0]]
    assert sorted(both) == list(range(COUNT))
    for part in (found.train, found.validation):
        assert (part.labels == part.pixels[:, 0, 0, 0] % 3).all()
    assert (split(photos(), 5).validation.pixels == found.validation.pixels).all()


def test_a_photo_is_the_file_between_two_offsets():
    colours = [(250, 10, 20), (20, 30, 240), (128, 128, 128)]
    files = []
    for colour in colours:
        file = io.BytesIO()
        Image.new("RGB", (32, 32), colour).save(file, "JPEG", quality=95)
        files.append(np.frombuffer(file.getvalue(), np.uint8))
    offsets = np.cumsum([0, *map(len, files)])
    labels, names = np.array([1, 0, 1], np.uint8), np.array(["cat", "ship"])
    found = decode(np.concatenate(files), offsets, labels, names)
    assert found.pixels.shape == (3, 32, 32, 3)
    assert found.pixels[:, 7, 9].astype(int) == pytest.approx(np.array(colours), abs=4)
    assert (found.labels.tolist(), found.names) == ([1, 0, 1], ("cat", "ship"))


def test_another_file_is_refused(tmp_path):
    np.savez(tmp_path / "photos.npz", jpeg=np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="is not the file with SHA-256 a4dbae4d"):
        read(tmp_path / "photos.npz")
