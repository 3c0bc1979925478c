"""The logit lens: what a decoder would predict if it stopped after each of its layers.

"interpreting GPT: the logit lens" (nostalgebraist, 2020): the final norm and the output rows, which
are trained for the stream behind the last layer, are applied to the stream behind every layer. What
comes out is a reading of the stream in the words of the output; the model itself makes no
prediction before its last layer.
"""

from collections.abc import Callable

import numpy as np

from core import finite, ops
from core.layers import Norm, RMSNorm


def logits(
    streams: np.ndarray, norm: Norm | RMSNorm, output: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """norm(x_l) W_P of the last token's vector x_l behind each layer l.

    streams: (layer, d_model). norm: behind the last layer. output: the output rows, (layer,
    d_model) -> (layer, vocabulary). Returns (layer, vocabulary). Raises not_finite.
    """
    if isinstance(norm, RMSNorm):
        normed = ops.rms_norm(streams, norm.epsilon, norm.gamma)
    else:
        normed = ops.layer_norm(streams, norm.epsilon, norm.gamma, norm.beta)
    return finite.computed("logits", output, normed)
