"""A photo and its numbers on their way to the browser: few bytes, and no number changed."""

import base64
import io

import numpy as np
from PIL import Image

LOSSLESS = 112 * 112
QUALITIES = (80, 50, 20)
MOST_BYTES = 60_000


def photo_url(pixels: np.ndarray, most: int = 448) -> str:
    """The photo as WebP in a ``data:`` URL of at most 60 kB, its longer side at most ``most``.

    pixels: (height, width, 3) uint8. Up to 112 × 112 every pixel arrives as it is, because there a
    reader sees single pixels; above that the quality gives way until the bytes are few enough, and
    in the end the size.
    """
    picture = Image.fromarray(pixels)
    picture.thumbnail((most, most), Image.Resampling.LANCZOS)
    if picture.width * picture.height <= LOSSLESS:
        return _url(picture, lossless=True)
    for quality in QUALITIES:
        url = _url(picture, quality=quality)
        if len(url) <= MOST_BYTES:
            return url
    return photo_url(pixels, max(picture.size) // 2)


def patch_box(
    index: int, grid: tuple[int, int], size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Where a patch lies in its photo: left, top, right, bottom, the last two not included.

    index: the patch, counted row by row from 0. grid: (rows, columns). size: (height, width).
    """
    row, column = divmod(index, grid[1])
    height, width = size[0] // grid[0], size[1] // grid[1]
    return column * width, row * height, (column + 1) * width, (row + 1) * height


def levels(pixels: np.ndarray, flattened: np.ndarray) -> np.ndarray:
    """What number each pixel value became: levels[pixels] is the flattened vector, bit for bit.

    pixels: (P, P, 3) uint8. flattened: (P·P·3,). Returns (256,) float32; a pixel value that the
    patch does not have is NaN. Raises ValueError where flattened is not pixel / 127.5 − 1 in pixel
    order, for then the sum that is printed beside it would be false.
    """
    values = pixels.reshape(-1)
    if flattened.shape != values.shape or not np.allclose(flattened, values / 127.5 - 1, atol=1e-6):
        raise ValueError(f"flattened is not pixel / 127.5 − 1 of pixels {pixels.shape}")
    found = np.full(256, np.nan, np.float32)
    found[values] = flattened
    return found


def float32_text(values: np.ndarray) -> str:
    """Numbers as base64 of little-endian float32: a quarter of the bytes of a list in JSON."""
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def bytes_text(values: np.ndarray) -> str:
    """Whole numbers 0 … 255 as base64, one byte each."""
    return base64.b64encode(values.astype(np.uint8).tobytes()).decode()


def _url(picture: Image.Image, *, lossless: bool = False, quality: int = 80) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=lossless, quality=quality, method=2)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()
