"""A masked weight is 0, but is never drawn as a small weight."""

import numpy as np
import pytest
from in_node import evaluate
from shown_traces import BATCH, HEADS, crossed, sentence

from core import scaled_dot_product_attention
from core.options import AttentionOptions
from views.figures.palette import PALETTES
from views.scene.scene import scene
from views.text import LANGUAGES

MODULES = [
    f"microscope/{name}.js" for name in ("engine/blob", "engine/trace", "figure/planes", "theme")
]
MASKED = """
  const drawn = (tiles) => {
    const { rows, columns } = tiles.plane, masked = Array(rows.size * columns.size);
    for (const corner of tiles.inSight({ top: 0, first: 0, last: columns.size }, rows.size, 1)) {
      const { paints } = tiles.keep(corner, Infinity);
      const wide = Math.min(128, columns.size - corner.left);
      paints.forEach((paint, i) => {
        const row = corner.top + Math.floor(i / wide), column = corner.left + (i % wide);
        masked[row * columns.size + column] = paint === theme.MASKED;
      });
    }
    return masked;
  };
  return given.map(({ blob: sent, key, plane, at }) => {
    const loaded = new trace.Trace(blob.unpacked(sent));
    const shown = loaded.drawing(key).planes[plane], cells = planes.cellsOf(loaded, shown, at);
    return Array.from(cells.masked ?? drawn(cells.tiles));
  });
"""
PLANES = [("weights", 1), ("dropped", 0), ("dropped", 2), ("head_output", 0)]


def sent(trace, sample):
    return scene(trace, "weights", sample, 0, (), LANGUAGES["en"])


def is_masked(trace, b, h, i, j):
    """Whether a mask or an infinite bias forbids query i to look at key j, by plain indexing."""
    at = trace.tensors
    allows = at["key_mask"][b, j] and at["causal"][i, j] and at["allowed"][b, i, j]
    return not allows or np.isinf(at["bias"][h, j])


@pytest.mark.parametrize("of", [sentence, crossed])
def test_exactly_the_masked_weights_are_drawn_as_masked(of):
    trace = of()
    blobs = [sent(trace, sample) for sample in range(BATCH)]
    cases = [(b, h, key, plane) for b, h in np.ndindex(BATCH, HEADS) for key, plane in PLANES]
    given = [
        {"blob": blobs[b], "key": key, "plane": plane, "at": {"batch": b, "head": h}}
        for b, h, key, plane in cases
    ]
    for (b, h, key, _), masked in zip(cases, evaluate(MODULES, MASKED, given), strict=True):
        _, _, rows, columns = trace["weights"].tensor.shape
        expected = [is_masked(trace, b, h, i, j) for i, j in np.ndindex(rows, columns)]
        assert [bool(cell) for cell in masked] == expected, (key, b, h)


def test_exactly_the_masked_weights_are_drawn_as_masked_in_a_plane_of_tiles():
    """Of 300 keys each query may see its own and those before."""
    x = np.random.default_rng(1).normal(size=(1, 1, 300, 4))
    trace = scaled_dot_product_attention(x, x, x, AttentionOptions(causal=True))
    at = {"batch": 0, "head": 0}
    given = [{"blob": sent(trace, 0), "key": "weights", "plane": 1, "at": at}]
    (masked,) = evaluate(MODULES, MASKED, given)
    assert np.array_equal(np.reshape(masked, (300, 300)), np.triu(np.ones((300, 300)), 1))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_masked_has_no_colour_of_the_scale_of_weights(theme):
    palette = PALETTES[theme]
    red_green_blue = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in palette.share]
    along = np.linspace(0, len(palette.share) - 1, 1000)
    stops = np.transpose(red_green_blue)
    scale = np.stack([np.interp(along, range(len(palette.share)), part) for part in stops], axis=-1)
    masked = [int(palette.masked[i : i + 2], 16) for i in (1, 3, 5)]
    assert np.sqrt(((scale - masked) ** 2).sum(-1)).min() > 8
