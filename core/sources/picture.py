"""From the bytes of a picture file to pixels, and from pixels to the values a model reads."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

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

from core.errors import (
    DamagedImage,
    FileTooLarge,
    ImageTooLarge,
    NotAnImage,
    OutOfRange,
    ShapeMismatch,
)
from core.limits import LIMITS, Limits

# Importing a reader is what enters it in Image.OPEN; no other one is ever asked.
READERS = tuple(
    Image.OPEN[reader.format]
    for reader in (
        PngImagePlugin.PngImageFile,
        JpegImagePlugin.JpegImageFile,
        WebPImagePlugin.WebPImageFile,
        GifImagePlugin.GifImageFile,
        BmpImagePlugin.BmpImageFile,
        TiffImagePlugin.TiffImageFile,
    )
)
# A picture whose shorter side has twice as many pixels or more is kept at a fraction of its size.
ENOUGH = 1024
TILE = 512
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


def open_picture(data: bytes, limits: Limits = LIMITS) -> Image.Image:
    """Read a picture file, upright and in red, green and blue, whatever it holds.

    PNG, JPEG, WebP, GIF, BMP and TIFF; of an animation the first frame. The EXIF rotation is
    carried out, what is transparent lies on white, and 16-bit greys are scaled by their whole
    range. A picture of at least 2048 pixels on its shorter side comes back reduced by a whole
    number to no less than 1024, so that a large photo never stands in memory twice.

    Raises FileTooLarge before anything is read, NotAnImage, ImageTooLarge before anything is
    decoded, and DamagedImage.
    """
    if len(data) > limits.file_bytes:
        raise FileTooLarge(len(data), limits.file_bytes)
    # Image.open would warn or refuse by a process-wide limit, and not say how large the image is.
    openers = [opener for opener, accepts in READERS if accepts is None or accepts(data[:16])]
    if not openers:
        raise NotAnImage
    _check_size(*_webp_size(data), limits)
    with _reading():
        file = openers[0](BytesIO(data), "")
    _check_size(*file.size, limits)
    with _reading():
        return _upright(file)


def square(picture: Image.Image, size: int) -> np.ndarray:
    """Cut the square out of the middle and bring it to size x size pixels: cropped, never squashed.

    Returns (size, size, 3), whole numbers from 0 to 255. Raises OutOfRange for a size below 1.
    """
    if size < 1:
        raise OutOfRange("size", size, "at least 1")
    side = min(picture.size)
    left, top = (picture.width - side) // 2, (picture.height - side) // 2
    # Lanczos keeps what is fine when shrinking, and would draw ripples when enlarging.
    filter = Image.Resampling.LANCZOS if size < side else Image.Resampling.BICUBIC
    # resize with a box would let what lies beyond it bleed in.
    cut = picture.crop((left, top, left + side, top + side))
    return np.array(cut.resize((size, size), filter))  # (size, size, 3)


def resized(pixels: np.ndarray, size: int) -> np.ndarray:
    """The same for a picture given by its pixels; one that has this size is left as it is.

    pixels: (height, width, 3) uint8. Raises ShapeMismatch, and OutOfRange for a size below 1.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape or pixels.dtype != np.uint8:
        raise ShapeMismatch("image", "(height, width, 3) of bytes", pixels.shape)
    return pixels if pixels.shape[:2] == (size, size) else square(Image.fromarray(pixels), size)


def values(pixels: np.ndarray) -> np.ndarray:
    """From how bright to a signed number: value = pixel / 127.5 − 1, so 0 … 255 becomes −1 … 1.

    pixels: uint8 of any shape. Returns float32 of the same shape.
    """
    return VALUES[pixels]


def _check_size(width: int, height: int, limits: Limits) -> None:
    if width * height > limits.pixels:
        raise ImageTooLarge(width, height, limits.pixels)
    if not width * height:
        raise DamagedImage


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except _READING_FAILS_WITH as failure:
        raise DamagedImage from failure


def _upright(file: ImageFile.ImageFile) -> Image.Image:
    """Decode, and build the result tile by tile: the file's own pixels are all that is large."""
    file.draft(None, (ENOUGH, ENOUGH))  # JPEG decodes to a fraction at once
    file.load()
    greys = _greys(file)
    width, height = file.size
    factor = max(1, min(width, height) // ENOUGH)
    picture = Image.new("RGB", (-(-width // factor), -(-height // factor)))
    step = factor * max(1, TILE // factor)
    for top in range(0, height, step):
        for left in range(0, width, step):
            box = (left, top, min(left + step, width), min(top + step, height))
            tile = _rgb(file.crop(box), greys).reduce(factor)
            picture.paste(tile, (left // factor, top // factor))
    turn = _TURNS.get(file.getexif().get(ExifTags.Base.Orientation, 1))
    return picture if turn is None else picture.transpose(turn)


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
    """Which greys are black and white where there are more than 256 of them; None elsewhere.

    0 and 65535 for 16 bits; the extremes of the picture itself where numbers lie outside that or
    are fractions, for then the file does not say.
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
        raise DamagedImage
    scaled = (greys - black) * (255 / ((white - black) or 1))
    transparent = tile.info.get("transparency")
    if transparent is not None:
        scaled[greys == transparent] = 255
    return Image.fromarray(np.rint(scaled).astype(np.uint8)).convert("RGB")


def _webp_size(data: bytes) -> tuple[int, int]:
    """(width, height) as a WebP file's header says, (1, 1) for any other file.

    Pillow makes room for the whole canvas when it opens a WebP file, before it tells the size.
    Source: RFC 9649, sections 2.5 to 2.7.
    """
    head = data[:30].ljust(30, b"\0")
    if head[:4] != b"RIFF":
        return 1, 1
    match head[12:16]:
        case b"VP8X":
            return _little(head[24:27]) + 1, _little(head[27:30]) + 1
        case b"VP8L":
            packed = _little(head[21:25])
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case _:
            return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")
