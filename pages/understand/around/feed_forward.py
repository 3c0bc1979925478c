"""The feed-forward layer behind attention, with its residual connection and LayerNorm."""

import numpy as np

from core import Trace, ops
from core.around import LAYER_NORM_EPSILON
from core.experiments.sublayer import WIDER, seeded_feed_forward
from pages.understand.around.controls import D_MODEL, SEED
from pages.understand.around.grids import signed, vectors
from views.text import Words
from views.text.spans import spans
from views.widgets.grids import grids
from views.widgets.prose import prose
from views.widgets.sentence_line import token_names


def fed_forward(trace: Trace, texts: Words) -> None:
    """Draw x → hidden → FFN(x), and LayerNorm(x + FFN(x)), which goes to the next layer."""
    names, x = token_names(trace), trace["normalised"]
    made = {stage.key: stage.tensor for stage in seeded_feed_forward(D_MODEL, SEED).stages(x)}
    hidden, output = made["hidden"][0], made["output"][0]
    last = ops.layer_norm(ops.add(x.tensor[0], output), LAYER_NORM_EPSILON)
    drawn = (
        ("x = normalised", x.tensor[0], "→"),
        ("hidden = ReLU(x W_1 + b_1)", hidden, "→"),
        ("FFN(x) = hidden W_2 + b_2", output, "→"),
        ("LayerNorm(x + FFN(x))", last, ""),
    )
    grids(
        [vectors(title, values, names, signed(values), (), sign) for title, values, sign in drawn],
        key="fed_forward",
    )
    reads = spans(
        texts.feed_forward_reads,
        d_model=str(D_MODEL),
        d_ff=str(WIDER * D_MODEL),
        zeros=str(int(np.count_nonzero(hidden == 0))),
        count=str(hidden.size),
        feed_forward=str(2 * WIDER * D_MODEL**2),
        attention=str(4 * D_MODEL**2),
    )
    prose([reads], key="feed_forward_reads")
