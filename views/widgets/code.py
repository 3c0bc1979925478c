"""The code of a step: the function of ``core`` that runs, read from its own source."""

import inspect
from collections.abc import Callable
from typing import Any

import streamlit as st

from core import Trace, activations, ops, rules
from core.models import entrances
from core.sources import audio, image, mel, position, spectrum, text
from views.figures.symbols import Convention
from views.naming import told_as
from views.spans import plain
from views.text import Words

MADE_ELSEWHERE = ("trained", "checkpoint", "earlier", "input")
FROM_TEXT: dict[str, Callable[..., Any]] = {"E": text.vector, "embedding": text.embed}
FROM_IMAGE: dict[str, Callable[..., Any]] = {
    "patches": image.patchify,
    "embedding": ops.linear,
}
FROM_SOUND: dict[str, Callable[..., Any]] = {
    "padded": spectrum.pad,
    "frames": spectrum.cut,
    **dict.fromkeys(("window", "windowed"), spectrum.fade),
    **dict.fromkeys(("cosine", "sine"), spectrum.waves),
    **dict.fromkeys(("real", "imaginary"), spectrum.transform),
    "power": spectrum.strength,
    "filters": mel.filters,
    "mel": spectrum.gather,
    "log_mel": spectrum.logarithm,
    "level": audio.bring_near_one,
    "pooled": audio.pool_frames,
    "embedding": ops.linear,
}
TOLD: dict[str, Callable[..., Any]] = {
    "own_vectors": text.rows_of,
    "normed_sum": ops.layer_norm,
    "normed_stream": ops.layer_norm,
}
BY_STAGE: dict[str, Callable[..., Any]] = {
    "position": position.sinusoids,
    "summed": entrances.summed,
    "X": ops.add,
    "Q": ops.project,
    "K": ops.project,
    "V": ops.project,
    "scores": ops.dot_product_scores,
    "scaled": ops.scale_scores,
    "masked": ops.mask_scores,
    "weights": ops.softmax,
    "dropped": ops.drop,
    "head_output": ops.weighted_sum,
    "concat": ops.merge_heads,
    "output": ops.linear,
    "logits": ops.linear,
    "probabilities": ops.softmax,
    "residual": ops.add,
    "normalised": ops.layer_norm,
}


def code(trace: Trace, key: str, words: Words, convention: Convention) -> None:
    """Show the function that computes a step, where one function does."""
    front = FROM_SOUND if "waveform" in trace else FROM_IMAGE if "image" in trace else FROM_TEXT
    rule = trace[key].rule
    function = TOLD.get(told_as(trace, key)) or (BY_STAGE | front).get(key)
    if isinstance(rule, rules.Activation):
        function = getattr(activations, rule.function)
    if isinstance(rule, rules.Given) and rule.what in MADE_ELSEWHERE:
        function = None
    if function is None:
        st.caption(plain(words.viewer.no_code))
        return
    module = function.__module__.replace(".", "/") + ".py"
    st.caption(plain(words.viewer.code_is.format(file=module)))
    if convention == "columns":
        st.caption(plain(words.viewer.code_in_rows))
    st.code(inspect.getsource(function), language="python")
