"""The small pictures of all heads."""

import numpy as np
from claims import for_all
from shown_traces import HEADS, many_patches, sentence

from core import scaled_dot_product_attention
from core.options import AttentionOptions
from views.figures.scale import scale_of
from views.scene.arrays import thumbnails

HEADED = [key for key, stage in sentence().items() if "head" in stage.roles]


def attended(tokens, heads=3, **options):
    x = np.random.default_rng(1).normal(size=(1, heads, tokens, 4))
    return scaled_dot_product_attention(x, x, x, AttentionOptions(**options))


@for_all("key", HEADED)
@for_all("sample", [0, 1])
def test_a_small_plane_is_its_own_picture_on_the_scale_of_its_step(key, sample):
    found = thumbnails(sentence(), key, sample)
    stage, scale = sentence()[key], scale_of(sentence(), key)
    values = stage.tensor[sample] if "batch" in stage.roles else stage.tensor
    values = values.reshape(HEADS, -1, values.shape[-1])  # a bias is a single row
    assert found.dtype == np.uint8
    assert found.shape == values.shape
    is_masked = np.isneginf(sentence()["masked"].tensor[sample])
    for index, value in np.ndenumerate(values):
        if not np.isfinite(value) or (key in ("weights", "dropped") and is_masked[index]):
            assert found[index] == 0
            continue
        part = (float(value) - scale.low) / (scale.high - scale.low)
        assert found[index] == max(1, round(255 * (part**0.5 if scale.root else part)))


@for_all("key", [k for k in many_patches() if many_patches()[k].size("head") > 1])
def test_none_is_larger_than_48_by_48(key):
    heads, rows, columns = thumbnails(many_patches(), key, 0).shape
    assert heads == many_patches()["Q"].size("head")
    assert max(rows, columns) <= 48


def test_a_large_plane_is_averaged_and_no_cell_is_lost():
    """Of 96 × 96 each cell of the picture is four."""
    trace = attended(96)
    found = thumbnails(trace, "scores", 0)
    scale, scores = scale_of(trace, "scores"), trace["scores"].tensor[0]
    levels = np.maximum(np.round((scores - scale.low) / (scale.high - scale.low) * 255), 1)
    means = levels.reshape(3, 48, 2, 48, 2).mean(axis=(2, 4))
    np.testing.assert_allclose(found, means, atol=1)  # Pillow rounds twice
