"""Small files whose pictures are slow to decode, or need much memory, built for tests."""

import struct
import zlib

from picture_files import chunk, file, png
from PIL import Image


def flat(width, height, format, mode="RGB", **options):
    return file(Image.new(mode, (width, height)), format, **options)


def jpeg(*before, mode="RGB", size=16, **options):
    """A JPEG with these segments right after its beginning."""
    data = flat(size, size, "JPEG", mode, **options)
    return data[:2] + b"".join(before) + data[2:]


def segment(marker, content=b""):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content


def jpeg_of_scans(count, side=2000, mode="RGB"):
    """A progressive JPEG whose last scan is repeated ``count`` times."""
    data = flat(side, side, "JPEG", mode, progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * (count + 1) + data[-2:]


def jpeg_with_header(width, height, data):
    """The same file with another size in its header."""
    at = data.index(b"\xff\xc2") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def png_of(*chunks, width=16, height=16, depth=8, colour=2):
    pixels = zlib.compress((b"\0" + bytes(width * 3)) * height)
    end = chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return png(width, height, depth, colour, *chunks, end)


def empty_png(width, height):
    """A PNG in shades of grey, without image data."""
    return png(width, height, 8, 0, chunk(b"IDAT", zlib.compress(b"")), chunk(b"IEND", b""))


def gif(before=b"", size=16):
    """A GIF with these bytes right before its first picture."""
    data = flat(size, size, "GIF", "L")
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 128 else 0)
    return data[:at] + before + data[at:]


def bmp_rle(width, height, content, depth=8):
    """A run-length coded BMP. depth: 8 or 4 bits."""
    colours = bytes(4 * (1 << depth))
    offset = 14 + 40 + len(colours)
    compression = {8: 1, 4: 2}[depth]
    head = struct.pack(
        "<IiiHHIIiiII", 40, width, height, 1, depth, compression, len(content), 0, 0, 0, 0
    )
    return (
        struct.pack("<2sIHHI", b"BM", offset + len(content), 0, 0, offset)
        + head
        + colours
        + content
    )


def tiff(entries, content=b""):
    """A little-endian TIFF of one picture. entries: (tag, type, values); content: at byte 8."""
    sizes = {1: "B", 2: "B", 3: "H", 4: "I", 5: "I"}
    start = 8 + len(content) + len(content) % 2
    table = 2 + 12 * len(entries) + 4
    outside, out = b"", struct.pack("<H", len(entries))
    for tag, kind, values in sorted(entries):
        packed = (
            values
            if isinstance(values, bytes)
            else struct.pack(f"<{len(values)}{sizes[kind]}", *values)
        )
        count = len(packed) // (8 if kind == 5 else struct.calcsize(sizes[kind]))
        if len(packed) > 4:
            where = start + table + len(outside)
            outside += packed + b"\0" * (len(packed) % 2)
            packed = struct.pack("<I", where)
        out += struct.pack("<HHI", tag, kind, count) + packed.ljust(4, b"\0")
    return (
        b"II*\0"
        + struct.pack("<I", start)
        + content.ljust(start - 8, b"\0")
        + out
        + bytes(4)
        + outside
    )


def grey_tiff(
    width,
    height,
    *more,
    compression=1,
    offsets=(8,),
    counts=None,
    rows=None,
    content=b"",
    bits=8,
    samples=1,
):
    entries = [
        (256, 4, [width]),
        (257, 4, [height]),
        (258, 3, [bits] * samples),
        (259, 3, [compression]),
        (262, 3, [1 if samples == 1 else 2]),
        (277, 3, [samples]),
    ]
    if not any(tag == 324 for tag, *_ in more):
        entries += [
            (273, 4, list(offsets)),
            (278, 4, [rows or height]),
            (279, 4, list(counts or [width * height])),
        ]
    return tiff([*entries, *more], content)


def exif(*entries):
    return b"Exif\0\0" + tiff(list(entries))


def tiff_of_a_large_tile():
    """A tile of 900 megabytes for 256 pixels."""
    packed = zlib.compress(bytes(1000))
    tile = [(322, 4, [30_000]), (323, 4, [30_000]), (324, 4, [8]), (325, 4, [len(packed)])]
    return grey_tiff(16, 16, *tile, compression=8, content=packed)


def tiff_of_many_scans():
    """All tiles are one small JPEG of many scans."""
    tile, across = jpeg_of_scans(80, 256, "L"), 27
    offsets = [(324, 4, [8] * across**2), (325, 4, [len(tile)] * across**2)]
    sides = [(322, 4, [256]), (323, 4, [256])]
    return grey_tiff(256 * across, 256 * across, *sides, *offsets, compression=7, content=tile)


def with_signed_sizes(data):
    """The same TIFF, with TileByteCounts as signed integers."""
    plain, signed = (struct.pack("<HH", 325, kind) for kind in (4, 9))
    assert data.count(plain) == 1
    return data.replace(plain, signed)


def tiff_of_overlapping_strips(rows, empty):
    """Rows that are all one strip of Zstandard, of so many blocks of which each is empty."""
    block = struct.pack("<I", 1000 << 3 | 1)[:3] + bytes(1000)
    strip = b"\x28\xb5\x2f\xfd\0\x58" + bytes(3 * empty) + block
    return grey_tiff(
        1000, rows, compression=50_000, content=strip, rows=1,
        offsets=[8] * rows, counts=[len(strip)] * rows,
    )  # fmt: skip


def tiff_of_a_long_memory(width, height):
    """One strip of Zstandard that says to keep 128 MiB of what is unpacked."""
    whole, last = divmod(3 * width * height, 2**17)
    runs = b"".join(
        struct.pack("<I", size << 3 | 2 | end)[:3] + b"\0"
        for size, end in ((2**17, 0), (last, 1))
        for _ in range(1 if end else whole)
    )
    strip = b"\x28\xb5\x2f\xfd\0\x88" + runs
    return grey_tiff(
        width, height, compression=50_000, samples=3, content=strip, counts=[len(strip)]
    )


def webp_of(more):
    """A WebP with these chunks at its end."""
    body = flat(16, 16, "WEBP", "RGBA", exif=exif())[12:] + more
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def webp_with_header(width, height):
    """The header of a lossless WebP without image data."""
    content = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + bytes(20)
    body = b"WEBPVP8L" + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body
