"""A picture is set upright, reduced where it is large, and cropped to a square of values."""

from fractions import Fraction

import numpy as np
from claims import for_all
from picture_files import HEIGHT, LOSSLESS, WIDTH, file, numbers, pixels_of
from PIL import Image
from refuses import refuses

from core.sources.picture import open_picture, square, values

# Where the stored row 0 and column 0 are shown, by the EXIF standard (CIPA DC-008, 4.6.5.1.6).
ORIENTATIONS = {
    1: ("top", "left"), 2: ("top", "right"), 3: ("bottom", "right"), 4: ("bottom", "left"),
    5: ("left", "top"), 6: ("right", "top"), 7: ("right", "bottom"), 8: ("left", "bottom"),
}  # fmt: skip


def upright(stored, orientation):
    height, width = stored.shape[:2]
    first_row, first_column = ORIENTATIONS[orientation]
    turned = first_row in ("left", "right")
    result = np.zeros((width, height, 3) if turned else (height, width, 3), dtype=np.uint8)
    for r in range(height):
        for c in range(width):
            at = {
                "y" if first_row in ("top", "bottom") else "x": (
                    r if first_row in ("top", "left") else height - 1 - r
                ),
                "y" if first_column in ("top", "bottom") else "x": (
                    c if first_column in ("top", "left") else width - 1 - c
                ),
            }
            result[at["y"], at["x"]] = stored[r, c]
    return result


@for_all("format", ["PNG", "WEBP", "TIFF"])
@for_all("orientation", ORIENTATIONS)
def test_the_exif_rotation_is_applied(format, orientation):
    stored = numbers(HEIGHT, WIDTH, 3)
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = file(stored, format, exif=exif, **LOSSLESS[format])
    np.testing.assert_array_equal(pixels_of(data), upright(stored, orientation))


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


@for_all(
    ("width", "height", "left", "top"), [(11, 5, 3, 0), (5, 11, 0, 3), (10, 5, 2, 0), (5, 5, 0, 0)]
)
def test_the_square_is_cropped_from_the_middle(width, height, left, top):
    pixels = numbers(height, width, 3)
    cropped = square(Image.fromarray(pixels), 5)
    assert cropped.dtype == np.uint8
    np.testing.assert_array_equal(cropped, pixels[top : top + 5, left : left + 5])


def test_a_square_has_at_least_one_pixel():
    with refuses("out_of_range", name="size", value=0):
        square(Image.new("RGB", (3, 5)), 0)


def test_a_value_is_its_pixel_over_127_5_minus_1():
    pixels = np.arange(256, dtype=np.uint8).reshape(2, 128)
    found = values(pixels)
    assert (found.dtype, found.shape) == (np.float32, (2, 128))
    for pixel in range(256):
        exact = Fraction(pixel) / Fraction(255, 2) - 1
        assert found[pixel // 128, pixel % 128] == np.float32(float(exact))
    assert (found.min(), found.max()) == (-1, 1)
