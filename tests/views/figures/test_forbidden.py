"""A weight that a mask has struck is 0, and yet it is never shown as a small weight."""

import numpy as np
import pytest
from shown_figures import array, colours_drawn, drawn, on_axes, rgb
from shown_traces import BATCH, HEADS, crossed, sentence

from core import scaled_dot_product_attention
from views.figures.palette import PALETTES
from views.figures.plane import forbidden, plane_of

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


def test_only_weights_can_be_struck_and_only_where_something_is():
    at = {"batch": 0, "head": 1}
    for key in ("scores", "masked", "keep", "allowed"):
        assert forbidden(sentence(), plane_of(sentence()[key], at), at) is None
    x, at = np.ones((1, 1, 3, 2)), {}
    free = scaled_dot_product_attention(x, x, x)
    assert forbidden(free, plane_of(free["weights"], at), at) is None
    everything = scaled_dot_product_attention(x, x, x, allowed=np.ones((3, 3), dtype=bool))
    assert forbidden(everything, plane_of(everything["weights"], at), at) is None
