"""What decoding a picture takes is known and bounded before any of it is decoded."""

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import hostile_pictures as hostile
import numpy as np
import pytest
from picture_files import chunk, file, numbers
from PIL import Image
from refuses import refuses

from core.errors import InputError
from core.limits import LIMITS
from core.sources.containers.gif import gif
from core.sources.containers.jpeg import jpeg
from core.sources.containers.png import png
from core.sources.containers.tiff import tiff
from core.sources.containers.webp import webp
from core.sources.picture import open_picture

MANY = LIMITS.parts + 1
PROGRESSIVE = hostile.flat(16, 16, "JPEG", progressive=True, subsampling=0)
# Whatever reads each of them at all takes seconds or gigabytes for it.
REFUSED = {
    "JPEG, 1000 scans": ("too_many_scans", lambda: hostile.jpeg_of_scans(1000)),
    "JPEG, 100 scans of 49 Mpx": (
        "too_many_scans",
        lambda: hostile.jpeg_said_to_be(7000, 7000, hostile.jpeg_of_scans(100, 16)),
    ),
    "JPEG, comments": ("too_many_parts", lambda: hostile.jpeg(hostile.segment(0xFE) * MANY)),
    "JPEG, EXIF": ("too_many_parts", lambda: hostile.jpeg(hostile.segment(0xE1, b"Exif\0\0") *
    MANY)), "JPEG, tables": (
        "too_many_parts",
        lambda: hostile.jpeg(hostile.segment(0xDB, (b"\0" + b"\1" * 64) * 1000) * 60),
    ),
    "JPEG, coefficients": (
        "decoding_too_large",
        lambda: hostile.jpeg_said_to_be(7300, 6800, PROGRESSIVE),
    ),
    "JPEG, thin": ("decoding_too_large", lambda: hostile.jpeg_said_to_be(760, 65_500, PROGRESSIVE)),
    "PNG, chunks": ("too_many_parts", lambda: hostile.png_of(chunk(b"teSt", b"") * MANY)),
    "PNG, empty pixels": ("too_many_parts", lambda: hostile.png_of(chunk(b"IDAT", b"") * MANY)),
    "PNG, 1 × 50 000 000": ("decoding_too_large", lambda: hostile.empty_png(1, 50_000_000)),
    "GIF, comments": ("too_many_parts", lambda: hostile.gif(b"!\xfe\x01a\0" * MANY)),
    "GIF, blocks": ("too_many_parts", lambda: hostile.gif(b"!\xfe" + b"\1a" * MANY + b"\0")),
    "GIF, application": ("too_many_parts", lambda: hostile.gif(b"!\xff" + b"\1a" * MANY + b"\0")),
    "WebP, chunks": ("too_many_parts", lambda: hostile.webp_of(b"teSt\0\0\0\0" * MANY)),
    "WebP, canvases": ("decoding_too_large", lambda: hostile.webp_said_to_be(7000, 4000)),
    "BMP, runs": ("runs_too_long", lambda: hostile.bmp_rle(2001, 2000, b"\1\1")),
    "BMP, line ends": ("runs_too_long", lambda: hostile.bmp_rle(49_000_000, 1, b"\1\1\0\0\0\1")),
    "BMP, no progress": ("runs_too_long", lambda: hostile.bmp_rle(9, 9, b"\0\2\0\0" * 2_100_000)),
    "TIFF, strips": (
        "too_many_parts",
        lambda: hostile.grey_tiff(16, 16, offsets=[8] * MANY, rows=1, content=bytes(256)),
    ),
    "TIFF, tile": ("decoding_too_large", hostile.tiff_of_a_large_tile),
    "TIFF, one strip": ("decoding_too_large", lambda: hostile.tiff_of_one_strip(7000, 7000)),
    "TIFF, turned": (
        "decoding_too_large",
        lambda: hostile.tiff_of_one_strip(6000, 5000, (274, 3, [6])),
    ),
    "TIFF, scans": ("too_many_scans", hostile.tiff_of_many_scans),
    "TIFF, scans, signed": (
        "too_many_scans",
        lambda: hostile.with_signed_sizes(hostile.tiff_of_many_scans()),
    ),
    "TIFF, tile as a strip": ("decoding_too_large", hostile.tiff_of_a_tile_said_to_be_a_strip),
    "TIFF, overlapping": (
        "overlapping_parts",
        lambda: hostile.tiff_of_overlapping_strips(1000, 100_000),
    ),
    "TIFF, memory": ("decoding_too_large", lambda: hostile.tiff_of_a_long_memory(6000, 7000)),
}  # fmt: skip


def outcome(data):
    try:
        open_picture(data)
    except InputError as refusal:
        return refusal.code
    return None


def test_what_would_take_seconds_or_gigabytes_is_refused_by_name():
    wrong = {
        name: found
        for name, (error, make) in REFUSED.items()
        if (found := outcome(make())) is not error
    }
    assert wrong == {}


def bomb(before):
    return before + hostile.zlib.compress(bytes(2**20))


TURNED = hostile.exif((274, 3, [6]))
RATIONALS = (282, 5, bytes([1, 0, 0, 0] * 2) * 200_000)
# What each of them carries besides its 256 pixels is looked at by no decoder.
LEFT_OUT = {
    "JPEG, comments": (jpeg, hostile.jpeg(hostile.segment(0xFE, bytes(60_000)) * 50)),
    "JPEG, EXIF": (jpeg, hostile.jpeg(hostile.segment(0xE1, b"Exif\0\0" + bytes(999)) * 900)),
    "JPEG, filling": (jpeg, hostile.jpeg(hostile.segment(0xFE) + b"\xff" * 900_000)),
    "JPEG, nothing": (jpeg, hostile.jpeg(hostile.segment(0xFE) + bytes(900_000))),
    "PNG, text": (png, hostile.png_of(chunk(b"zTXt", bomb(b"\0\0")) * 900)),
    "PNG, profile": (png, hostile.png_of(chunk(b"iCCP", bomb(b"a\0\0")) * 900)),
    "PNG, EXIF": (png, hostile.png_of(chunk(b"eXIf", hostile.exif(RATIONALS)[6:]))),
    "GIF, comments": (gif, hostile.gif(b"!\xfe" + hostile.blocks(bytes(900_000), 255))),
    "GIF, nothing": (gif, hostile.gif(bytes(900_000))),
    "WebP, EXIF": (webp, hostile.flat(16, 16, "WEBP", exif=hostile.exif(RATIONALS))),
    "WebP, frames": (
        webp,
        file(
            numbers(16, 16, 3), "WEBP", save_all=True,
            append_images=[Image.fromarray(numbers(16, 16, 3, seed=n)) for n in range(2, 30)],
        ),
    ),
}  # fmt: skip


def test_parts_without_pixels_are_removed_before_decoding():
    wrong = []
    for name, (taken_apart, data) in LEFT_OUT.items():
        left = taken_apart(data, LIMITS).data
        if len(left) > 70_000 or outcome(data) or outcome(left):
            wrong.append((name, len(data), len(left), outcome(data)))
    assert wrong == []


def test_of_a_tiff_file_only_the_tags_of_its_first_picture_are_left():
    plain = hostile.grey_tiff(16, 16, content=bytes(range(256)))
    full = hostile.grey_tiff(16, 16, RATIONALS, (34665, 4, [8]), content=bytes(range(256)))
    for data in (plain, full, file(numbers(16, 16), "TIFF", big_tiff=True)):
        with Image.open(BytesIO(tiff(data, LIMITS).data)) as left:
            assert not {282, 34665} & {*left.tag_v2}
            assert left.n_frames == 1
            np.testing.assert_array_equal(left, open_picture(data).getchannel(0))


ORDINARY = {
    "progressive, 20 scans": lambda: hostile.jpeg_of_scans(10, 3000),
    "a phone's": lambda: hostile.jpeg(
        hostile.segment(0xE1, hostile.exif((274, 3, [6])) + bytes(60_000)),
        *[hostile.segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + bytes(65_000))] * 9,
        *[hostile.segment(0xE2, b"ICC_PROFILE\0\1\1" + bytes(65_000))] * 9,
        hostile.segment(0xE2, b"MPF\0" + bytes(900)),
    )
    + hostile.flat(16, 16, "JPEG") + bytes(5_000_000),
    "rows of text": lambda: hostile.flat(1200, 20_000, "PNG"),
    "in strips": lambda: hostile.flat(3000, 4000, "TIFF", compression="tiff_lzw"),
    "in LZMA": lambda: hostile.flat(1500, 2000, "TIFF", compression="lzma"),
    "in Zstandard": lambda: hostile.flat(3000, 4000, "TIFF", compression="zstd"),
    "blank rows once": lambda: hostile.tiff_of_overlapping_strips(1000, 0),
}  # fmt: skip


def test_what_cameras_and_programs_write_is_read():
    assert {name: outcome(make()) for name, make in ORDINARY.items()} == dict.fromkeys(ORDINARY)


XMP = b'<x:xmpmeta xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>'


def test_the_orientation_is_not_removed():
    stored = numbers(5, 9, 3)
    plain = file(stored, "PNG")
    raw = b"Raw profile type exif\0\nexif\n%8d\n" % len(TURNED) + TURNED.hex().encode() + b"\n"
    turned = {
        "eXIf": chunk(b"eXIf", TURNED[6:]),
        "XMP": chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP),
        "text": chunk(b"tEXt", raw),
    }
    for name, added in turned.items():
        read = open_picture(plain[:33] + added + plain[33:])
        np.testing.assert_array_equal(read, np.rot90(stored, -1), err_msg=name)
    flat = hostile.flat(9, 5, "JPEG")
    segment = hostile.segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)
    assert open_picture(flat[:2] + segment + flat[2:]).size == (5, 9)
    assert open_picture(file(stored, "WEBP", lossless=True, xmp=XMP)).size == (5, 9)


# As large as a quarter of the limit allows; the memory of the last is 128 MiB by itself.
QUARTER = LIMITS.decoding_bytes // 4
LARGEST = {
    "png": (QUARTER, lambda: hostile.flat(3450, 3500, "PNG", "RGBA", compress_level=1)),
    "thin": (QUARTER, lambda: hostile.flat(300, 25_000, "PNG", "L")),
    "coefficients": (
        QUARTER,
        lambda: hostile.flat(3060, 3500, "JPEG", progressive=True, subsampling=0),
    ),
    "webp": (QUARTER, lambda: hostile.flat(2150, 2150, "WEBP", method=0)),
    "window": (LIMITS.decoding_bytes, lambda: hostile.tiff_of_a_long_memory(4900, 6000)),
}
MEASURED = """
import sys
from dataclasses import replace
from pathlib import Path
from core.limits import LIMITS
from core.sources.picture import open_picture
limits = replace(LIMITS, decoding_bytes=int(sys.argv[2]))
data = Path(sys.argv[1]).read_bytes()
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
before = peak()
open_picture(data, limits)
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from /proc")
def test_decoding_the_largest_pictures_holds_no_more_than_the_limit(tmp_path):
    held = {}
    for name, (limit, make) in LARGEST.items():
        (tmp_path / name).write_bytes(make())
        found = subprocess.run(
            [sys.executable, "-c", MEASURED, tmp_path / name, str(limit)],
            capture_output=True, text=True, cwd=Path(__file__).parents[3], check=True,
        )  # fmt: skip
        held[name] = int(found.stdout) / limit
    assert max(held.values()) <= 1.1, held


def test_a_limit_itself_is_allowed():
    data = hostile.jpeg_of_scans(5, 64)
    scans = data.count(b"\xff\xda")
    open_picture(data, replace(LIMITS, scanned_pixels=scans * 64 * 64))
    with refuses("too_many_scans", scanned=scans * 64 * 64):
        open_picture(data, replace(LIMITS, scanned_pixels=scans * 64 * 64 - 1))
    strips = hostile.tiff_of_overlapping_strips(3, 0)  # each of 9 + 1000 bytes
    open_picture(strips, replace(LIMITS, file_bytes=3 * 1009))
    with refuses("overlapping_parts", read=3 * 1009):
        open_picture(strips, replace(LIMITS, file_bytes=3 * 1009 - 1))
    # Rows of 16 pixels of four bytes, a pointer to each, both in the file and in the result.
    needed = 2 * 16 * (16 * 4 + 8)
    open_picture(hostile.png_of(), replace(LIMITS, decoding_bytes=needed))
    with refuses("decoding_too_large", needed=needed):
        open_picture(hostile.png_of(), replace(LIMITS, decoding_bytes=needed - 1))
