"""Pictures of what is none of the ten classes, to learn from and to measure on.

Who learns to give every class the same probability where nothing known is seen says so of other
strange pictures too ("Deep Anomaly Detection with Outlier Exposure", Hendrycks et al., 2019).
Measured is on kinds of drawings of which none is learnt, and on cut-out photos of things: those of
Debian's package ``tuxpaint-stamps-default`` (2022.06.04-1, GPL-2), from which nothing is learnt.
"""

from pathlib import Path

import numpy as np

from training.cifar.drawings import SIDE, WHITE, files, part, placed, whole

COUNT = 20_000  # pictures to learn from, drawn once
LEARNT = (
    "computer", "containers", "decorations", "education", "electronics", "geography", "logos",
    "office", "plants", "science", "shapes", "signs_and_symbols", "special",
)  # fmt: skip
DRAWN = ("buildings", "food", "people", "recreation", "tools")
STAMPS = "usr/share/tuxpaint/stamps"
THINGS = ("clothes", "food", "hobbies", "household", "medical", "plants", "symbols/money")
CARTOON = "cartoon"  # folder of stamps that are drawn


def learnt(package: Path, photos: np.ndarray, count: int = COUNT, seed: int = 1) -> np.ndarray:
    """(count, 32, 32, 3) uint8: drawings on grounds of every sort, parts of photos, patterns."""
    rng = np.random.default_rng(seed)
    drawings = [file for kind in LEARNT for file in files(package, kind, rng)]
    made = []
    for _ in range(count):
        sort = rng.random()
        if sort < 0.55:
            file = drawings[rng.integers(len(drawings))]
            made.append(placed(file, _ground(photos, rng), (SIDE // 2, SIDE * 5 // 4), rng)[0])
        else:
            made.append(part(photos, rng) if sort < 0.8 else _pattern(rng))
    return np.stack(made)


def measured(package: Path, stamps: Path, count: int, seed: int = 2) -> dict[str, np.ndarray]:
    """``count`` drawings of each kind and as many photos as of all of these, each on white.

    stamps: the unpacked package of photos. Returns (picture, 32, 32, 3) uint8 by kind.
    """
    rng = np.random.default_rng(seed)
    found = {f"drawn {kind}": files(package, kind, rng)[:count] for kind in DRAWN}
    photos = [
        file
        for kind in THINGS
        for file in sorted((stamps / STAMPS / kind).rglob("*.png"))
        if CARTOON not in file.parts
    ]
    order = rng.permutation(len(photos))[: count * len(DRAWN)]
    found["photos of things"] = [photos[i] for i in order]
    return {kind: np.stack([whole(file) for file in some]) for kind, some in found.items()}


def _ground(photos: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    sort = rng.random()
    if sort < 0.4:
        return part(photos, rng)
    colour = WHITE if sort < 0.7 else rng.integers(0, 256, 3)
    return np.full((SIDE, SIDE, 3), colour, np.uint8)


def _pattern(rng: np.random.Generator) -> np.ndarray:
    """Noise, stripes, a checkerboard or a gradient of two colours."""
    colours = rng.integers(0, 256, (2, 3))
    across, down = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    turned = np.cos(angle := rng.uniform(0, np.pi)) * across + np.sin(angle) * down
    width = rng.uniform(2, 12)
    share = [
        lambda: rng.random((SIDE, SIDE)),
        lambda: turned // width % 2,
        lambda: (across // width + down // width) % 2,
        lambda: (turned - turned.min()) / np.ptp(turned),
    ][rng.integers(4)]()
    return np.rint(colours[0] + share[..., None] * (colours[1] - colours[0])).astype(np.uint8)
