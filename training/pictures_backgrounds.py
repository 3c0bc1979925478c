"""What lies behind an object: a ground that runs from one colour to another, strokes and blobs.

The clutter has the colours that the objects have, drawn independently of them: what colour the
object is can be read off the object alone.
"""

import colorsys

import numpy as np
from PIL import Image, ImageDraw

from training.pictures_canvas import FINE, SIDE, Colour, smaller
from training.pictures_shapes import HUES, colour

PLAIN = 0.2  # how many of the pictures have no clutter at all
STROKES, BLOBS = 7, 9  # at most
STROKE_WIDTH = (1, 2.5)  # in pixels
BLOB_RADIUS = (1.5, 4.5)
PALE = 0.4  # how saturated a ground behind an object may be
ONE_COLOUR = 0.3  # how many of the vivid grounds do not change at all
NOISE = 16  # largest standard deviation, of 255


def background(random: np.random.Generator) -> np.ndarray:
    """A ground with or without clutter: (64, 64, 3), from 0 to 255."""
    ground = _ground(random)
    if random.random() >= PLAIN:
        ground = _cluttered(ground, random)
    return ground


def vivid(random: np.random.Generator) -> np.ndarray:
    """A ground of any two colours whatever, as strong as an object's: (64, 64, 3)."""
    first, second = random.uniform(0, 255, (2, 3))
    return _ramp(random, first, first if random.random() < ONE_COLOUR else second)


def grain(random: np.random.Generator) -> np.ndarray:
    """Noise for a whole picture, stronger in some than in others: (64, 64, 3), about 0."""
    return random.normal(0, random.uniform(0, NOISE), (SIDE, SIDE, 3))


def _ground(random: np.random.Generator) -> np.ndarray:
    """Two pale colours, one running into the other."""
    return _ramp(random, _pale(random), _pale(random))


def _ramp(random: np.random.Generator, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """One colour that runs into another in some direction."""
    angle = random.uniform(0, 2 * np.pi)
    row, column = np.mgrid[:SIDE, :SIDE] / (SIDE - 1) - 0.5
    along = row * np.sin(angle) + column * np.cos(angle)
    share = ((along - along.min()) / np.ptp(along))[..., None]  # (64, 64, 1)
    return (1 - share) * first + share * second


def _pale(random: np.random.Generator) -> np.ndarray:
    """A colour that no object has: too near to grey."""
    hue, saturation = random.random(), random.uniform(0, PALE)
    return 255 * np.array(colorsys.hsv_to_rgb(hue, saturation, random.random()))


def _any(random: np.random.Generator) -> Colour:
    """A colour such as the objects have."""
    return colour(random, random.choice(list(HUES.values())))


def _cluttered(ground: np.ndarray, random: np.random.Generator) -> np.ndarray:
    fine = np.rint(ground).astype(np.uint8).repeat(FINE, 0).repeat(FINE, 1)
    canvas = Image.fromarray(fine)
    pen = ImageDraw.Draw(canvas)
    for _ in range(random.integers(STROKES + 1)):
        ends = random.uniform(-8, SIDE + 8, 4) * FINE
        width = round(random.uniform(*STROKE_WIDTH) * FINE)
        pen.line(ends.tolist(), fill=_any(random), width=width)
    for _ in range(random.integers(BLOBS + 1)):
        x, y = random.uniform(0, SIDE, 2)
        a, b = random.uniform(*BLOB_RADIUS, 2)
        box = [FINE * number for number in (x - a, y - b, x + a, y + b)]
        pen.ellipse(box, fill=_any(random))
    return smaller(canvas)
