"""The control that chooses an attention mask, shared by all pages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import masks
from core.limits import LIMITS
from views import link, parse
from views.text import Words
from views.widgets.choice import choice
from views.widgets.whole_number import whole_number

FIRST_WINDOW = 8
SELECT_WIDTH = 200  # pixels, where not the whole width is taken
FEW = 3  # options up to which the control is segmented, and not a select box


@dataclass(frozen=True)
class Mask:
    """The chosen mask. name: a key of ``masks.CHOICES``. window: tokens to each side."""

    name: str = "none"
    window: int = FIRST_WINDOW

    def options(self, n: int) -> masks.MaskOptions:
        """The mask options of attention among n tokens."""
        return masks.CHOICES[self.name](n, self.window)


NO_MASK, CAUSAL = Mask(), Mask("causal")


def bind_mask(bind: Callable[..., object], texts: Words) -> None:
    """Keep the choice in the link. bind: ``link.bind_param`` or ``link.preserve_param``."""
    bind("mask", "none", parse.one_of(texts.options))
    if texts.options.keys() & {*masks.WINDOWED}:
        bind("window", FIRST_WINDOW, parse.number(0, LIMITS.frames))


def mask_input(
    texts: Words,
    *,
    width: Literal["stretch", "content"] = "stretch",
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> Mask:
    """Draw the controls and return the chosen mask. texts: names the masks that the page offers."""
    bind_mask(link.bind_param, texts)
    if len(texts.options) > FEW:
        choice(
            texts.label, "mask", [*texts.options], texts.options.__getitem__,
            help=texts.get("help"), label_visibility=label_visibility,
            width="stretch" if width == "stretch" else SELECT_WIDTH,
        )  # fmt: skip
    else:
        st.segmented_control(
            texts.label, texts.options, format_func=texts.options.__getitem__, key="mask",
            required=True, width=width, help=texts.get("help"), label_visibility=label_visibility,
        )  # fmt: skip
    chosen = chosen_mask()
    if chosen.name not in masks.WINDOWED:
        return chosen
    near = whole_number(
        texts.window, 0, LIMITS.frames, key="window", help=texts.window_help,
        width="stretch" if width == "stretch" else SELECT_WIDTH,
    )  # fmt: skip
    return replace(chosen, window=near)


def causal_input(label: str, *, where: DeltaGenerator | None = None, **options: Any) -> bool:
    """Draw a check box for the causal mask alone and return its value."""
    link.bind_param("causal", False, parse.flag)
    return bool((where or st).checkbox(label, key="causal", **options))


def chosen_mask() -> Mask:
    """The mask in session state, also before the controls are drawn."""
    return Mask(st.session_state["mask"], st.session_state.get("window", FIRST_WINDOW))
