"""The objects that the pictures show: six shapes in five colours, large and nearly upright."""

import colorsys
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from training.pictures_canvas import FINE, SIDE, Colour, smaller

SHAPES = ("ring", "disc", "square", "triangle", "cross", "star")
HUES = {"red": 0, "yellow": 52, "green": 125, "blue": 218, "violet": 285}  # in degrees
COLOURS = tuple(HUES)

# From the middle to the farthest point, in pixels, so that all six cover much the same area.
REACH = {"ring": 20, "disc": 17, "square": 21, "triangle": 24, "cross": 20, "star": 24}
SCALE = (0.8, 1.05)
TILT = 10  # degrees to either side
OUTSIDE = 0.25  # the share of the reach that may lie beyond the edge of the picture

ANGLES = {
    "square": (45, 135, 225, 315),
    "triangle": (-90, 30, 150),
    "star": tuple(range(-90, 270, 36)),
}  # of the corners, clockwise from the right; -90 is straight up
WAIST = 0.5  # of a star: how far its inner corners reach, as a share of the outer ones
HOLE = 0.5  # of a ring: the inner radius as a share of the outer one
ARM = 1 / 3  # of a cross: the width of an arm as a share of its length


@dataclass(frozen=True)
class Place:
    """Where a shape lies: the middle (pixels from the left and top), its reach and its tilt."""

    x: float
    y: float
    reach: float
    tilt: float


def place(random: np.random.Generator, shape: str) -> Place:
    """Draw a place that is anywhere in the picture, the shape at most slightly cut by the edge.

    Places near the edge are drawn more often (Beta(½, ½), the arcsine law): with the same chance
    for all, the middle of the picture would lie on nearly every object.
    """
    reach = REACH[shape] * random.uniform(*SCALE)
    margin = reach * (1 - OUTSIDE)
    x, y = margin + (SIDE - 2 * margin) * random.beta(0.5, 0.5, 2)
    return Place(x, y, reach, random.uniform(-TILT, TILT))


def coverage(shape: str, at: Place) -> np.ndarray:
    """How much of each pixel the shape covers, from 0 to 1: (64, 64)."""
    canvas = Image.new("L", (SIDE * FINE, SIDE * FINE))
    pen = ImageDraw.Draw(canvas)
    if shape in ("ring", "disc"):
        pen.ellipse(_box(at, 1), fill=255)
        if shape == "ring":
            pen.ellipse(_box(at, HOLE), fill=0)
    elif shape == "cross":
        for bar in (_bar(0), _bar(90)):
            pen.polygon(_turned(at, *bar), fill=255)
    else:
        angles = np.array(ANGLES[shape], dtype=float)
        radii = np.ones(len(angles))
        if shape == "star":
            radii[1::2] = WAIST
        pen.polygon(_turned(at, angles, radii), fill=255)
    return smaller(canvas) / 255


def colour(random: np.random.Generator, around: float) -> Colour:
    """A strong colour of about this hue, in degrees: every one a little different."""
    hue = (around + random.uniform(-10, 10)) % 360 / 360
    rgb = colorsys.hsv_to_rgb(hue, random.uniform(0.75, 1), random.uniform(0.75, 1))
    red, green, blue = (round(255 * part) for part in rgb)
    return red, green, blue


def _box(at: Place, share: float) -> tuple[float, float, float, float]:
    reach = at.reach * share
    corners = (at.x - reach, at.y - reach, at.x + reach, at.y + reach)
    left, top, right, bottom = (FINE * number for number in corners)
    return left, top, right, bottom


def _bar(direction: float) -> tuple[np.ndarray, np.ndarray]:
    """The four corners of one of a cross's two bars, as angles and distances from the middle."""
    half = np.degrees(np.arctan(ARM))
    return np.array([-half, half, 180 - half, 180 + half]) + direction, np.ones(4)


def _turned(at: Place, angles: np.ndarray, radii: np.ndarray) -> list[tuple[float, float]]:
    turned = np.radians(angles + at.tilt)
    x = FINE * (at.x + at.reach * radii * np.cos(turned))
    y = FINE * (at.y + at.reach * radii * np.sin(turned))
    return list(zip(x.tolist(), y.tolist(), strict=True))
