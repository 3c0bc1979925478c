"""Picture files of every kind become upright red, green and blue, or are refused by name."""

import struct
import zlib
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import (
    DamagedImage,
    FileTooLarge,
    ImageTooLarge,
    InputError,
    NotAnImage,
    OutOfRange,
)
from core.limits import LIMITS
from core.sources.picture import open_picture, square, values

SAMPLES = Path(__file__).parents[3] / "assets" / "samples"
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


@pytest.mark.parametrize("format", LOSSLESS)
def test_a_picture_in_red_green_and_blue_is_read_as_it_is(format):
    pixels = numbers(HEIGHT, WIDTH, 3)
    np.testing.assert_array_equal(pixels_of(file(pixels, format, **LOSSLESS[format])), pixels)


def test_a_photo_is_read_nearly_as_it_was():
    slope = np.linspace(0, 255, WIDTH)[None, :, None] * np.ones((HEIGHT, 1, 3))
    read = pixels_of(file(slope.astype(np.uint8), "JPEG", quality=95)).astype(float)
    np.testing.assert_allclose(read, slope, atol=12)


def test_greys_palettes_and_single_bits_become_red_green_and_blue():
    grey = numbers(HEIGHT, WIDTH)
    expected = np.stack([grey] * 3, axis=-1)
    np.testing.assert_array_equal(pixels_of(file(grey, "PNG")), expected)
    palette = Image.fromarray(grey % 3)
    palette = palette.convert("P")
    palette.putpalette([10, 20, 30, 200, 100, 0, 1, 255, 3])
    colours = np.array([[10, 20, 30], [200, 100, 0], [1, 255, 3]])
    for format in ("PNG", "GIF", "BMP", "TIFF"):
        np.testing.assert_array_equal(pixels_of(file(palette, format)), colours[grey % 3])
    bits = Image.fromarray(grey > 100)
    for format in ("PNG", "BMP", "TIFF"):
        assert bits.mode == "1"
        black_or_white = np.where(expected > 100, 255, 0)
        np.testing.assert_array_equal(pixels_of(file(bits, format)), black_or_white)


@pytest.mark.parametrize("format", ["JPEG", "TIFF"])
def test_printing_colours_become_red_green_and_blue(format):
    # No cyan, all magenta, all yellow, no black is red.
    ink = Image.new("CMYK", (WIDTH, HEIGHT), (0, 255, 255, 0))
    np.testing.assert_allclose(pixels_of(file(ink, format))[3, 5], [255, 0, 0], atol=2)


@pytest.mark.parametrize(
    "data",
    [
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "PNG"),
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "TIFF"),
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "TIFF", big_endian=True),
        file(np.arange(0, 65536, 257, dtype=np.int32)[None], "TIFF"),
    ],
    ids=["PNG", "TIFF", "TIFF big endian", "TIFF 32 bits"],
)
def test_greys_of_16_bits_are_scaled_by_their_whole_range(data):
    np.testing.assert_array_equal(pixels_of(data)[0, :, 1], np.arange(256))


def test_greys_of_16_bits_that_use_little_of_their_range_stay_dark():
    assert pixels_of(file(np.full((2, 3), 3 * 257, dtype=np.uint16), "PNG")).max() == 3
    assert pixels_of(file(np.full((2, 3), 3 * 257, dtype=np.int32), "TIFF")).max() == 3


def test_greys_beyond_16_bits_and_fractions_run_from_their_least_to_their_greatest():
    for greys in (
        np.array([[-1000, 0, 4000]], dtype=np.int32),
        np.array([[-0.1, 0.0, 0.4]], dtype=np.float32),
    ):
        assert pixels_of(file(greys, "TIFF"))[0, :, 0].tolist() == [0, 51, 255]
    assert pixels_of(file(np.full((1, 2), 0.3, dtype=np.float32), "TIFF")).max() == 0


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_fractions_that_are_no_numbers_are_damage(number):
    with pytest.raises(DamagedImage):
        open_picture(file(np.array([[0.0, number, 1.0]], dtype=np.float32), "TIFF"))


def on_white(colour, alpha):
    return [round(float(255 + Fraction(alpha, 255) * (c - 255))) for c in colour]


@pytest.mark.parametrize("format", ["PNG", "WEBP", "TIFF"])
def test_what_is_transparent_lies_on_white(format):
    colours = [(10, 200, 90, 0), (10, 200, 90, 51), (10, 200, 90, 204), (10, 200, 90, 255)]
    data = file(np.array([colours], dtype=np.uint8), format, **LOSSLESS[format])
    expected = [on_white(c[:3], c[3]) for c in colours]
    np.testing.assert_allclose(pixels_of(data)[0], expected, atol=1)


def test_transparent_greys_palettes_and_single_colours_lie_on_white():
    grey = Image.fromarray(np.array([[[40, 51], [40, 255]]], dtype=np.uint8))
    assert grey.mode == "LA"
    expected = [on_white((40,) * 3, 51), [40, 40, 40]]
    np.testing.assert_allclose(pixels_of(file(grey, "PNG"))[0], expected, atol=1)

    palette = Image.fromarray(np.array([[0, 1, 2]], dtype=np.uint8)).convert("P")
    palette.putpalette([10, 20, 30, 200, 100, 0, 1, 255, 3])
    by_place = pixels_of(file(palette, "PNG", transparency=bytes([255, 51, 0])))[0]
    white = [255, 255, 255]
    np.testing.assert_allclose(by_place, [[10, 20, 30], on_white((200, 100, 0), 51), white], atol=1)
    one_place = pixels_of(file(palette, "GIF", transparency=1))[0].tolist()
    assert one_place == [[10, 20, 30], white, [1, 255, 3]]

    colour = file(np.array([[[9, 8, 7], [9, 8, 6]]], dtype=np.uint8), "PNG", transparency=(9, 8, 7))
    assert pixels_of(colour)[0].tolist() == [white, [9, 8, 6]]


def test_a_transparent_grey_of_16_bits_lies_on_white():
    clear = chunk(b"tRNS", struct.pack(">H", 514))
    data = png(3, 1, 16, 0, clear, row(struct.pack(">3H", 513, 514, 771)))
    assert pixels_of(data)[0, :, 0].tolist() == [2, 255, 3]


def test_of_an_animation_the_first_frame_is_read():
    frames = [Image.new("RGB", (WIDTH, HEIGHT), c) for c in ((250, 0, 0), (0, 250, 0), (0, 0, 250))]
    for format in ("GIF", "PNG", "WEBP", "TIFF", "MPO"):
        data = file(frames[0], format, save_all=True, append_images=frames[1:])
        pixels = pixels_of(data)
        assert pixels.shape == (HEIGHT, WIDTH, 3), format
        np.testing.assert_allclose(pixels[2, 3], [250, 0, 0], atol=8, err_msg=format)


# Where the stored row 0 and column 0 are seen, by the EXIF standard (CIPA DC-008, 4.6.5.1.6).
ORIENTATIONS = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("left", "top"),
    6: ("right", "top"),
    7: ("right", "bottom"),
    8: ("left", "bottom"),
}


def seen(stored, orientation):
    height, width = stored.shape[:2]
    first_row, first_column = ORIENTATIONS[orientation]
    turned = first_row in ("left", "right")
    result = np.zeros((width, height, 3) if turned else (height, width, 3), dtype=np.uint8)
    for r in range(height):
        for c in range(width):
            place = {
                "y" if first_row in ("top", "bottom") else "x": (
                    r if first_row in ("top", "left") else height - 1 - r
                ),
                "y" if first_column in ("top", "bottom") else "x": (
                    c if first_column in ("top", "left") else width - 1 - c
                ),
            }
            result[place["y"], place["x"]] = stored[r, c]
    return result


@pytest.mark.parametrize("format", ["PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_a_turned_photo_is_set_upright(format, orientation):
    stored = numbers(HEIGHT, WIDTH, 3)
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = file(stored, format, exif=exif, **LOSSLESS[format])
    np.testing.assert_array_equal(pixels_of(data), seen(stored, orientation))


def test_a_turned_photo_with_a_large_side_is_reduced_and_set_upright():
    stored = np.zeros((2100, 3000, 3), dtype=np.uint8)
    stored[:1000, :1000] = (250, 10, 10)
    exif = Image.Exif()
    exif[0x0112] = 6
    pixels = pixels_of(file(stored, "JPEG", exif=exif))
    assert pixels.shape == (1500, 1050, 3)
    np.testing.assert_allclose(pixels[100, 1000], [250, 10, 10], atol=8)
    np.testing.assert_allclose(pixels[100, 100], [0, 0, 0], atol=8)


def test_a_large_picture_comes_back_as_the_means_of_its_pixels():
    height, width, factor = 3 * 1031, 3 * 1321 + 1, 3
    pixels = numbers(height, width)
    data = file(Image.fromarray(pixels), "BMP")
    read = pixels_of(data)
    assert read.shape == (1031, 1322, 3)
    inner = pixels[:, : 3 * 1321].astype(float)
    means = inner.reshape(1031, factor, 1321, factor).mean(axis=(1, 3))
    np.testing.assert_allclose(read[:, :1321, 2], means, atol=0.6)
    last = pixels[:, -1].reshape(1031, factor).mean(axis=1)
    np.testing.assert_allclose(read[:, 1321, 2], last, atol=1)


def test_a_picture_that_is_not_large_keeps_its_size():
    assert open_picture(file(np.zeros((2047, 2100), dtype=np.uint8), "PNG")).size == (2100, 2047)
    assert open_picture(file(np.zeros((2047, 2100), dtype=np.uint8), "JPEG")).size == (2100, 2047)


def small(format):
    return file(np.zeros((16, 16, 3), dtype=np.uint8), format)


def huge_png(width, height):
    return png(width, height, 8, 2, row(b"\0"))


def huge_gif(width, height):
    return small("GIF")[:6] + struct.pack("<HH", width, height) + small("GIF")[10:]


def huge_bmp(width, height):
    return small("BMP")[:18] + struct.pack("<ii", width, height) + small("BMP")[26:]


def huge_jpeg(width, height):
    data = small("JPEG")
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def huge_tiff(width, height):
    data = bytearray(small("TIFF"))
    for tag, number in ((256, width), (257, height)):
        at = data.index(struct.pack("<HHI", tag, 4, 1)) + 8
        data[at : at + 4] = struct.pack("<I", number)
    return bytes(data)


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


@pytest.mark.parametrize(
    "write",
    [
        huge_png,
        huge_gif,
        huge_bmp,
        huge_jpeg,
        huge_tiff,
        huge_webp_extended,
        huge_webp_lossless,
        huge_webp_lossy,
    ],
)
@pytest.mark.parametrize("size", [(10_007, 10_009), (16_001, 16_003)])
def test_too_many_pixels_are_refused_by_the_header_alone(write, size):
    # Pillow by itself warns of the smaller of these sizes and refuses the larger.
    with pytest.raises(ImageTooLarge) as refusal:
        open_picture(write(*size))
    found = refusal.value
    assert (found.width, found.height, found.limit) == (*size, LIMITS.pixels)


def test_20_000_pixels_a_side_are_refused():
    with pytest.raises(ImageTooLarge) as refusal:
        open_picture(huge_png(20_000, 20_000))
    assert "20000 x 20000" in str(refusal.value)


def test_a_limit_itself_is_allowed_and_one_more_is_not():
    data = file(numbers(HEIGHT, WIDTH, 3), "PNG")
    pixels = HEIGHT * WIDTH
    open_picture(data, replace(LIMITS, pixels=pixels, file_bytes=len(data)))
    with pytest.raises(ImageTooLarge):
        open_picture(data, replace(LIMITS, pixels=pixels - 1))
    with pytest.raises(FileTooLarge) as refusal:
        open_picture(data, replace(LIMITS, pixels=1, file_bytes=len(data) - 1))
    assert (refusal.value.size, refusal.value.limit) == (len(data), len(data) - 1)


def test_a_large_file_is_refused_before_it_is_looked_at():
    with pytest.raises(FileTooLarge):
        open_picture(b"no picture", replace(LIMITS, file_bytes=9))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PN",
        b"<html><body>photo.jpg</body></html>",
        "我爱北京".encode(),
        b"%PDF-1.7\n",
        file(numbers(HEIGHT, WIDTH, 3), "PPM"),
        file(numbers(16, 16, 3), "ICO"),
        file(numbers(16, 16, 3), "TGA"),
    ],
    ids=["nothing", "three bytes", "HTML", "text", "PDF", "PPM", "ICO", "TGA"],
)
def test_what_is_none_of_the_six_formats_is_no_image(data):
    with pytest.raises(NotAnImage):
        open_picture(data)


def written_pictures():
    pixels, exif = numbers(13, 17, 3), Image.Exif()
    exif[0x0112] = 6
    clear = numbers(13, 17, 4)
    frames = {"save_all": True, "append_images": [Image.fromarray(clear)]}
    return {
        "PNG": file(clear, "PNG", exif=exif),
        "PNG, palette": file(Image.fromarray(pixels).quantize(5), "PNG", transparency=3),
        "PNG, 16 bits": file(numbers(13, 17, dtype=np.uint16), "PNG"),
        "PNG, animated": file(pixels, "PNG", **frames),
        "JPEG": file(pixels, "JPEG", exif=exif),
        "JPEG, progressive": file(pixels, "JPEG", progressive=True),
        "JPEG, CMYK": file(Image.fromarray(pixels).convert("CMYK"), "JPEG"),
        "MPO": file(pixels, "MPO", save_all=True, append_images=[Image.fromarray(pixels)]),
        "WebP": file(pixels, "WEBP", exif=exif),
        "WebP, lossless": file(clear, "WEBP", lossless=True),
        "WebP, animated": file(pixels, "WEBP", **frames),
        "GIF": file(pixels, "GIF"),
        "GIF, animated": file(pixels, "GIF", **frames),
        "BMP": file(pixels, "BMP"),
        "BMP, palette": file(Image.fromarray(pixels).quantize(5), "BMP"),
        "TIFF": file(pixels, "TIFF", exif=exif),
        "TIFF, LZW": file(pixels, "TIFF", compression="tiff_lzw"),
        "TIFF, JPEG": file(pixels, "TIFF", compression="jpeg"),
    }


PICTURES = written_pictures()


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_that_breaks_off_half_way_is_damaged(kind):
    data = PICTURES[kind]
    assert open_picture(data).size in ((13, 17), (17, 13))
    # The first of two pictures takes up about half of the file.
    part = len(data) // (4 if kind == "MPO" or "animated" in kind else 2)
    with pytest.raises(DamagedImage):
        open_picture(data[:part])


def spoiled(data, random, way):
    spoilt = bytearray(data)
    match way:
        case 0:
            return data[: random.integers(len(data))]
        case 1:
            spoilt[random.integers(min(80, len(data)))] = random.integers(256)
        case 2:
            for place in random.integers(len(data), size=5):
                spoilt[place] = random.integers(256)
        case _:
            at, removed, added = random.integers(len(data)), *random.integers(12, size=2)
            spoilt[at : at + removed] = random.bytes(added)
    return bytes(spoilt)


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("kind", PICTURES)
def test_whatever_is_wrong_with_a_file_it_is_read_or_refused_by_name(kind):
    random = np.random.default_rng(len(kind))
    outcomes = set()
    for trial in range(240):
        try:
            picture = open_picture(spoiled(PICTURES[kind], random, trial % 4))
        except InputError as refusal:
            outcomes.add(type(refusal))
        else:
            assert picture.mode == "RGB"
            outcomes.add(None)
    assert outcomes >= {None, DamagedImage}
    assert outcomes <= {None, DamagedImage, NotAnImage, ImageTooLarge}


def test_a_picture_without_pixels_is_damaged():
    for width, height in ((0, 3), (3, 0)):
        with pytest.raises(DamagedImage):
            open_picture(png(width, height, 8, 2, row(b"")))


@pytest.mark.parametrize(
    ("width", "height", "left", "top"), [(11, 5, 3, 0), (5, 11, 0, 3), (10, 5, 2, 0), (5, 5, 0, 0)]
)
def test_the_square_is_cut_from_the_middle_and_not_squashed(width, height, left, top):
    pixels = numbers(height, width, 3)
    cut = square(Image.fromarray(pixels), 5)
    assert cut.dtype == np.uint8
    np.testing.assert_array_equal(cut, pixels[top : top + 5, left : left + 5])


def test_nothing_from_beyond_the_square_bleeds_into_it():
    pixels = np.full((21, 63, 3), 255, dtype=np.uint8)
    pixels[:, 21:42] = (7, 80, 160)
    for size in (3, 7, 21, 30):
        cut = square(Image.fromarray(pixels), size)
        np.testing.assert_array_equal(cut, np.tile(np.uint8([7, 80, 160]), (size, size, 1)))


def test_shrinking_keeps_what_is_fine_as_grey():
    fine = (np.indices((70, 70)).sum(axis=0) % 2 * 255).astype(np.uint8)
    grey = square(Image.fromarray(np.stack([fine] * 3, axis=-1)), 10)
    np.testing.assert_allclose(grey, 127.5, atol=12)


def test_enlarging_draws_no_ripples_beside_an_edge():
    edge = np.zeros((4, 4, 3), dtype=np.uint8)
    edge[:, :2] = 200
    large = square(Image.fromarray(edge), 32).astype(int)
    assert large.shape == (32, 32, 3)
    # Bicubic overshoots once on each side of the edge, Lanczos goes on swinging.
    slopes = np.sign(np.diff(large[5, :, 0]))
    assert np.count_nonzero(np.diff(slopes[slopes != 0])) <= 2


def test_a_single_pixel_becomes_a_square_of_its_colour():
    data = file(np.uint8([[[12, 34, 56]]]), "PNG")
    np.testing.assert_array_equal(
        square(open_picture(data), 13), np.tile(np.uint8([12, 34, 56]), (13, 13, 1))
    )


def test_a_square_has_at_least_one_pixel():
    with pytest.raises(OutOfRange, match="size = 0 is not allowed"):
        square(Image.new("RGB", (3, 5)), 0)


def test_a_value_is_its_pixel_over_127_5_minus_1():
    pixels = np.arange(256, dtype=np.uint8).reshape(2, 128)
    found = values(pixels)
    assert (found.dtype, found.shape) == (np.float32, (2, 128))
    for pixel in range(256):
        exact = Fraction(pixel) / Fraction(255, 2) - 1
        assert found[pixel // 128, pixel % 128] == np.float32(float(exact))
    assert (found.min(), found.max()) == (-1, 1)


def test_the_samples_are_small_files_of_448_pixels_a_side():
    names = {path.stem for path in SAMPLES.glob("*.webp")}
    assert names == {"cat", "ring", "lake", "tiles", "boat"}
    for path in SAMPLES.glob("*.webp"):
        assert path.stat().st_size <= 120_000
        assert open_picture(path.read_bytes()).size == (448, 448)
