"""Pictures of too many pixels or bytes are refused before any pixel is decoded."""

import struct
from dataclasses import replace

from claims import for_all
from picture_files import HEIGHT, WIDTH, file, numbers, png, row
from refuses import refuses

from core.limits import LIMITS
from core.sources.picture import open_picture


def huge_png(width, height):
    return png(width, height, 8, 2, row(b"\0"))


def webp(kind, content):
    body = b"WEBP" + kind + struct.pack("<I", len(content)) + content
    return b"RIFF" + struct.pack("<I", len(body)) + body


def huge_webp_extended(width, height):
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X", bytes(4) + size)


def huge_webp_lossless(width, height):
    return webp(b"VP8L", b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + bytes(20))


def huge_webp_lossy(width, height):
    return webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height) + bytes(20))


@for_all(
    "write",
    [
        huge_png, huge_webp_extended, huge_webp_lossless, huge_webp_lossy,
    ],
)  # fmt: skip
@for_all("size", [(10_007, 10_009), (16_001, 16_003)])
def test_too_many_pixels_are_refused_by_the_header_alone(write, size):
    # Pillow by itself warns of the smaller of these sizes and refuses the larger.
    width, height = size
    with refuses("image_too_large", width=width, height=height, limit=LIMITS.pixels):
        open_picture(write(*size))


def test_a_limit_itself_is_allowed_and_one_more_is_not():
    data = file(numbers(HEIGHT, WIDTH, 3), "PNG")
    pixels = HEIGHT * WIDTH
    open_picture(data, replace(LIMITS, pixels=pixels, file_bytes=len(data)))
    with refuses("image_too_large"):
        open_picture(data, replace(LIMITS, pixels=pixels - 1))
    with refuses("file_too_large", size=len(data), limit=len(data) - 1):
        open_picture(data, replace(LIMITS, pixels=1, file_bytes=len(data) - 1))


def test_a_large_file_is_refused_before_it_is_looked_at():
    with refuses("file_too_large"):
        open_picture(b"no picture", replace(LIMITS, file_bytes=9))
