"""Reading a picture takes no more time and memory than it may, whatever its file holds."""

from dataclasses import replace
from pathlib import Path

import hostile_pictures as hostile
import numpy as np
import pytest
from picture_files import chunk, file, numbers
from PIL import Image
from refuses import refuses

from core.errors import InputError
from core.limits import LIMITS, READING
from core.sources.apart import Reader
from core.sources.picture import open_picture, read_square

MANY = 50_001
PROGRESSIVE = hostile.flat(16, 16, "JPEG", progressive=True, subsampling=0)


def bomb(before):
    return before + hostile.zlib.compress(bytes(2**20))


TURNED = hostile.exif((274, 3, [6]))
# Some of them would take minutes or gigabytes; of others Pillow makes little.
HOSTILE = {
    "JPEG, 1000 scans": lambda: hostile.jpeg_of_scans(1000),
    "JPEG, EXIF": lambda: hostile.jpeg(hostile.segment(0xE1, b"Exif\0\0") * MANY),
    "JPEG, coefficients": lambda: hostile.jpeg_with_header(7300, 6800, PROGRESSIVE),
    "PNG, chunks": lambda: hostile.png_of(chunk(b"teSt", b"") * MANY),
    "PNG, 1 × 50 000 000": lambda: hostile.empty_png(1, 50_000_000),
    "GIF, comments": lambda: hostile.gif(b"!\xfe\x01a\0" * MANY),
    "WebP, chunks": lambda: hostile.webp_of(b"teSt\0\0\0\0" * MANY),
    "WebP, canvases": lambda: hostile.webp_with_header(7000, 4000),
    "BMP, line ends": lambda: hostile.bmp_rle(49_000_000, 1, b"\1\1\0\0\0\1"),
    "TIFF, strips": lambda: hostile.grey_tiff(
        16, 16, offsets=[8] * MANY, rows=1, content=bytes(256)
    ),
    "TIFF, tile": hostile.tiff_of_a_large_tile,
    "TIFF, scans, signed": lambda: hostile.with_signed_sizes(hostile.tiff_of_many_scans()),
    "TIFF, overlapping": lambda: hostile.tiff_of_overlapping_strips(1000, 100_000),
    "TIFF, memory": lambda: hostile.tiff_of_a_long_memory(6000, 7000),
    "PNG, much profile": lambda: hostile.png_of(chunk(b"iCCP", bomb(b"a\0\0")) * 900),
    "WebP, much frames": lambda: file(
        numbers(16, 16, 3), "WEBP", save_all=True,
        append_images=[Image.fromarray(numbers(16, 16, 3, seed=n)) for n in range(2, 30)],
    ),
}  # fmt: skip
REFUSALS = {"takes_too_much", "decoding_too_large", "damaged_image"}
QUICK = replace(READING, cpu_seconds=1.0, wait=60.0)
IMPORTS = 1  # seconds at most, of a process that reads


def of_process(number, name):
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith(name))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from /proc")
def test_every_hostile_file_ends_in_a_picture_or_a_sentence_within_the_limits():
    wrong, ended, reader = [], set(), Reader(QUICK)
    for name, make in HOSTILE.items():
        try:
            _, pixels = reader.read(read_square, make(), {"most": 448})
            found = None if pixels.shape[2:] == (3,) else pixels.shape
        except InputError as refusal:
            found = refusal.code
        if reader.usable:
            peak = int(of_process(reader.process.pid, "VmHWM")) * 1024
            if peak > 500_000_000:
                wrong.append((name, peak))
        else:
            ended.add(name)
            reader.end()
            reader = Reader(QUICK)
        if found not in {None, *REFUSALS}:
            wrong.append((name, found))
    reader.end()
    assert wrong == []
    assert {"JPEG, 1000 scans", "TIFF, scans, signed"} <= ended
    assert READING.cpu_seconds + IMPORTS <= 5
    assert READING.memory_bytes <= 500_000_000


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
    reader, wrong = Reader(replace(READING, wait=60.0)), []
    for name, make in ORDINARY.items():
        try:
            reader.read(read_square, make(), {"most": 448})
        except InputError as refusal:
            wrong.append((name, refusal))
    reader.end()
    assert wrong == []


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


def test_a_limit_itself_is_allowed():
    # Rows of 16 pixels of four bytes, a pointer to each, both in the file and in the result.
    needed = 2 * 16 * (16 * 4 + 8)
    open_picture(hostile.png_of(), replace(LIMITS, decoding_bytes=needed))
    with refuses("decoding_too_large", needed=needed):
        open_picture(hostile.png_of(), replace(LIMITS, decoding_bytes=needed - 1))
