"""Pictures that a model of the coloured shapes shall not pretend to know. None is trained on."""

from pathlib import Path

import numpy as np
from PIL import Image

from core.sources.picture import square
from training.pictures import HELD_OUT, empty, finished, laid, picture
from training.pictures_backgrounds import background
from training.pictures_canvas import SIDE
from training.pictures_shapes import HUES, SHAPES, colour, coverage, place

SAMPLES = Path(__file__).parents[1] / "assets" / "samples"
CUTS = 40  # of each sample picture: the whole and 39 squares out of it
SMALLEST_CUT = 96
EACH = 200
ORANGE = 28  # degrees: between red and yellow


def unknown(seed: int) -> dict[str, np.ndarray]:
    """Kinds of picture by name, each (picture, 64, 64, 3), uint8."""
    random = np.random.default_rng(seed)
    return {
        "sample picture": _samples(random),
        "noise": random.integers(0, 256, (EACH, SIDE, SIDE, 3), dtype=np.uint8),
        "one colour": _plain(random),
        "checkerboard": _checkerboards(random),
        "no object": np.stack([empty(number) for number in HELD_OUT[:EACH]]),
        "grey object": _grey(),
        "orange object": np.stack([_orange(random) for _ in range(EACH)]),
        "two objects": np.stack([_two(random) for _ in range(EACH)]),
    }


def _samples(random: np.random.Generator) -> np.ndarray:
    """Every sample picture of the app, whole and in parts."""
    cuts = []
    for path in sorted(SAMPLES.glob("*.webp")):
        sample = Image.open(path).convert("RGB")
        cuts.append(square(sample, SIDE))
        for _ in range(CUTS - 1):
            size = int(random.integers(SMALLEST_CUT, sample.width + 1))
            x, y = random.integers(0, sample.width - size + 1, 2).tolist()
            cuts.append(square(sample.crop((x, y, x + size, y + size)), SIDE))
    return np.stack(cuts)


def _plain(random: np.random.Generator) -> np.ndarray:
    colours = random.integers(0, 256, (EACH, 1, 1, 3), dtype=np.uint8)
    return np.ascontiguousarray(np.broadcast_to(colours, (EACH, SIDE, SIDE, 3)))


def _checkerboards(random: np.random.Generator) -> np.ndarray:
    made = []
    for _ in range(EACH):
        field = int(random.integers(3, 17))
        row, column = np.mgrid[:SIDE, :SIDE] // field
        first, second = random.integers(0, 256, (2, 3), dtype=np.uint8)
        made.append(np.where(((row + column) % 2 == 0)[..., None], first, second))
    return np.stack(made)


def _grey() -> np.ndarray:
    """Pictures with an object whose colours were taken away."""
    pixels = np.stack([picture(seed).pixels for seed in HELD_OUT[:EACH]])
    grey = np.rint(pixels.mean(-1, keepdims=True)).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(grey, pixels.shape))


def _orange(random: np.random.Generator) -> np.ndarray:
    painted = laid(background(random), _somewhere(random), colour(random, ORANGE))
    return finished(painted, random)


def _two(random: np.random.Generator) -> np.ndarray:
    """Two objects side by side."""
    first, second = _somewhere(random), _somewhere(random)
    while np.minimum(first, second).any():
        first, second = _somewhere(random), _somewhere(random)
    painted = background(random)
    for share in (first, second):
        painted = laid(painted, share, colour(random, random.choice(list(HUES.values()))))
    return finished(painted, random)


def _somewhere(random: np.random.Generator) -> np.ndarray:
    shape = str(random.choice(SHAPES))
    return coverage(shape, place(random, shape))
