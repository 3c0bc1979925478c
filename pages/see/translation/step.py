"""The selected step of the decoding, and the selected cross-attention."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st

from core.models.translator import Translator
from pages.see.translation.controls import Shown
from views import link, parse
from views.selection import SelectionState, choose_token
from views.widgets.known_heads import words_in

By = Literal["head", "mean"]
BY: tuple[By, ...] = ("head", "mean")
LAST_WORD = 0  # the link's number for the last word


@dataclass(frozen=True)
class Step:
    """A step of the decoding, and the attention that is drawn: of a head, or the layer's mean.

    index, layer, head: from 0. word: the step whose attention is shown: the same, or, where none
    was chosen, that of the last word with a content, since a full stop takes from anywhere.
    """

    index: int
    layer: int
    head: int
    by: By
    word: int


def chosen_step(shown: Shown, model: Translator) -> Step:
    """The step in the link; by default the last word before END."""
    word: int = link.bind_param("word", LAST_WORD, parse.number(1, 10**6))
    if word > len(shown.target):
        word = link.replace_param("word", LAST_WORD)
    best_layer, best = model.best_aligned_head
    layer: int = link.bind_param("layer", best_layer + 1, parse.number(1, model.layers))
    head: int = link.bind_param("head", best + 1, parse.number(1, model.heads))
    by: By = link.bind_param("by", BY[0], parse.one_of(BY))
    index = word - 1 if word else last_word(shown)
    telling = np.flatnonzero(words_in(shown.words))
    begins = index if word or not telling.size else int(telling[-1])
    return Step(index, layer - 1, head - 1, by, begins)


def last_word(shown: Shown) -> int:
    """The step of the last word; that of END if there is no word."""
    return max(0, len(shown.words) - 1)


def apply_browser_step(index: int, layer: int, head: int, by: str, shown: Shown) -> None:
    """Callback: select the step, layer and head at which the user stopped, all from 0.

    The stage viewer follows: to the head, to the row that predicts the word, and from a
    cross-attention to that of the layer, at the largest weight of the row.
    """
    link.set_value("word", LAST_WORD if index == last_word(shown) else index + 1)
    link.set_value("layer", layer + 1)
    link.set_value("head", head + 1)
    link.set_value("by", by)
    part = st.session_state["part"]
    if part.endswith("/cross"):
        link.set_value("part", cross(layer))
    if is_by_word(part):
        choose_token(index)
        for axis in ("key", "vocabulary"):
            link.remembered(SelectionState).positions.pop(axis, None)


def cross(layer: int) -> str:
    """The path of a layer's cross-attention, the layer from 0."""
    return f"decoder/{layer + 1}/cross"


def is_by_word(part: str) -> bool:
    """Whether the rows of a part are the English words."""
    return part.startswith(("target", "decoder", "prediction"))
