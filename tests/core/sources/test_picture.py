"""Picture files of every kind are decoded to RGB."""

import struct
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from picture_files import HEIGHT, LOSSLESS, WIDTH, chunk, file, numbers, pixels_of, png, row
from PIL import Image

from core.sources.picture import further, open_picture

SAMPLES = Path(__file__).parents[3] / "assets" / "samples"


@for_all(
    "data",
    [
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "PNG"),
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "TIFF"),
        file(np.arange(0, 65536, 257, dtype=np.uint16)[None], "TIFF", big_endian=True),
        file(np.arange(0, 65536, 257, dtype=np.int32)[None], "TIFF"),
    ],
)
def test_greys_of_16_bits_are_scaled_by_their_whole_range(data):
    np.testing.assert_array_equal(pixels_of(data)[0, :, 1], np.arange(256))


def test_greys_beyond_16_bits_and_fractions_run_from_their_least_to_their_greatest():
    for greys in (
        np.array([[-1000, 0, 4000]], dtype=np.int32),
        np.array([[-0.1, 0.0, 0.4]], dtype=np.float32),
    ):
        assert pixels_of(file(greys, "TIFF"))[0, :, 0].tolist() == [0, 51, 255]
    assert pixels_of(file(np.full((1, 2), 0.3, dtype=np.float32), "TIFF")).max() == 0


def on_white(colour, alpha):
    return [round(float(255 + Fraction(alpha, 255) * (c - 255))) for c in colour]


@for_all("format", ["PNG", "WEBP", "TIFF"])
def test_transparent_pixels_are_put_on_white(format):
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
    by_palette = pixels_of(file(palette, "PNG", transparency=bytes([255, 51, 0])))[0]
    white = [255, 255, 255]
    np.testing.assert_allclose(
        by_palette, [[10, 20, 30], on_white((200, 100, 0), 51), white], atol=1
    )
    one_index = pixels_of(file(palette, "GIF", transparency=1))[0].tolist()
    assert one_index == [[10, 20, 30], white, [1, 255, 3]]

    colour = file(np.array([[[9, 8, 7], [9, 8, 6]]], dtype=np.uint8), "PNG", transparency=(9, 8, 7))
    assert pixels_of(colour)[0].tolist() == [white, [9, 8, 6]]


def test_a_transparent_grey_of_16_bits_becomes_white():
    clear = chunk(b"tRNS", struct.pack(">H", 514))
    data = png(3, 1, 16, 0, clear, row(struct.pack(">3H", 513, 514, 771)))
    assert pixels_of(data)[0, :, 0].tolist() == [2, 255, 3]


FURTHER = {"PNG": "frames", "GIF": "frames", "WEBP": "frames", "TIFF": "pages", "MPO": ""}


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@for_all(("kind", "found"), FURTHER.items())
def test_further_frames_and_pages_are_found(kind, found):
    first, *others = (Image.fromarray(numbers(HEIGHT, WIDTH, 3, seed=one)) for one in range(3))
    several = file(first, kind, save_all=True, append_images=others)
    assert further(several) == found
    assert not further(file(first, kind))
    for length in range(40, len(several), 7):
        assert further(several[:length]) in ("", found)


def test_a_comment_or_a_thumbnail_behind_a_picture_is_no_further_one():
    picture = Image.fromarray(numbers(HEIGHT, WIDTH, 3))
    gif = file(picture, "GIF")
    assert not further(gif[:-1] + b"!\xfe\x03a,b\0;")
    thumbnail = Image.fromarray(numbers(HEIGHT, WIDTH, 3))
    thumbnail.encoderinfo = {"tiffinfo": {254: 1}}
    assert not further(file(picture, "TIFF", save_all=True, append_images=[thumbnail]))


def test_of_an_animation_the_first_frame_is_read():
    frames = [Image.new("RGB", (WIDTH, HEIGHT), c) for c in ((250, 0, 0), (0, 250, 0), (0, 0, 250))]
    for format in ("GIF", "PNG", "WEBP", "TIFF", "MPO"):
        data = file(frames[0], format, save_all=True, append_images=frames[1:])
        pixels = pixels_of(data)
        assert pixels.shape == (HEIGHT, WIDTH, 3), format
        np.testing.assert_allclose(pixels[2, 3], [250, 0, 0], atol=8, err_msg=format)


def test_the_samples_are_small_files_of_448_pixels_a_side():
    files = [*SAMPLES.glob("*.webp")]
    assert files
    for path in files:
        assert path.stat().st_size <= 120_000
        assert open_picture(path.read_bytes()).size == (448, 448)
