"""The sublayers of a Transformer layer, each a trace of its own.

"Attention Is All You Need" (section 3.1) puts LayerNorm after each sublayer (*post-norm*); vision
transformers and GPT-2 put it before (*pre-norm*; "On Layer Normalization in the Transformer
Architecture", Xiong et al., 2020). The last stage of a part is its output.
"""

import numpy as np

from core import around, layers, variants
from core.attention import multi_head_attention
from core.layers import AnyNorm, FeedForward, GatedFeedForward, Norm, RMSNorm
from core.nested import as_input
from core.options import DEFAULT, AttentionOptions
from core.trace import Stage, Trace
from core.weights import Weights

IN = ("batch", "token", "d_model")
AS_KEYS = ("batch", "key", "d_model")


def post_norm_attention(
    x: Stage,
    weights: Weights,
    norm: Norm,
    *,
    memory: Stage | None = None,
    options: AttentionOptions = DEFAULT,
    kind: str = "",
) -> Trace:
    """LayerNorm(X + MultiHead(X)): self-attention, or with a memory cross-attention.

    x, memory: (batch, token, d_model); kind: of X. The stages are those of ``multi_head_attention``
    and residual, gamma, beta, normalised; in front of X those of a patch, if x is patched.
    """
    changes = options.changes
    patched = changes is not None and changes.patches_stream
    given = as_input(x, "stream", IN) if patched else as_input(x, "X", IN, kind)
    attended = multi_head_attention(
        Trace(variants.entering(given, changes, "X", "patched_input")),
        weights,
        options,
        memory=None if memory is None else as_input(memory, "memory", AS_KEYS),
    )
    residual = around.residual(attended["X"], attended["output"])
    return Trace([*attended.values(), residual, *norm.stages(residual)])


def post_norm_feed_forward(x: Stage, feed_forward: FeedForward, norm: Norm) -> Trace:
    """LayerNorm(X + FFN(X)). x: (batch, token, d_model)."""
    X = as_input(x, "X", IN, "feed_forward_input")
    feed_forward_stages = feed_forward.stages(X)
    residual = around.residual(X, feed_forward_stages[-1])
    return Trace([X, *feed_forward_stages, residual, *norm.stages(residual)])


def pre_norm_attention(
    x: Stage,
    weights: Weights,
    norm: AnyNorm,
    options: AttentionOptions = DEFAULT,
    *,
    scale: np.ndarray | None = None,
    post_norm: RMSNorm | None = None,
    memory: Stage | None = None,
) -> Trace:
    """stream + MultiHead(X) with X = LayerNorm(stream), RMSNorm(stream), or the stream itself.

    x: (batch, token, d_model). memory: likewise, for cross-attention. scale: λ of a LayerScale
    behind it, (d_model,); None without one. post_norm: of what is added. The stages are
    stream, gamma and beta where the norm has them, those of ``multi_head_attention``, lambda and
    layer_scaled with a scale, gamma_post and post_normed with such a norm, and residual.
    """
    stream = as_input(x, "stream", IN)
    entering = variants.entering(stream, options.changes)
    source = Trace([*entering, *normed_stream(entering[-1], norm)])
    keys = None if memory is None else as_input(memory, "memory", AS_KEYS)
    attended = multi_head_attention(source, weights, options, memory=keys)
    return Trace([*attended.values(), *_added(entering[-1], attended["output"], scale, post_norm)])


def pre_norm_feed_forward(
    x: Stage,
    feed_forward: FeedForward | GatedFeedForward,
    norm: AnyNorm,
    scale: np.ndarray | None = None,
    post_norm: RMSNorm | None = None,
) -> Trace:
    """stream + FFN(X) with X = LayerNorm(stream) or RMSNorm(stream). x: (batch, token, d_model).

    scale, post_norm: as for ``pre_norm_attention``.
    """
    stream = as_input(x, "stream", IN)
    before = [stream, *normed_stream(stream, norm)]
    fed = feed_forward.stages(before[-1])
    return Trace([*before, *fed, *_added(stream, fed[-1], scale, post_norm)])


def _added(
    stream: Stage, output: Stage, scale: np.ndarray | None, post_norm: RMSNorm | None
) -> list[Stage]:
    """The output of a sublayer, scaled or normed if the model does so, and the residual sum."""
    made = [] if scale is None else layers.layer_scale(output, scale)
    if post_norm is not None:
        made += post_norm.stages(output, "post_normed", "", "gamma_post")
    return [*made, around.residual(stream, [output, *made][-1], "pre_norm_residual")]


def final_norm(x: Stage, norm: Norm | RMSNorm) -> Trace:
    """LayerNorm(X) or RMSNorm(X) behind the last layer. x: (batch, token, d_model)."""
    X = as_input(x, "X", IN, "last_vectors")
    if isinstance(norm, RMSNorm):
        kind = "rms_norm"
    else:
        kind = "bias_free_norm" if norm.beta is None else "final_norm"
    return Trace([X, *norm.stages(X, "normalised", kind)])


def normed_stream(stream: Stage, norm: AnyNorm) -> list[Stage]:
    """The stages of the norm before a sublayer; the last one is X."""
    if isinstance(norm, Norm):
        kind = "bias_free_normed_stream" if norm.beta is None else "normed_stream"
    else:
        kind = "rms_stream" if isinstance(norm, RMSNorm) else "unnormed_stream"
    return norm.stages(stream, "X", kind)


def output_stage(part: Trace) -> Stage:
    """The output of a part: its last stage."""
    return list(part.values())[-1]
