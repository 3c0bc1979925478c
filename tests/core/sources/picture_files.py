"""Picture files of every kind, written for tests."""

import struct
import zlib
from io import BytesIO

import numpy as np
from PIL import Image

from core.sources.picture import open_picture

HEIGHT, WIDTH = 7, 11
LOSSLESS = {
    "PNG": {},
    "WEBP": {"lossless": True, "exact": True},
    "BMP": {},
    "TIFF": {"compression": "tiff_lzw"},
}


def numbers(*shape, dtype=np.uint8, seed=1):
    top = np.iinfo(dtype).max
    return np.random.default_rng(seed).integers(0, top, shape, dtype=dtype, endpoint=True)


def file(pixels, format, **options):
    picture = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    stream = BytesIO()
    picture.save(stream, format, **options)
    return stream.getvalue()


def pixels_of(data):
    picture = open_picture(data)
    assert picture.mode == "RGB"
    return np.asarray(picture)


def chunk(name, content):
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


def png(width, height, depth, colour, *chunks):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks)


def row(content):
    return chunk(b"IDAT", zlib.compress(b"\0" + content)) + chunk(b"IEND", b"")


def small(format):
    return file(np.zeros((16, 16, 3), dtype=np.uint8), format)
