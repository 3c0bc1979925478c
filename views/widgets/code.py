"""The code of a step: the function of ``core`` that runs, read from its own source."""

import inspect
from collections.abc import Callable
from typing import Any

import streamlit as st

from core import ops
from core.sources import image, position, text
from views.text import Words
from views.widgets.prose import plain

MADE_BY: dict[str, Callable[..., Any]] = {
    "tokens": text.read,
    "E": text.embed,
    "embedding": ops.linear,
    "position": position.sinusoids,
    "patches": image.patchify,
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
    "normalised": ops.layer_norm,
}


def code(key: str, words: Words) -> None:
    """Show the function that computes a step, where one function does."""
    function = MADE_BY.get(key)
    if function is None:
        return
    module = function.__module__.replace(".", "/") + ".py"
    st.caption(plain(words.viewer.code_is.format(file=module)))
    st.code(inspect.getsource(function), language="python")
