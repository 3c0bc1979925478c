"""The controls of the page on sizes: a standard size, and changes to its numbers."""

from dataclasses import dataclass

import streamlit as st

from core.limits import COUNTED
from core.models.standard import STANDARD
from core.shapes import AttentionShape, shared_out
from views import link, parse
from views.text import Words
from views.text.spans import plain
from views.widgets.choice import option_input
from views.widgets.whole_number import whole_number


@dataclass(frozen=True)
class Inputs:
    """A standard size by its name, and the edited sizes."""

    preset: str
    sizes: AttentionShape

    @property
    def modality(self) -> str:
        """The kind of input: text, image or sound."""
        return STANDARD[self.preset].modality

    @property
    def standard(self) -> AttentionShape:
        """The chosen standard size."""
        return STANDARD[self.preset].sizes


FIRST = Inputs("text", STANDARD["text"].sizes)


def sizes_input(texts: Words) -> Inputs:
    """Draw the controls and return their values. Raises heads_do_not_divide."""
    left, right = st.columns([1.2, 2], vertical_alignment="bottom")
    preset: str = option_input(
        texts.preset, "preset", STANDARD, lambda name: plain(texts.presets[name]),
        first=FIRST.preset, where=left, on_change=_to_standard,
    )  # fmt: skip
    standard = STANDARD[preset]
    labels = {
        "batch": texts.batch, "n": texts.n[standard.modality], "heads": texts.heads,
        "d_model": texts.d_model,
    }  # fmt: skip
    for name, most in COUNTED.items():
        link.bind_param(name, getattr(standard.sizes, name), parse.number(1, most))
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        sizes = {
            name: whole_number(labels[name], 1, most, key=name, width=120)
            for name, most in COUNTED.items()
        }
        if any(st.session_state[name] != getattr(standard.sizes, name) for name in COUNTED):
            st.button(texts.back, key="back", on_click=_to_standard)
    return Inputs(preset, shared_out(sizes["batch"], sizes["n"], sizes["d_model"], sizes["heads"]))


def _to_standard() -> None:
    """Callback: reset all numbers to the chosen standard size."""
    sizes = STANDARD[st.session_state["preset"]].sizes
    for name in COUNTED:
        link.set_value(name, getattr(sizes, name))
