import base64
import io
import itertools

import numpy as np
import pytest
from claims import for_all
from PIL import Image

from core.models.processor import processor
from views.figures.photo import (
    patch_box,
    photo_url,
    pixel_formulas,
    pixel_to_number,
    value_range,
)

IMAGENET = processor(
    {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}, 1
).colours


def noise(height, width):
    return np.random.default_rng(5).integers(0, 256, (height, width, 3), dtype=np.uint8)


def opened(url):
    head, content = url.split(",")
    assert head == "data:image/webp;base64"
    return Image.open(io.BytesIO(base64.b64decode(content)))


def test_a_small_photo_is_encoded_without_loss():
    pixels = noise(89, 97)
    np.testing.assert_array_equal(np.array(opened(photo_url(pixels)).convert("RGB")), pixels)


@for_all("side", [64, 112, 113, 224, 448, 1021])
def test_every_photo_has_at_most_60_kb_even_noise(side):
    assert len(photo_url(noise(side, side))) <= 60_000


def test_a_large_photo_is_resized_with_its_aspect_ratio():
    assert opened(photo_url(noise(202, 404), most=202)).size == (202, 101)
    assert opened(photo_url(noise(89, 97))).size == (97, 89)


def test_patch_boxes_cut_the_photo_into_its_patches_row_by_row():
    rows, columns, high, wide = 3, 5, 2, 7
    pixels = noise(rows * high, columns * wide)
    index = 0
    for i in range(rows):
        for j in range(columns):
            left, top, right, bottom = patch_box(index, (rows, columns), pixels.shape[:2])
            expected = pixels[i * high : i * high + high, j * wide : j * wide + wide]
            np.testing.assert_array_equal(pixels[top:bottom, left:right], expected)
            index += 1


def test_a_pixel_value_that_the_patch_does_not_have_has_no_number():
    table = pixel_to_number(np.full((2, 2, 3), 255, np.uint8), np.ones(12, np.float32))
    assert (table[255] == 1).all()
    assert np.isnan(table[:255]).all()


def test_each_channel_has_its_own_mean_and_deviation():
    pixels = noise(7, 7)
    flattened = np.array(
        [
            (float(pixels[i, j, c]) / 255 - IMAGENET.mean[c]) / IMAGENET.deviation[c]
            for i, j, c in itertools.product(range(7), range(7), range(3))
        ],
        np.float32,
    )
    table = pixel_to_number(pixels, flattened, IMAGENET)
    for i, value in enumerate(pixels.ravel()):
        assert table[value, i % 3] == flattened[i]
    with pytest.raises(ValueError, match=r"\(pixel / 255 − 0\.485\) / 0\.229"):
        pixel_to_number(pixels, flattened[::-1], IMAGENET)
    with pytest.raises(ValueError, match=r"127\.5"):
        pixel_to_number(pixels, flattened)


@for_all(
    ("preprocessor", "formulas", "ends"),
    [
        ({}, ["{pixel} / 127.5 − 1"] * 3, ("−1", "1")),
        ({"do_normalize": False}, ["{pixel} / 255"] * 3, ("0", "1")),
        (
            {"image_mean": [0.48145466, 0, -0.25], "image_std": [1, 0.5, 0.26862954]},
            [
                "{pixel} / 255 − 0.481455",
                "({pixel} / 255) / 0.5",
                "({pixel} / 255 + 0.25) / 0.26863",
            ],
            ("−0.48", "4.65"),  # of the first at 0, of the third at 255: 1.25 / 0.26863
        ),
    ],
)
def test_pixel_formulas_and_value_range_follow_the_processor(preprocessor, formulas, ends):
    found = processor(preprocessor, 1).colours
    assert list(pixel_formulas(found)) == formulas
    assert value_range(found) == ends
    for number, (mean, deviation) in enumerate(zip(found.mean, found.deviation, strict=True)):
        written = formulas[number].format(pixel=201).replace("−", "-")
        expected = (201 / 255 - float(mean)) / float(deviation)
        assert eval(written, {}) == pytest.approx(expected, abs=1e-4)


def test_a_vector_that_is_not_the_patch_raises_value_error():
    pixels = noise(5, 5)
    flattened = (pixels.reshape(-1) / 127.5 - 1).astype(np.float32)
    pixel_to_number(pixels, flattened)
    for wrong in (flattened[::-1], flattened[:-1], flattened / 2):
        with pytest.raises(ValueError, match=r"127\.5"):
            pixel_to_number(pixels, wrong)
    by_channel = np.moveaxis(flattened.reshape(5, 5, 3), 2, 0).reshape(-1)
    with pytest.raises(ValueError, match=r"\(5, 5, 3\)"):
        pixel_to_number(pixels, by_channel)
