"""Only weights can be masked; where the browser draws them, see tests/assets."""

import numpy as np
from shown_traces import sentence

from core import scaled_dot_product_attention
from core.options import AttentionOptions
from views.figures.plane import masked_cells, plane_of


def test_only_weights_can_be_masked_and_only_where_something_is():
    at = {"batch": 0, "head": 1}
    for key in ("scores", "masked", "keep", "allowed"):
        assert masked_cells(sentence(), plane_of(sentence()[key], at), at) is None
    x, at = np.ones((1, 1, 3, 2)), {}
    free = scaled_dot_product_attention(x, x, x)
    assert masked_cells(free, plane_of(free["weights"], at), at) is None
    everything = scaled_dot_product_attention(
        x, x, x, AttentionOptions(allowed=np.ones((3, 3), dtype=bool))
    )
    assert masked_cells(everything, plane_of(everything["weights"], at), at) is None
