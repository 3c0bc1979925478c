"""The paper's symbols of sizes and stages, and constructors of axes and given stages."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.axis import Axis, Labels
from core.kinds import GRADIENT
from core.rules import Given
from core.trace import Stage

SYMBOLS = {
    "batch": "B",
    "head": "h",
    "kv_head": r"h_{\text{kv}}",
    "token": "n",
    "query": "n_q",
    "key": "n_k",
    "past_key": r"n_{\text{past}}",
    "new_key": r"n_{\text{new}}",
    "d_model": r"d_{\text{model}}",
    "d_k": "d_k",
    "d_v": "d_v",
    "d_c": "d_c",
    "concat": r"h \cdot d_v",
    "patch": "N",
    "height": "H",
    "width": "W",
    "channel": "C",
    "row": "P",
    "column": "P",
    "pixel": r"P^2 C",
    "vocabulary": "v",
    "sample": "T",
    "frame": "N",
    "offset": "w",
    "frequency": "F",
    "mel": "M",
    "d_ff": r"d_{\text{ff}}",
    "pair": r"\frac{d_k}{2}",
    "class": "c",
    "register": "r",
    "trained": r"n_{\text{trained}}",
    "tap": r"3 d",
    "bucket": "b",
    "part": "p",
}
FORMULAS = {
    "X": "X",
    "memory": "M",
    "W_Q": "W^Q",
    "W_K": "W^K",
    "W_V": "W^V",
    "W_O": "W^O",
    "b_Q": "b^Q",
    "b_K": "b^K",
    "b_V": "b^V",
    "b_O": "b^O",
    "W_DKV": "W^{DKV}",
    "W_UK": "W^{UK}",
    "W_UV": "W^{UV}",
    "latent": "c^{KV}",
    "Q": "Q",
    "K": "K",
    "V": "V",
    "stream": "x",
    "gamma": r"\gamma",
    "gamma_post": r"\gamma^{post}",
    "gamma_Q": r"\gamma^Q",
    "gamma_K": r"\gamma^K",
    "inv_freq": r"\theta",
    "W_gate": "W_{gate}",
    "W_up": "W_{up}",
    "W_down": "W_{down}",
    "b_gate": "b_{gate}",
    "b_up": "b_{up}",
    "b_down": "b_{down}",
    "beta": r"\beta",
    "lambda": r"\lambda",
    "W_1": "W_1",
    "b_1": "b_1",
    "W_2": "W_2",
    "b_2": "b_2",
    "b_E": "b^E",
    **{f"{letter}_C{number}": f"{letter}_{{C{number}}}" for letter in "Wb" for number in (1, 2)},
    "trained_position": r"\text{position}_0",
    "cls": r"x_{\text{CLS}}",
    "distillation": r"x_{\text{DIST}}",
    "W_P": "W^P",
    "b_P": "b^P",
}

ON_THE_WAY = ("centred", "standardised", "inverse_deviation", "read")  # to a gradient, not one


@lru_cache(4096)
def latex(key: str) -> str:
    """The LaTeX symbol of a stage: that of the paper, or the key as text; dV of ``grad/V``."""
    if key.startswith(GRADIENT):
        of = key.rpartition("/")[2]
        return latex(of) if of in ON_THE_WAY else "d" + latex(of)
    if key in FORMULAS:
        return FORMULAS[key]
    escaped = key.replace("_", r"\_")
    return rf"\text{{{escaped}}}"


def axes(*roles: str, labels: Mapping[str, Labels | Axis | None] | None = None) -> tuple[Axis, ...]:
    """Axes of these roles with the symbols of the paper.

    labels: by role; of an axis, all fields but role and symbol are copied.
    """
    named = labels or {}
    return tuple([_axis(role, named[role]) if role in named else _PLAIN[role] for role in roles])


def _axis(role: str, labels: Labels | Axis | None) -> Axis:
    symbol = SYMBOLS[role]
    if not isinstance(labels, Axis):
        return Axis(role, symbol, labels)
    is_same = (labels.role, labels.symbol) == (role, symbol)
    return labels if is_same else replace(labels, role=role, symbol=symbol)


_PLAIN = {role: _axis(role, None) for role in SYMBOLS}


def given(
    key: str, tensor: np.ndarray, named: tuple[Axis, ...], what: str = "input", kind: str = ""
) -> Stage:
    """A given stage. named: its axes; what: see ``Given``; kind: see ``Stage``."""
    if all(axis.role != "batch" for axis in named):
        named = tuple(axis.for_all_samples() for axis in named)
    return Stage(key, latex(key), tensor, named, Given(what), kind)


def parameter(key: str, tensor: np.ndarray, *roles: str, kind: str = "") -> Stage:
    """A parameter with axes of these roles."""
    return Stage(key, latex(key), tensor, axes(*roles), Given("parameter"), kind)


def broadcast(
    key: str, tensor: np.ndarray, shape: tuple[int, ...], named: tuple[Axis, ...], what: str
) -> Stage:
    """A given stage that broadcasts to ``shape``, without its axes of length 1."""
    full = [i for i, size in enumerate(shape) if tensor.shape[i] == size]
    repeated = tuple(i for i in range(len(shape)) if i not in full)
    squeezed = tensor.squeeze(axis=repeated).copy()
    return given(key, squeezed, tuple(named[i] for i in full), what)
