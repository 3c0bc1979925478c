"""The brightness of an overlay has the order of the weights on any photo."""

import base64

import numpy as np
from claims import for_all
from in_node import evaluate
from wcag import luminance

from views.figures.palette import rgb
from views.widgets.picture import LIGHT

MODULES = ["picture/photo.js", "picture/overlay.js"]
ROWS, COLUMNS, HEIGHT, WIDTH = 5, 7, 101, 173
STEP = 1 / 255  # between two greys of a screen
PAINTED = """
  const { rows, columns, width, height, stops, parts } = given,
    pixels = new Uint8ClampedArray(given.photo),
    cells = photo.cellsOf(rows, columns, { width, height });
  overlay.paint(pixels, overlay.contrastOf(pixels, width, cells), stops, parts);
  return { pixels: Buffer.from(pixels).toString("base64"), cells };
"""


def grey(value: float) -> np.ndarray:
    return np.full((HEIGHT, WIDTH, 3), value)


def night() -> np.ndarray:
    photo = grey(20)
    photo[:20, -25:] = 250  # the last patch of the first row
    return photo


def snow() -> np.ndarray:
    photo = grey(247) + np.random.default_rng(3).normal(0, 3, (HEIGHT, WIDTH, 3))
    photo[30:70, 60:90] = 40  # a dark hut over several patches
    return photo


def noise() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, (HEIGHT, WIDTH, 3))


def stripes() -> np.ndarray:
    photo = grey(0)
    photo[:, ::2] = (255, 0, 0)
    photo[::9] = (0, 255, 255)
    return photo


PHOTOS = {
    "black": grey(0), "constant": grey(118), "white": grey(255), "night": night(), "snow": snow(),
    "noise": noise(), "stripes": stripes(),
}  # fmt: skip


def drawn(photo: np.ndarray, parts: np.ndarray) -> list[np.ndarray]:
    """The luminance of the pixels of each patch as it is drawn. parts: on the scale, (patch,)."""
    pixels = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
    pixels[..., :3] = photo.clip(0, 255)
    given = {
        "rows": ROWS, "columns": COLUMNS, "width": WIDTH, "height": HEIGHT, "stops": LIGHT,
        "parts": parts.tolist(), "photo": pixels.tobytes(),
    }  # fmt: skip
    found = evaluate(MODULES, PAINTED, given)
    image = np.frombuffer(base64.b64decode(found["pixels"]), np.uint8).reshape(HEIGHT, WIDTH, 4)
    assert (image[..., 3] == 255).all()
    light = luminance(image[..., :3])
    return [
        light[cell["y"] : cell["y"] + cell["high"], cell["x"] : cell["x"] + cell["wide"]]
        for cell in found["cells"]
    ]


def mean_light(photo: np.ndarray, parts: np.ndarray) -> np.ndarray:
    return np.array([patch.mean() for patch in drawn(photo, parts)])


@for_all("name", list(PHOTOS))
def test_the_order_of_what_is_drawn_is_the_order_of_the_weights(name: str) -> None:
    patches = ROWS * COLUMNS
    for seed in range(3):
        parts = np.random.default_rng(seed).permutation(patches) / (patches - 1)
        light = mean_light(PHOTOS[name], parts)
        assert (light.argsort() == parts.argsort()).all()
        assert (np.diff(np.sort(light)) > 0).all()


@for_all("name", list(PHOTOS))
def test_a_patch_gets_the_light_that_its_weight_gives_it_on_any_photo(name: str) -> None:
    parts = np.random.default_rng(7).uniform(size=ROWS * COLUMNS) ** 4
    expected = mean_light(PHOTOS["constant"], parts)
    assert np.abs(mean_light(PHOTOS[name], parts) - expected).max() < STEP


def test_the_largest_weight_is_far_brighter_than_none_and_the_photo_is_recognised_in_both() -> None:
    parts = np.arange(ROWS * COLUMNS) % 2
    patches = drawn(PHOTOS["stripes"], parts)
    light, contrast = (np.array([make(one) for one in patches]) for make in (np.mean, np.std))
    assert light[parts == 1].min() > 10 * light[parts == 0].max()
    assert (contrast > 0.1 * light).all()


def test_close_weights_keep_their_order_on_a_constant_photo() -> None:
    assert (np.diff([rgb(stop) for stop in LIGHT], axis=0) >= 0).all()
    parts = np.arange(ROWS * COLUMNS) / 2000
    light = mean_light(PHOTOS["constant"], parts)
    assert (np.diff(light) > -1e-12).all()
    assert light[-1] > light[0]
