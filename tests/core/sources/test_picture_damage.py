"""A file that is no picture, or a damaged one, is refused by name."""

import numpy as np
import pytest
from claims import for_all
from picture_files import HEIGHT, WIDTH, file, numbers, png, row
from PIL import Image
from refuses import refuses

from core.errors import InputError
from core.sources.picture import open_picture


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_fractions_that_are_no_numbers_are_damage(number):
    with refuses("damaged_image"):
        open_picture(file(np.array([[0.0, number, 1.0]], dtype=np.float32), "TIFF"))


@for_all(
    "data",
    [
        b"\x89PN",
        "我爱北京".encode(),
        file(numbers(HEIGHT, WIDTH, 3), "PPM"),
        file(numbers(16, 16, 3), "TGA"),
    ],
)
def test_what_is_of_no_known_type_is_no_picture(data):
    with refuses("not_an_image"):
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
    with refuses("damaged_image"):
        open_picture(data[:part])


def spoiled(data, random, way):
    spoilt = bytearray(data)
    match way:
        case 0:
            return data[: random.integers(len(data))]
        case 1:
            spoilt[random.integers(min(80, len(data)))] = random.integers(256)
        case 2:
            for at in random.integers(len(data), size=5):
                spoilt[at] = random.integers(256)
        case _:
            at, removed, added = random.integers(len(data)), *random.integers(12, size=2)
            spoilt[at : at + removed] = random.bytes(added)
    return bytes(spoilt)


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("kind", PICTURES)
def test_a_corrupted_picture_is_read_or_refused_by_name(kind):
    random = np.random.default_rng(len(kind))
    outcomes = set()
    for trial in range(240):
        try:
            picture = open_picture(spoiled(PICTURES[kind], random, trial % 4))
        except InputError as refusal:
            outcomes.add(refusal.code)
        else:
            assert picture.mode == "RGB"
            outcomes.add(None)
    assert outcomes >= {None, "damaged_image"}
    assert outcomes <= {None, "damaged_image", "empty_file", "not_an_image", "image_too_large"}


def test_a_picture_without_pixels_is_damaged():
    for width, height in ((0, 3), (3, 0)):
        with refuses("damaged_image"):
            open_picture(png(width, height, 8, 2, row(b"")))
