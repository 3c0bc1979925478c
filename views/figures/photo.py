"""A photo and its numbers on their way to the browser: few bytes, and no number changed."""

import base64
import io
import zlib
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from PIL import Image

from core.models.processor import Colours, processor
from views import numbers
from views.numbers import MINUS, plain

HALF = processor({}, 1).colours
LOSSLESS = 112 * 112
QUALITIES = (80, 50, 20)
MOST_BYTES = 60_000


@dataclass(frozen=True, eq=False)
class Photos:
    """Pictures as a model takes them. pixels: (batch, size, size, 3) uint8. patch: its side.

    colours: how a pixel becomes a number; by default value = pixel / 127.5 − 1.
    originals: (batch, larger size, larger size, 3), the same squares before they were made as small
    as the model takes them; None where they were not.
    """

    pixels: np.ndarray
    patch: int
    colours: Colours = field(default=HALF, kw_only=True)
    originals: np.ndarray | None = field(default=None, kw_only=True)

    def large(self, sample: int) -> np.ndarray:
        """A picture for a reader's eyes: (size, size, 3) uint8."""
        found: np.ndarray = (self.pixels if self.originals is None else self.originals)[sample]
        return found

    @property
    def side(self) -> int:
        """Patches along one side."""
        return int(self.pixels.shape[1]) // self.patch


def photo_checksum(pixels: np.ndarray) -> int:
    """What tells a photo from any other. pixels: (height, width, 3) uint8."""
    return zlib.crc32(pixels.tobytes())


def photo_url(pixels: np.ndarray, most: int = 448) -> str:
    """The photo as WebP in a ``data:`` URL of at most 60 kB, its longer side at most ``most``.

    pixels: (height, width, 3) uint8. Up to 112 × 112 every pixel arrives as it is, because there a
    reader sees single pixels; above that the quality gives way until the bytes are few enough, and
    in the end the size.
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
    """Where a patch lies in its photo: left, top, right, bottom, the last two not included.

    index: the patch, counted row by row from 0. grid: (rows, columns). size: (height, width).
    """
    row, column = divmod(index, grid[1])
    height, width = size[0] // grid[0], size[1] // grid[1]
    return column * width, row * height, (column + 1) * width, (row + 1) * height


def levels(pixels: np.ndarray, flattened: np.ndarray, colours: Colours = HALF) -> np.ndarray:
    """What number each pixel value became: levels[pixel, channel] is the flattened one, bit by bit.

    pixels: (…, P, P, 3) uint8, of one patch or of several. flattened: all of theirs in one row.
    Returns (256, 3) float32; a pixel value that no patch has is NaN. Raises ValueError where
    flattened is not what ``sums`` says, in pixel order, for then the sum that is printed beside it
    would be false.
    """
    expected = colours.values(pixels).reshape(-1)
    near = 1e-6 / float(colours.deviation.min())
    if flattened.shape != expected.shape or not np.allclose(flattened, expected, atol=near):
        told = ", ".join(dict.fromkeys(sums(colours))).format(pixel="pixel")
        raise ValueError(f"flattened is not {told} of pixels {pixels.shape}")
    found = np.full((256, 3), np.nan, np.float32)
    found[pixels, np.arange(3)] = flattened.reshape(pixels.shape)
    return found


def sums(colours: Colours) -> tuple[str, ...]:
    """How a pixel of each colour becomes its number, such as ``{pixel} / 127.5 − 1``."""
    return tuple(map(_sum, colours.mean, colours.deviation))


def reach(colours: Colours) -> tuple[str, str]:
    """The least and the largest number that a pixel can become, of all three colours."""
    ends = colours.values(np.array([[0] * 3, [255] * 3], np.uint8))
    low, high = (plain(float(end), 2).rstrip("0").rstrip(".") for end in (ends.min(), ends.max()))
    return low, high


def float32_text(values: np.ndarray) -> str:
    """Numbers as base64 of little-endian float32: a quarter of the bytes of a list in JSON."""
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def bytes_text(values: np.ndarray) -> str:
    """Whole numbers 0 … 255 as base64, one byte each."""
    return base64.b64encode(values.astype(np.uint8).tobytes()).decode()


def _sum(mean: np.float32, deviation: np.float32) -> str:
    if mean == deviation == 0.5:
        return f"{{pixel}} / 127.5 {MINUS} 1"
    share = "{pixel} / 255"
    if mean:
        share += f" {MINUS if mean > 0 else '+'} {printed(abs(mean))}"
    return share if deviation == 1 else f"({share}) / {printed(deviation)}"


def printed(value: np.float32) -> str:
    """A mean or a deviation with six digits, as a sum has it."""
    return numbers.bare(float(str(value)))


def _url(picture: Image.Image, *, lossless: bool = False, quality: int = 80) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=lossless, quality=quality, method=2)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()
