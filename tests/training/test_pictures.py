"""The generated pictures: given by their seeds, and the object is where the mask says."""

from itertools import combinations

import numpy as np
import pytest
from claims import for_all
from PIL import Image

from training.pictures import (
    CHOSEN_ON,
    CLASSES,
    HELD_OUT,
    LEARNT,
    SHOWN,
    empty,
    picture,
    pictures,
)
from training.pictures_samples import SAMPLES, first, path_of
from training.pictures_shapes import HUES, SHAPES, Place, coverage
from training.pictures_unknown import unknown

MANY = 211


@pytest.fixture(scope="module")
def painted():
    return [picture(seed) for seed in HELD_OUT[:MANY]]


def hue(pixels):
    """In degrees, of the mean colour of some pixels: the atan2 form of the hue."""
    red, green, blue = pixels.mean(0)
    return np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360


def test_a_seed_gives_one_picture_and_another_seed_another():
    once, again, other = picture(17), picture(17), picture(19)
    assert np.array_equal(once.pixels, again.pixels)
    assert np.array_equal(once.mask, again.mask)
    assert once.label == again.label
    assert not np.array_equal(once.pixels, other.pixels)
    assert np.array_equal(empty(17), empty(17))
    assert not np.array_equal(empty(17), empty(19))


def test_no_seed_is_both_learnt_from_and_looked_at_later():
    for one, other in combinations((LEARNT, CHOSEN_ON, HELD_OUT, SHOWN), 2):
        assert one.stop <= other.start


def test_every_class_is_a_colour_and_a_shape_and_all_of_them_are_painted(painted):
    assert len(set(CLASSES)) == len(HUES) * len(SHAPES)
    labels = [picture(seed).label for seed in LEARNT[:MANY]] + [one.label for one in painted]
    assert set(labels) == set(range(len(CLASSES)))


def test_where_the_mask_is_the_picture_has_the_colour_of_its_class(painted):
    for one in painted:
        apart = hue(one.pixels[one.mask].astype(float)) - HUES[one.colour]
        assert abs((apart + 180) % 360 - 180) < 20


def test_around_the_object_the_picture_is_not_of_its_colour(painted):
    """The mean distance to the object's own mean colour: far larger outside than inside."""
    inside, outside = [], []
    for one in painted:
        away = np.abs(one.pixels - one.pixels[one.mask].mean(0)).mean(-1)
        inside.append(away[one.mask].mean())
        outside.append(away[~one.mask].mean())
    assert np.mean(outside) > 4 * np.mean(inside)


def test_an_object_covers_between_a_tenth_and_three_tenths_of_the_picture(painted):
    areas = [one.mask.mean() for one in painted]
    assert min(areas) > 0.1
    assert max(areas) < 0.3


def test_objects_lie_anywhere():
    """No pixel is on more than half of the objects, and none in the outer quarters on none."""
    _, masks, _ = pictures(CHOSEN_ON[:MANY])
    often = masks.mean(0)
    assert often.max() < 0.5
    assert often.reshape(4, 16, 4, 16).max((1, 3)).min() > 0.05


def test_a_ring_has_a_hole_and_a_disc_has_none():
    at = Place(31.0, 29.0, 19.0, 0.0)
    assert coverage("ring", at)[29, 31] == 0
    assert coverage("disc", at)[29, 31] == 1


@for_all(
    ("shape", "area"),
    [
        ("ring", np.pi * (1 - 1 / 4)),
        ("disc", np.pi),
        ("square", 2),
        ("triangle", 3 * np.sqrt(3) / 4),
        ("cross", 2),
        ("star", 5 * np.sin(np.pi / 5) / 2),
    ],
)
def test_a_shape_has_the_area_that_geometry_gives_it(shape, area):
    """In units of the reach squared.

    A cross with arms of length 2a and width 2w covers 2 · 2a · 2w − (2w)²; w = a / 3 and
    a² + w² = 1 give 20/9 · 9/10 = 2. A star is ten triangles with the sides 1 and 1/2 around 36°.
    """
    reach = 23.0
    found = coverage(shape, Place(32.0, 32.0, reach, 7.0)).sum()
    assert found == pytest.approx(area * reach**2, rel=0.03)


def test_pictures_are_stacked_in_the_order_of_their_seeds():
    pixels, masks, labels = pictures(range(5, 8))
    assert pixels.shape == (3, 64, 64, 3)
    assert pixels.dtype == np.uint8
    for i, seed in enumerate(range(5, 8)):
        one = picture(seed)
        assert np.array_equal(pixels[i], one.pixels)
        assert np.array_equal(masks[i], one.mask)
        assert labels[i] == one.label


def test_unknown_pictures_are_as_large_as_known_ones():
    for kind, pixels in unknown(3).items():
        assert pixels.shape == (200, 64, 64, 3), kind
        assert pixels.dtype == np.uint8


@for_all("sample", SAMPLES)
def test_a_sample_is_the_first_shown_picture_of_its_class(sample):
    assert np.array_equal(np.asarray(Image.open(path_of(*sample))), first(*sample).pixels)
