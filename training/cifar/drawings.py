"""Drawings that nobody owns, put on grounds: openclipart's, as Debian packs them.

The package is ``openclipart-png`` (1:0.18+dfsg-19, public domain); ``dpkg-deb -x`` unpacks it.
"""

from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = "usr/share/openclipart/png"
MOST = 400  # drawings of one kind: a fifth of the package are icons of a desktop
LARGEST_FILE = 200_000  # bytes: some drawings have 100 million pixels
SIDE, LARGEST = 32, 64  # pixels of a picture, and of a drawing before it is put into one
PART = (6, 12)  # pixels of a photo that a part of it has at least and at most
WHITE = (255, 255, 255)


def files(package: Path, kind: str, rng: np.random.Generator) -> list[Path]:
    """The drawings of a kind in some order. Raises FileNotFoundError where there is none."""
    found = sorted((package / FOLDER / kind).rglob("*.png"))
    if not found:
        raise FileNotFoundError(f"{package / FOLDER / kind} holds no drawing")
    some = [file for file in found if file.stat().st_size < LARGEST_FILE]
    return [some[i] for i in rng.permutation(len(some))[:MOST]]


def whole(file: Path) -> np.ndarray:
    """A drawing in the middle of a white square: (32, 32, 3) uint8."""
    drawing = _opened(file).copy()
    drawing.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    ground = Image.new("RGB", (SIDE, SIDE), WHITE)
    ground.paste(drawing, tuple(room // 2 for room in _room(drawing)), drawing)
    return np.asarray(ground)


def placed(
    file: Path, ground: np.ndarray, sides: tuple[int, int], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A drawing somewhere on a ground; the picture, and where the drawing covers half a pixel.

    ground: (32, 32, 3) uint8. sides: how long the drawing's longer side is, at least and below.
    """
    drawing, side = _opened(file).copy(), int(rng.integers(*sides))
    drawing.thumbnail((side, side), Image.Resampling.LANCZOS)
    across, down = (int(rng.integers(min(0, room), max(0, room) + 1)) for room in _room(drawing))
    image, cover = Image.fromarray(ground), Image.new("L", (SIDE, SIDE))
    image.paste(drawing, (across, down), drawing)
    cover.paste(drawing.getchannel("A"), (across, down))
    return np.asarray(image), np.asarray(cover) > 127


def part(photos: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A few pixels of one of the photos, made as large as a photo: no object is left in it."""
    size = int(rng.integers(*PART))
    top, left = rng.integers(0, SIDE - size, 2)
    pixels = photos[rng.integers(len(photos))][top : top + size, left : left + size]
    return np.asarray(Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BICUBIC))


def _room(drawing: Image.Image) -> tuple[int, int]:
    return SIDE - drawing.width, SIDE - drawing.height


@cache
def _opened(file: Path) -> Image.Image:
    with Image.open(file) as image:
        drawing = image.convert("RGBA")
    drawing.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
    return drawing
