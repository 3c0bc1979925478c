"""The choice of a mask, the same on every page that offers one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import masks
from core.limits import LIMITS
from views import link, parse
from views.text.words import MaskWords
from views.widgets.choice import choice
from views.widgets.whole_number import whole_number

FIRST_WINDOW = 8
FEW = 3  # options, up to which they stand side by side


@dataclass(frozen=True)
class Mask:
    """The mask that the reader chose. name: of ``masks.CHOICES``. window: tokens to each side."""

    name: str = "none"
    window: int = FIRST_WINDOW

    def options(self, n: int) -> masks.MaskOptions:
        """The options of attention among n tokens that follow from it."""
        return masks.CHOICES[self.name](n, self.window)


NO_MASK, CAUSAL = Mask(), Mask("causal")


def keep_mask(keep: Callable[..., object], said: MaskWords) -> None:
    """Keep the choice in the link by ``link.bind_param`` or ``link.preserve_param``."""
    keep("mask", "none", parse.one_of(said.options))
    if said.options.keys() & {*masks.WINDOWED}:
        keep("window", FIRST_WINDOW, parse.number(0, LIMITS.frames))


def mask_input(said: MaskWords, *, width: Literal["stretch", "content"] = "stretch") -> Mask:
    """The controls, and what they say; ``said`` names the masks that the page offers."""
    keep_mask(link.bind_param, said)
    if len(said.options) > FEW:
        choice(said.label, "mask", [*said.options], said.options.__getitem__, help=said.help)
    else:
        st.segmented_control(
            said.label, said.options, format_func=said.options.__getitem__, key="mask",
            required=True, width=width, help=said.help or None,
        )  # fmt: skip
    chosen = chosen_mask()
    if chosen.name not in masks.WINDOWED:
        return chosen
    near = whole_number(said.window, 0, LIMITS.frames, key="window", help=said.window_help)
    return replace(chosen, window=near)


def causal_input(label: str, *, where: DeltaGenerator | None = None, **options: Any) -> bool:
    """The causal mask alone, on or off: for a page whose question is what it changes."""
    link.bind_param("causal", False, parse.flag, parse.written_flag)
    return bool((where or st).checkbox(label, key="causal", **options))


def chosen_mask() -> Mask:
    """What the controls say, also before they are drawn."""
    return Mask(st.session_state["mask"], st.session_state.get("window", FIRST_WINDOW))
