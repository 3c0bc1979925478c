"""The source code of every step: the functions of ``core`` that compute it."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from core import Trace, activations, ops, rotary, rules
from core.kinds import GRADIENT
from core.models import embeddings, patch_embeddings, prediction
from core.sources import audio, image, position, spectrum, text
from views.scene.naming import words_key

NOT_COMPUTED = ("trained", "checkpoint", "earlier", "elsewhere", "input")
FROM_TEXT: dict[str, Callable[..., Any]] = {"E": text.vector, "embedding": text.embed}
FROM_IMAGE: dict[str, Callable[..., Any]] = {
    "patches": image.patchify,
    "embedding": ops.linear,
}
FROM_SOUND: dict[str, Callable[..., Any]] = {
    "padded": spectrum.pad,
    "frames": spectrum.overlapping_frames,
    **dict.fromkeys(("window", "windowed"), spectrum.apply_window),
    **dict.fromkeys(("cosine", "sine"), spectrum.dft_basis),
    **dict.fromkeys(("real", "imaginary"), spectrum.transform),
    "power": spectrum.power_spectrum,
    "filters": spectrum.mel_filters,
    "mel": spectrum.apply_mel_filters,
    "log_mel": spectrum.log_compress,
    "level": audio.scale_level,
    "pooled": audio.pool_frames,
    "embedding": ops.linear,
}
BY_KIND: dict[str, Callable[..., Any]] = {
    "own_vectors": text.rows_of,
    "scaled_vectors": text.look_up,
    "normed_sum": ops.layer_norm,
    **dict.fromkeys(
        ("normed_vectors", "bias_free_normed_vectors", "normed_stream", "bias_free_normed_stream"),
        ops.layer_norm,
    ),
    **dict.fromkeys(("rms_stream", "rms_norm"), ops.rms_norm),
    **dict.fromkeys(("gated", "geglu"), ops.multiply),
    "interpolated_position": ops.linear,
    "patched_input": ops.replaced,
    "relative_bias": ops.relative_bias,
}
BY_STAGE: dict[str, Callable[..., Any]] = {
    "position": position.sinusoids,
    "summed": embeddings.summed,
    "interpolation": patch_embeddings.grid_shares,
    "placed": ops.add,
    "layer_scaled": ops.multiply,
    "post_normed": ops.rms_norm,
    "X": ops.add,
    "Q": ops.project,
    "K": ops.project,
    "V": ops.project,
    **dict.fromkeys(("Q_normed", "K_normed"), ops.rms_norm),
    "inv_freq": rotary.inverse_frequencies,
    **dict.fromkeys(("Q_rotated", "K_rotated"), ops.rotate),
    "up": ops.linear,
    "latent": ops.linear,
    "scores": ops.dot_product_scores,
    "scaled": ops.scale_scores,
    "capped": ops.soft_cap,
    "X_scaled": prediction.scaled,
    "bucket": ops.relative_buckets,
    "masked": ops.mask_scores,
    "weights": ops.softmax,
    "dropped": ops.apply_dropout,
    "head_output": ops.weighted_sum,
    **dict.fromkeys(("muted", "direction"), ops.multiply),
    "shares": ops.linear,
    **dict.fromkeys(("set_weights", "patched", "patched_stream"), ops.replaced),
    "concat": ops.merge_heads,
    "output": ops.linear,
    "logits": ops.linear,
    "probabilities": ops.softmax,
    "residual": ops.add,
    "normalised": ops.layer_norm,
}


def code(trace: Trace) -> dict[str, Any]:
    """The source of each function once, and by stage the index of its function.

    Stages without a function of their own are left out of ``of``.
    """
    functions_by_stage = {key: function_of(trace, key) for key in trace}
    functions = tuple(
        dict.fromkeys(each for each in functions_by_stage.values() if each is not None)
    )
    indices = {function: index for index, function in enumerate(functions)}
    return {
        "functions": [_source(function) for function in functions],
        "of": {key: indices[each] for key, each in functions_by_stage.items() if each is not None},
    }


def function_of(trace: Trace, key: str) -> Callable[..., Any] | None:
    """The function that computes a stage; None if the stage is an input or only rearranged."""
    by_input = FROM_SOUND if "waveform" in trace else FROM_IMAGE if "image" in trace else FROM_TEXT
    rule = trace[key].rule
    if key.startswith(GRADIENT):
        return None  # all gradients are those of one function
    if isinstance(rule, rules.Round):
        rule = rule.of
    if isinstance(rule, rules.Activation):
        function: Callable[..., Any] = getattr(activations, rule.function)
        return function
    if isinstance(rule, rules.Given) and rule.what in NOT_COMPUTED:
        return None
    if key == "X" and isinstance(rule, rules.Operand):
        return None  # a lookup, or the input itself
    return BY_KIND.get(words_key(trace, key)) or (BY_STAGE | by_input).get(key)


@cache
def _source(function: Callable[..., Any]) -> dict[str, str]:
    return {
        "name": function.__name__,
        "file": function.__module__.replace(".", "/") + ".py",
        "text": inspect.getsource(function),
    }
