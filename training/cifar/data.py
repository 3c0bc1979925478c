"""Photos of CIFAR-10: read, decoded, and split by a fixed seed.

Source: the 50,000 training images of https://www.cs.toronto.edu/~kriz/cifar.html ("Learning
Multiple Layers of Features from Tiny Images", Krizhevsky, 2009), 32 × 32 pixels, ten classes. The
file is a copy of them, each encoded anew as a JPEG, in an NPZ of four arrays: ``jpeg``, the bytes
of all files one behind the other; ``offsets``, where each begins and the last one ends; ``label``;
``names``.
"""

import hashlib
import io
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

SHA256 = "a4dbae4d69b86676744bf0d5b8b44aff30e63acd1e7fc4c09fa5eed92330820f"
SEED = 10
VALIDATION = 500  # photos of each class


@dataclass(frozen=True)
class Photos:
    """pixels: (photo, 32, 32, 3), uint8. labels: (photo,), int64. names: of the classes."""

    pixels: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def some(self, rows: np.ndarray) -> "Photos":
        """The photos with these indices."""
        return Photos(self.pixels[rows], self.labels[rows], self.names)


@dataclass(frozen=True)
class Split:
    """The training part, and the part on which settings and the threshold are chosen."""

    train: Photos
    validation: Photos


def read(path: Path) -> Photos:
    """All photos of the file. Raises ValueError where it is not the file named above."""
    packed = path.read_bytes()
    if hashlib.sha256(packed).hexdigest() != SHA256:
        raise ValueError(f"{path} is not the file with SHA-256 {SHA256}")
    with np.load(io.BytesIO(packed)) as stored:
        return decode(*(stored[name] for name in ("jpeg", "offsets", "label", "names")))


def decode(jpeg: np.ndarray, offsets: np.ndarray, labels: np.ndarray, names: np.ndarray) -> Photos:
    """The decoded photos; file i lies between offsets i and i + 1 of ``jpeg``."""
    files = (jpeg[i:j].tobytes() for i, j in pairwise(offsets))
    pixels = np.stack([np.asarray(Image.open(io.BytesIO(file)).convert("RGB")) for file in files])
    return Photos(pixels, labels.astype(np.int64), tuple(str(name) for name in names))


def split(photos: Photos, validation: int = VALIDATION) -> Split:
    """The same split each time, with ``validation`` photos of every class held out."""
    order = np.random.default_rng(SEED).permutation(len(photos))
    held_out = [order[photos.labels[order] == c][:validation] for c in range(len(photos.names))]
    rows = np.sort(np.concatenate(held_out))
    train_rows = np.setdiff1d(np.arange(len(photos)), rows)
    return Split(photos.some(train_rows), photos.some(rows))
