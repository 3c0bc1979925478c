"""Drawings of openclipart (public domain), pasted on backgrounds.

The package is ``openclipart-png`` (1:0.18+dfsg-19, public domain); ``dpkg-deb -x`` unpacks it.
"""

from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = "usr/share/openclipart/png"
MAX_FILES = 400  # drawings of one kind: a fifth of the package are icons of a desktop
LARGEST_FILE = 200_000  # bytes: some drawings have 100 million pixels
SIDE, LARGEST = 32, 64  # pixels of a picture, and of a drawing before it is pasted
CROP_SIDES = (6, 12)  # pixels: at least, and below
WHITE = (255, 255, 255)


def files(package: Path, kind: str, rng: np.random.Generator) -> list[Path]:
    """The files of a kind, shuffled, MAX_FILES at most. Raises FileNotFoundError for no file."""
    found = sorted((package / FOLDER / kind).rglob("*.png"))
    if not found:
        raise FileNotFoundError(f"{package / FOLDER / kind} holds no drawing")
    small = [file for file in found if file.stat().st_size < LARGEST_FILE]
    return [small[i] for i in rng.permutation(len(small))[:MAX_FILES]]


def centred(file: Path) -> np.ndarray:
    """A drawing in the middle of a white square: (32, 32, 3) uint8."""
    drawing = _opened(file).copy()
    drawing.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    background = Image.new("RGB", (SIDE, SIDE), WHITE)
    background.paste(drawing, tuple(room // 2 for room in _room(drawing)), drawing)
    return np.asarray(background)


def pasted(
    file: Path, background: np.ndarray, sides: tuple[int, int], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A drawing pasted at a random position: the picture, and a mask of the pixels that it covers.

    background: (32, 32, 3) uint8. sides: bounds of the drawing's longer side in pixels, at least
    and below. Returns (32, 32, 3) uint8 and (32, 32) bool, True where alpha is above ½.
    """
    drawing, side = _opened(file).copy(), int(rng.integers(*sides))
    drawing.thumbnail((side, side), Image.Resampling.LANCZOS)
    across, down = (int(rng.integers(min(0, room), max(0, room) + 1)) for room in _room(drawing))
    image, cover = Image.fromarray(background), Image.new("L", (SIDE, SIDE))
    image.paste(drawing, (across, down), drawing)
    cover.paste(drawing.getchannel("A"), (across, down))
    return np.asarray(image), np.asarray(cover) > 127


def enlarged_crop(photos: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A small crop of a photo, enlarged to (32, 32, 3) uint8, so that it shows no object."""
    size = int(rng.integers(*CROP_SIDES))
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
