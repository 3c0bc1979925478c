"""Photos and their numbers in compact form for the browser, without loss of precision."""

import base64
import io
import zlib
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

import numpy as np
from PIL import Image

from core.models.processor import Colours, processor
from views.text import numbers
from views.text.numbers import MINUS, plain

HALF = processor({}, 1).colours
LOSSLESS = 112 * 112
QUALITIES = (80, 50, 20)
MOST_BYTES = 60_000


@dataclass(frozen=True, eq=False)
class Photos:
    """A batch of pictures as a model takes them.

    pixels: (batch, height, width, 3) uint8. patch: the side of a patch in pixels. colours: from
    pixel to number, by default value = pixel / 127.5 − 1. originals: the same pictures before they
    were resized, (batch, larger height, larger width, 3) uint8; None if they were not resized.
    """

    pixels: np.ndarray
    patch: int
    colours: Colours = field(default=HALF, kw_only=True)
    originals: np.ndarray | None = field(default=None, kw_only=True)

    def large(self, sample: int) -> np.ndarray:
        """The picture of a sample at its largest size: (height, width, 3) uint8."""
        picture: np.ndarray = (self.pixels if self.originals is None else self.originals)[sample]
        return picture

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        height, width = self.pixels.shape[1:3]
        return height // self.patch, width // self.patch

    @property
    def patches(self) -> int:
        """Patches of a picture."""
        return prod(self.grid)


def photo_checksum(pixels: np.ndarray) -> int:
    """A CRC-32 that identifies a photo. pixels: (height, width, 3) uint8."""
    return zlib.crc32(pixels.tobytes())


def photo_url(pixels: np.ndarray, most: int = 448) -> str:
    """The photo as WebP in a ``data:`` URL of at most 60 kB, its longer side at most ``most`` px.

    pixels: (height, width, 3) uint8. Up to 112 × 112 pixels it is lossless; above that, the quality
    and finally the size are reduced until it fits.
    """
    return _photo_url(pixels.tobytes(), pixels.shape[:2], most)


@lru_cache(maxsize=16)  # encoding one takes 20 ms, and a page shows the same one five times
def _photo_url(pixels: bytes, size: tuple[int, int], most: int) -> str:
    picture = Image.frombytes("RGB", size[::-1], pixels)
    picture.thumbnail((most, most), Image.Resampling.LANCZOS)
    if picture.width * picture.height <= LOSSLESS:
        return _url(picture, lossless=True)
    for quality in QUALITIES:
        url = _url(picture, quality=quality)
        if len(url) <= MOST_BYTES:
            return url
    return _photo_url(pixels, size, max(picture.size) // 2)


def patch_box(
    index: int, grid: tuple[int, int], size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """The box of a patch in its photo as (left, top, right, bottom), as Pillow has them.

    index: of the patch, row by row from 0. grid: (rows, columns). size: (height, width).
    """
    row, column = divmod(index, grid[1])
    height, width = size[0] // grid[0], size[1] // grid[1]
    return column * width, row * height, (column + 1) * width, (row + 1) * height


def pixel_to_number(
    pixels: np.ndarray, flattened: np.ndarray, colours: Colours = HALF
) -> np.ndarray:
    """A lookup table from pixel value and channel to the number in ``flattened``, bit by bit.

    pixels: (…, P, P, 3) uint8, of one or more patches. flattened: (size of pixels,).
    Returns (256, 3) float32, NaN for pixel values that do not occur. Raises ValueError if
    ``flattened`` does not follow from ``pixels`` by ``pixel_formulas``.
    """
    expected = colours.values(pixels).reshape(-1)
    near = 1e-6 / float(colours.deviation.min())
    if flattened.shape != expected.shape or not np.allclose(flattened, expected, atol=near):
        formulas = ", ".join(dict.fromkeys(pixel_formulas(colours))).format(pixel="pixel")
        raise ValueError(f"flattened is not {formulas} of pixels {pixels.shape}")
    table = np.full((256, 3), np.nan, np.float32)
    table[pixels, np.arange(3)] = flattened.reshape(pixels.shape)
    return table


def pixel_formulas(colours: Colours) -> tuple[str, ...]:
    """The formula from pixel to number for each channel, such as ``{pixel} / 127.5 − 1``."""
    return tuple(map(_formula, colours.mean, colours.deviation))


def value_range(colours: Colours) -> tuple[str, str]:
    """The least and the largest number that any pixel value becomes, printed."""
    ends = colours.values(np.array([[0] * 3, [255] * 3], np.uint8))
    low, high = (plain(float(end), 2).rstrip("0").rstrip(".") for end in (ends.min(), ends.max()))
    return low, high


def float32_text(values: np.ndarray) -> str:
    """Numbers as base64 of little-endian float32, a quarter of the bytes of a JSON list."""
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def bytes_text(values: np.ndarray) -> str:
    """Integers 0 … 255 as base64, one byte each."""
    return base64.b64encode(values.astype(np.uint8).tobytes()).decode()


def _formula(mean: np.float32, deviation: np.float32) -> str:
    if mean == deviation == 0.5:
        return f"{{pixel}} / 127.5 {MINUS} 1"
    share = "{pixel} / 255"
    if mean:
        share += f" {MINUS if mean > 0 else '+'} {six_digits(abs(mean))}"
    return share if deviation == 1 else f"({share}) / {six_digits(deviation)}"


def six_digits(value: np.float32) -> str:
    """A mean or a standard deviation with six significant digits."""
    return numbers.bare(float(str(value)))


def _url(picture: Image.Image, *, lossless: bool = False, quality: int = 80) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=lossless, quality=quality, method=2)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()
