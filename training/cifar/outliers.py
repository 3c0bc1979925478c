"""Pictures of none of the ten classes, for training and for evaluation.

A model that learns to give all classes the same probability on some outliers also does so on other
kinds ("Deep Anomaly Detection with Outlier Exposure", Hendrycks et al., 2019). It is evaluated on
kinds of drawings that are not in the training, and on cut-out photos of things from Debian's
package ``tuxpaint-stamps-default`` (2022.06.04-1, GPL-2), which are for evaluation alone.
"""

from pathlib import Path

import numpy as np

from training.cifar.clipart import SIDE, WHITE, centred, enlarged_crop, files, pasted

COUNT = 20_000  # of training outliers
TRAINING_KINDS = (
    "computer", "containers", "decorations", "education", "electronics", "geography", "logos",
    "office", "plants", "science", "shapes", "signs_and_symbols", "special",
)  # fmt: skip
TEST_KINDS = ("buildings", "food", "people", "recreation", "tools")
STAMPS = "usr/share/tuxpaint/stamps"
THINGS = ("clothes", "food", "hobbies", "household", "medical", "plants", "symbols/money")
CARTOON = "cartoon"  # folder of stamps that are drawn


def training_outliers(
    package: Path, photos: np.ndarray, count: int = COUNT, seed: int = 1
) -> np.ndarray:
    """Drawings on backgrounds, enlarged crops of photos, and patterns: (count, 32, 32, 3) uint8."""
    rng = np.random.default_rng(seed)
    drawings = [file for kind in TRAINING_KINDS for file in files(package, kind, rng)]
    pixels = []
    for _ in range(count):
        draw = rng.random()
        if draw < 0.55:
            file = drawings[rng.integers(len(drawings))]
            pixels.append(
                pasted(file, _background(photos, rng), (SIDE // 2, SIDE * 5 // 4), rng)[0]
            )
        else:
            pixels.append(enlarged_crop(photos, rng) if draw < 0.8 else _pattern(rng))
    return np.stack(pixels)


def evaluation_outliers(
    package: Path, stamps: Path, count: int, seed: int = 2
) -> dict[str, np.ndarray]:
    """Outliers by kind, (picture, 32, 32, 3) uint8, each on white.

    ``count`` drawings of each kind, and as many photos as drawings in all.
    package, stamps: the unpacked packages of drawings and of photos.
    """
    rng = np.random.default_rng(seed)
    files_by_kind = {f"drawn {kind}": files(package, kind, rng)[:count] for kind in TEST_KINDS}
    photos = [
        file
        for kind in THINGS
        for file in sorted((stamps / STAMPS / kind).rglob("*.png"))
        if CARTOON not in file.parts
    ]
    order = rng.permutation(len(photos))[: count * len(TEST_KINDS)]
    files_by_kind["photos of things"] = [photos[i] for i in order]
    return {
        kind: np.stack([centred(file) for file in kind_files])
        for kind, kind_files in files_by_kind.items()
    }


def _background(photos: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    draw = rng.random()
    if draw < 0.4:
        return enlarged_crop(photos, rng)
    colour = WHITE if draw < 0.7 else rng.integers(0, 256, 3)
    return np.full((SIDE, SIDE, 3), colour, np.uint8)


def _pattern(rng: np.random.Generator) -> np.ndarray:
    """Noise, stripes, a checkerboard or a gradient of two colours."""
    colours = rng.integers(0, 256, (2, 3))
    across, down = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    rotated = np.cos(angle := rng.uniform(0, np.pi)) * across + np.sin(angle) * down
    width = rng.uniform(2, 12)
    mix = [
        lambda: rng.random((SIDE, SIDE)),
        lambda: rotated // width % 2,
        lambda: (across // width + down // width) % 2,
        lambda: (rotated - rotated.min()) / np.ptp(rotated),
    ][rng.integers(4)]()
    return np.rint(colours[0] + mix[..., None] * (colours[1] - colours[0])).astype(np.uint8)
