"""Pictures of one object on a cluttered ground, as many as one likes, each from a seed of its own.

A picture is wholly given by its seed. The seeds of what a model learns from, of what its threshold
is chosen on, of what it is measured on and of what the page shows are ranges that never meet.
"""

from dataclasses import dataclass

import numpy as np

from training.pictures_backgrounds import background, grain, vivid
from training.pictures_canvas import Colour
from training.pictures_shapes import COLOURS, HUES, SHAPES, colour, coverage, place

CLASSES = tuple((colour, shape) for colour in COLOURS for shape in SHAPES)

LEARNT = range(0, 1_000_000)
CHOSEN_ON = range(1_000_000, 2_000_000)
HELD_OUT = range(2_000_000, 3_000_000)
SHOWN = range(3_000_000, 4_000_000)


@dataclass(frozen=True)
class Picture:
    """pixels: (64, 64, 3), uint8. mask: (64, 64), true where the object is. label: of CLASSES."""

    pixels: np.ndarray
    mask: np.ndarray
    label: int

    @property
    def colour(self) -> str:
        """What colour the object has."""
        return CLASSES[self.label][0]

    @property
    def shape(self) -> str:
        """What shape the object has."""
        return CLASSES[self.label][1]


def picture(seed: int) -> Picture:
    """Paint the picture of a seed: ground, clutter, the object on top, noise over all."""
    random = np.random.default_rng(seed)
    label = int(random.integers(len(CLASSES)))
    name, shape = CLASSES[label]
    share = coverage(shape, place(random, shape))  # (64, 64)
    painted = laid(background(random), share, colour(random, HUES[name]))
    return Picture(finished(painted, random), share >= 0.5, label)


def empty(seed: int) -> np.ndarray:
    """Paint a picture without an object, half of them without clutter: (64, 64, 3), uint8."""
    random = np.random.default_rng((seed, 1))
    painted = background(random) if random.random() < 0.5 else vivid(random)
    return finished(painted, random)


def laid(ground: np.ndarray, share: np.ndarray, over: Colour) -> np.ndarray:
    """An object on a ground. ground: (64, 64, 3). share: (64, 64), how much it covers."""
    share = share[..., None]  # (64, 64, 1)
    return (1 - share) * ground + share * np.array(over)


def finished(painted: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """With noise over all, as bytes. painted: (64, 64, 3)."""
    return np.clip(np.rint(painted + grain(random)), 0, 255).astype(np.uint8)


def pictures(seeds: range) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Paint one picture for each seed.

    Returns pixels (picture, 64, 64, 3), masks (picture, 64, 64) and labels (picture,).
    """
    painted = [picture(seed) for seed in seeds]
    return (
        np.stack([one.pixels for one in painted]),
        np.stack([one.mask for one in painted]),
        np.array([one.label for one in painted]),
    )
