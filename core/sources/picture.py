"""Decoding of picture files, resizing and cropping, and pixel values for a model."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Literal

import numpy as np
from PIL import (
    BmpImagePlugin,
    ExifTags,
    GifImagePlugin,
    Image,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from core.errors import InputError, out_of_range
from core.limits import LIMITS, WHOLE_SIDE, Limits
from core.sources.file_type import file_type

Further = Literal["", "frames", "pages"]

# The only decoders of Pillow that open a file.
READERS: tuple[type[ImageFile.ImageFile], ...] = (
    PngImagePlugin.PngImageFile,
    JpegImagePlugin.JpegImageFile,
    WebPImagePlugin.WebPImageFile,
    GifImagePlugin.GifImageFile,
    BmpImagePlugin.BmpImageFile,
    TiffImagePlugin.TiffImageFile,
)
SUBFILE, REDUCED = 254, 1  # the TIFF tag of what a page is, and the bit of a smaller copy
CANVASES = 12  # bytes a pixel: two canvases of WebP's decoder, and its result
TILE = 512
Picture = Image.Image
FILTERS = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")  # as Pillow counts them
VALUES = (np.arange(256) / 127.5 - 1).astype(np.float32)

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_READING_FAILS_WITH = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    OverflowError,
    struct.error,
    Image.DecompressionBombError,
)


def open_picture(data: bytes, limits: Limits = LIMITS, *, whole: bool = False) -> Image.Image:
    """Decode a picture file to an upright RGB image.

    PNG, JPEG, WebP, GIF, BMP and TIFF; the first frame of an animation. Applies the EXIF rotation,
    puts transparent pixels on white, and scales 16-bit greys by their full range. A picture with a
    shorter side of at least 2048 pixels is reduced by an integer factor to at least 1024, to limit
    memory, unless ``whole``.

    Raises file_too_large before anything is read, empty_file, wrong_file_type, not_an_image,
    image_too_large and decoding_too_large before anything is decoded, and damaged_image. A hostile
    file can take any time: ``core.sources.apart`` is for what is handed in by a stranger.
    """
    if len(data) > limits.file_bytes:
        raise InputError("file_too_large", size=len(data), limit=limits.file_bytes)
    reader = _reader(data)
    canvas = webp_size(data) if reader is WebPImagePlugin.WebPImageFile else (0, 0)
    # Pillow makes room for all of a WebP file when it opens it, before the size is known.
    if canvas != (0, 0):
        _check_size(*canvas, limits)
        _check_memory(CANVASES * canvas[0] * canvas[1], limits)
    with _reading():
        file = reader(BytesIO(data), "")
    _check_size(*file.size, limits)
    coefficients = _coefficients(file)
    if not whole:
        file.draft(None, (WHOLE_SIDE, WHOLE_SIDE))  # JPEG decodes to a fraction at once
    factor = 1 if whole else max(1, min(file.size) // WHOLE_SIDE)
    stored = _bytes(file.mode, *file.size)
    picture = _bytes("RGB", -(-file.width // factor), -(-file.height // factor))
    _check_memory(max(stored + coefficients, stored + picture, 2 * picture), limits)
    with _reading():
        return _upright(file, factor)


def further(data: bytes) -> Further:
    """What else a picture file contains: ``frames``, ``pages`` or nothing."""
    try:
        with _reader(data)(BytesIO(data), "") as file:
            if not isinstance(file, TiffImagePlugin.TiffImageFile):
                return "frames" if getattr(file, "is_animated", False) else ""
            file.seek(1)
            return "" if file.tag_v2.get(SUBFILE, 0) & REDUCED else "pages"
    except (*_READING_FAILS_WITH, LookupError, TypeError):  # it breaks off behind its first picture
        return ""


def read_square(data: bytes, *, most: int) -> tuple[dict[str, Any], np.ndarray]:
    """The central square of a picture file, (size, size, 3), of at most so many pixels a side.

    Returns too what it has further. Raises what ``open_picture`` raises.
    """
    whole = open_picture(data)
    return {"further": further(data)}, square(whole, min(most, *whole.size))


def square(picture: Image.Image, size: int) -> np.ndarray:
    """Centre crop to a square, resized to size x size pixels.

    Returns (size, size, 3) uint8. Raises out_of_range for a size below 1.
    """
    if size < 1:
        raise out_of_range("size", size, "at least 1")
    side = min(picture.size)
    left, top = (picture.width - side) // 2, (picture.height - side) // 2
    # Lanczos preserves detail when shrinking, and would ring when enlarging.
    filter = Image.Resampling.LANCZOS if size < side else Image.Resampling.BICUBIC
    # resize with a box would blend in pixels beyond it.
    middle = picture.crop((left, top, left + side, top + side))
    return np.array(middle.resize((size, size), filter))  # (size, size, 3)


def resized(picture: Image.Image, height: int, width: int, by: str) -> Image.Image:
    """A picture resized without keeping its aspect ratio. by: one of FILTERS.

    Raises image_too_large if the result, or an intermediate one, has too many pixels.
    """
    for rows in (picture.height, height):
        if rows * width > LIMITS.pixels:
            raise InputError("image_too_large", width=width, height=rows, limit=LIMITS.pixels)
    return picture.resize((width, height), Image.Resampling(FILTERS.index(by)))


def cropped(picture: Image.Image, height: int, width: int) -> Image.Image:
    """A centre crop, padded with black if the picture is smaller.

    An odd pixel is cropped at the bottom and right, or padded at the top and left.
    """
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height))


def values(pixels: np.ndarray) -> np.ndarray:
    """Pixels as values from −1 to 1: value = pixel / 127.5 − 1.

    pixels: uint8 of any shape. Returns float32 of the same shape.
    """
    return VALUES[pixels]


def _reader(data: bytes) -> type[ImageFile.ImageFile]:
    """What opens a picture file.

    Raises empty_file, not_an_image, wrong_file_type, and damaged_image for half of a signature.
    """
    if not data:
        raise InputError("empty_file", file="")
    for reader in READERS:
        _, accepts = Image.OPEN[str(reader.format)]
        if accepts is None or accepts(data[:16]):
            return reader
    found = file_type(data)
    if found is None:
        raise InputError("not_an_image")
    is_read = any(found.name == reader.format for reader in READERS)
    raise InputError("damaged_image") if is_read else found.refused("picture")


def webp_size(data: bytes) -> tuple[int, int]:
    """Width and height by the header of a WebP file (RFC 9649, section 2)."""
    head = data[:30].ljust(30, b"\0")

    def number(begin: int, end: int) -> int:
        return int.from_bytes(head[begin:end], "little")

    match head[12:16]:
        case b"VP8X":
            return number(24, 27) + 1, number(27, 30) + 1
        case b"VP8L":
            return (number(21, 25) & 0x3FFF) + 1, (number(21, 25) >> 14 & 0x3FFF) + 1
        case _:
            return number(26, 28) & 0x3FFF, number(28, 30) & 0x3FFF


def _check_size(width: int, height: int, limits: Limits) -> None:
    if width * height > limits.pixels:
        raise InputError("image_too_large", width=width, height=height, limit=limits.pixels)
    if not width * height:
        raise InputError("damaged_image")


def _check_memory(needed: int, limits: Limits) -> None:
    if needed > limits.decoding_bytes:
        raise InputError("decoding_too_large", needed=needed, limit=limits.decoding_bytes)


def _coefficients(file: ImageFile.ImageFile) -> int:
    """The bytes of a progressive JPEG's coefficients, all of which stay in memory until its end."""
    if not isinstance(file, JpegImagePlugin.JpegImageFile) or not file.info.get("progressive"):
        return 0
    most = [max(layer[axis] for layer in file.layer) for axis in (1, 2)]
    shares = sum(layer[1] * layer[2] for layer in file.layer) / (most[0] * most[1])
    return int(2 * file.width * file.height * shares)


def _bytes(mode: str, width: int, height: int) -> int:
    """The bytes that Pillow allocates for a picture."""
    pixel = 1 if mode in ("1", "L", "P") else 2 if mode.startswith("I;16") else 4
    return height * (-(-width * pixel // 4) * 4 + 8)


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except _READING_FAILS_WITH as failure:
        raise InputError("damaged_image") from failure


def _upright(file: ImageFile.ImageFile, factor: int) -> Image.Image:
    """Decode, and build the result tile by tile, to limit memory."""
    file.load()
    greys = _greys(file)
    width, height = file.size
    picture = Image.new("RGB", (-(-width // factor), -(-height // factor)))
    across, down = _tile(height, factor), _tile(width, factor)
    for top in range(0, height, down):
        for left in range(0, width, across):
            box = (left, top, min(left + across, width), min(top + down, height))
            tile = _rgb(file.crop(box), greys).reduce(factor)
            picture.paste(tile, (left // factor, top // factor))
    turn = _TURNS.get(file.getexif().get(ExifTags.Base.Orientation, 1))
    file.close()  # else three copies would be in memory
    return picture if turn is None else picture.transpose(turn)


def _tile(other: int, factor: int) -> int:
    """The side of a tile, longer if the picture's other side is shorter than a tile."""
    return factor * max(1, TILE * TILE // min(other, TILE) // factor)


def _rgb(tile: Image.Image, greys: tuple[float, float] | None) -> Image.Image:
    if greys:
        return _from_deep_greys(tile, *greys)
    if not tile.has_transparency_data:
        return tile.convert("RGB")
    over = tile.convert("RGBA")
    ground = Image.new("RGB", tile.size, "white")
    ground.paste(over, mask=over)
    return ground


def _greys(file: Image.Image) -> tuple[float, float] | None:
    """The values of black and white of a picture with more than 256 greys; else None.

    0 and 65535 for 16 bits; the extremes of the picture if its numbers are fractions or beyond that
    range.
    """
    if file.mode.startswith("I;16"):
        return 0, 65535
    if file.mode not in ("I", "F"):
        return None
    low, high = np.asarray(file.getextrema(), dtype=np.float64)
    if file.mode == "I" and low >= 0 and high <= 65535:
        return 0, 65535
    return low, high


def _from_deep_greys(tile: Image.Image, black: float, white: float) -> Image.Image:
    greys = np.asarray(tile).astype(np.float64)
    if not np.isfinite(greys).all():
        raise InputError("damaged_image")
    scaled = (greys - black) * (255 / ((white - black) or 1))
    transparent = tile.info.get("transparency")
    if transparent is not None:
        scaled[greys == transparent] = 255
    return Image.fromarray(np.rint(scaled).astype(np.uint8)).convert("RGB")
