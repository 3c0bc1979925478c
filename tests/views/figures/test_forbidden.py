"""A weight that a mask has struck is 0, and yet it is never shown as a small weight."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from shown_figures import array, colours_drawn, drawn, on_axes, rgb
from shown_traces import BATCH, HEADS, TOKENS, crossed, sentence

from core import scaled_dot_product_attention
from views.figures.palette import PALETTES
from views.figures.plane import forbidden, plane_of
from views.figures.scale import Scale
from views.figures.thumbnail import thumbnail
from views.text import LANGUAGES
from views.widgets import heads

THEMES = ["light", "dark"]


def struck(trace, b, h, i, j):
    """Whether a mask or an infinite bias forbids query i to look at key j, by plain indexing."""
    at = trace.tensors
    allows = at["padding"][b, j] and at["causal"][i, j] and at["allowed"][b, i, j]
    return not allows or np.isinf(at["bias"][h, j])


def distance(colours, theme):
    """How far each colour is from the nearest one of the scale of weights."""
    stops = np.array([rgb(stop) for stop in PALETTES[theme].share], dtype=float)
    line = np.linspace(0, 4, 1000)
    along = [np.interp(line, range(5), stops[:, channel]) for channel in range(3)]
    away = np.asarray(colours, dtype=float)[..., None, :] - np.stack(along, axis=-1)
    return np.sqrt((away**2).sum(-1)).min(-1)


@pytest.mark.parametrize("trace", [sentence, crossed])
@pytest.mark.parametrize(("key", "plane"), [
    ("weights", 2), ("dropped", 1), ("dropped", 3), ("head_output", 1),
])  # fmt: skip
def test_exactly_the_struck_weights_are_drawn_as_masked(trace, key, plane):
    for b, h in np.ndindex(BATCH, HEADS):
        at = {"batch": b, "head": h, "query": 0, "key": 0, "d_v": 0}
        shown = on_axes(drawn(trace(), key, at), plane)
        *scaled, masked = shown
        assert {t["name"] for t in scaled} <= {"weights", "dropped"}
        assert masked["name"] == "0"
        found = ~np.isnan(array(masked["z"]))
        for i, j in np.ndindex(found.shape):
            assert found[i, j] == struck(trace(), b, h, i, j)
        for t in scaled:
            assert np.isnan(array(t["z"])[found]).all()


@pytest.mark.parametrize("theme", THEMES)
def test_a_struck_weight_has_no_colour_of_the_scale_in_a_figure(theme):
    at = {"batch": 0, "head": 1, "query": 0, "key": 0}
    *scaled, masked = drawn(sentence(), "weights", at, theme)["data"][-3:]
    cells = ~np.isnan(array(masked["z"]))
    assert cells.any()
    assert distance(colours_drawn(masked)[cells], theme).min() > 8
    for t in scaled:
        seen = ~np.isnan(array(t["z"]))
        assert distance(colours_drawn(t)[seen], theme).max() < 8


@pytest.mark.parametrize("theme", THEMES)
def test_nor_where_a_plane_is_sent_as_bytes(theme):
    """Of 200 keys each query may see its own and those before."""
    x = np.random.default_rng(1).normal(size=(1, 1, 200, 4))
    trace = scaled_dot_product_attention(x, x, x, causal=True)
    shown = drawn(trace, "weights", dict(batch=0, head=0, query=3, key=3), theme)["data"][-1]
    z = array(shown["z"])
    for i in range(200):
        assert (z[i, : i + 1] > 0).all()
        assert (z[i, i + 1 :] == 0).all()
    assert distance(colours_drawn(shown)[z == 0][::50], theme).min() > 8
    assert distance(colours_drawn(shown)[z > 0][::50], theme).max() < 2


@pytest.mark.parametrize("theme", THEMES)
def test_a_struck_cell_of_a_thumbnail_is_hatched_and_a_weight_of_0_is_not(theme):
    values = np.array([[0.0, 0.0, 1.0], [0.5, 0.0, 0.0]])
    cells = np.array([[False, True, False], [False, False, True]])
    picture = np.asarray(thumbnail(values, Scale("share", 0, 1), theme, 96, forbidden=cells))
    greys = {rgb(PALETTES[theme].masked), rgb(PALETTES[theme].hatch)}
    for (i, j), hatched in np.ndenumerate(cells):
        block = picture[32 * i : 32 * i + 32, 32 * j : 32 * j + 32].reshape(-1, 3)
        if hatched:
            assert {tuple(map(int, pixel)) for pixel in block} == greys
            assert distance(block, theme).min() > 8
        else:
            assert distance(block, theme).max() < 2


def test_only_weights_can_be_struck_and_only_where_something_is():
    at = {"batch": 0, "head": 1}
    for key in ("scores", "masked", "keep", "allowed"):
        assert forbidden(sentence(), plane_of(sentence()[key], at), at) is None
    x, at = np.ones((1, 1, 3, 2)), {}
    free = scaled_dot_product_attention(x, x, x)
    assert forbidden(free, plane_of(free["weights"], at), at) is None
    everything = scaled_dot_product_attention(x, x, x, allowed=np.ones((3, 3), dtype=bool))
    assert forbidden(everything, plane_of(everything["weights"], at), at) is None


@pytest.mark.parametrize("key", ["weights", "dropped"])
def test_the_small_maps_of_all_heads_show_struck_weights_as_masked(key, monkeypatch):
    sent = {}
    monkeypatch.setattr(heads, "component", lambda name: lambda **options: sent.update(options))
    at = {"batch": 0, "head": 1, "query": 0, "key": 0}
    heads.heads(sentence(), key, at, "light", LANGUAGES["en"], print)
    assert len(sent["data"]["heads"]) == HEADS
    for h, small in enumerate(sent["data"]["heads"]):
        content = base64.b64decode(small["picture"].split(",")[1])
        picture = np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)
        side = picture.shape[0] // TOKENS
        for i, j in np.ndindex(TOKENS, TOKENS):
            block = picture[side * i : side * (i + 1), side * j : side * (j + 1)].reshape(-1, 3)
            colours = len({tuple(pixel) for pixel in block})
            assert (colours == 2) == struck(sentence(), 0, h, i, j)
