import base64
import io

import numpy as np
import pytest
from PIL import Image
from shown_figures import between, rgb
from shown_traces import numbers

from views.figures.palette import PALETTES
from views.figures.scale import Scale
from views.figures.thumbnail import data_url, thumbnail

THEMES = ["light", "dark"]
SHARE = Scale("share", 0, 1)


@pytest.mark.parametrize("theme", THEMES)
def test_each_cell_is_a_block_of_the_colour_of_its_value_row_0_at_the_top(theme):
    values = np.array([[0, 0.25, 0.5], [0.75, 1, 0.1]])
    picture = np.asarray(thumbnail(values, SHARE, theme, side=60))
    assert picture.shape == (40, 60, 3)
    for (i, j), value in np.ndenumerate(values):
        block = picture[20 * i : 20 * i + 20, 20 * j : 20 * j + 20].reshape(-1, 3)
        assert (block == block[0]).all()
        np.testing.assert_allclose(block[0], between(PALETTES[theme].share, value), atol=2)


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_masked_is_hatched_in_its_own_two_greys(theme):
    values = np.array([[0.0, -np.inf], [-np.inf, 1.0]])
    picture = np.asarray(thumbnail(values, Scale("signed", -1, 1), theme))
    palette = PALETTES[theme]
    for block in (picture[:48, 48:], picture[48:, :48]):
        colours = {tuple(int(part) for part in pixel) for pixel in block.reshape(-1, 3)}
        assert colours == {rgb(palette.masked), rgb(palette.hatch)}
    np.testing.assert_allclose(picture[0, 0], rgb(palette.ground), atol=1)
    assert tuple(picture[-1, -1]) == rgb(palette.signed[-1])


@pytest.mark.parametrize("theme", THEMES)
def test_rows_that_do_not_count_are_grey(theme):
    picture = np.asarray(thumbnail(np.ones((3, 3)), SHARE, theme, greyed=np.arange(3) == 1))
    for row, colour in enumerate(("share", "masked", "share")):
        found = getattr(PALETTES[theme], colour)
        assert tuple(picture[32 * row + 16, 16]) == rgb(found if colour == "masked" else found[-1])


@pytest.mark.parametrize(
    ("shape", "size"),
    [((2, 3), (96, 64)), ((7, 7), (91, 91)), ((96, 5), (5, 96)), ((196, 196), (96, 96)),
     ((196, 49), (24, 96)), ((1, 17), (85, 5))],
)  # fmt: skip
def test_a_thumbnail_fits_its_side_and_keeps_its_proportions(shape, size):
    assert thumbnail(numbers(*shape, seed=1), Scale("signed", -3, 3), "light").size == size


def test_a_large_plane_is_averaged_so_that_no_cell_is_lost():
    values = np.zeros((192, 192))
    values[::2] = 1
    picture = np.asarray(thumbnail(values, SHARE, "light"))
    ends = [rgb(PALETTES["light"].share[0]), rgb(PALETTES["light"].share[-1])]
    np.testing.assert_allclose(picture.reshape(-1, 3).mean(axis=0), np.mean(ends, axis=0), atol=1)
    assert picture.reshape(-1, 3).std(axis=0).max() < 1


def test_a_thumbnail_travels_as_a_light_png_that_looks_the_same():
    made = thumbnail(numbers(196, 196, seed=4), Scale("signed", -4, 4), "dark")
    head, content = data_url(made).split(",")
    assert head == "data:image/png;base64"
    assert len(content) < 15_000
    seen = Image.open(io.BytesIO(base64.b64decode(content)))
    assert (seen.format, seen.size) == ("PNG", made.size)
    off = np.abs(np.asarray(seen.convert("RGB")).astype(int) - np.asarray(made))
    assert off.mean() < 4
