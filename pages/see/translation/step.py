"""Which word of the translation is looked at, and in which cross-attention."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from core.models.translator import Translator
from pages.see.translation.controls import Shown
from views import link, parse
from views.selection import Place, choose_token

By = Literal["head", "mean"]
BY: tuple[By, ...] = ("head", "mean")
SO_FAR = 0  # in the link's place of a word: as far as the last one


@dataclass(frozen=True)
class Step:
    """A step of the decoding, and whose lines are drawn: a head's, or the mean of its layer's.

    place, layer, head: from 0.
    """

    place: int
    layer: int
    head: int
    by: By


def best_head(model: Translator) -> tuple[int, int]:
    """The layer and the head, from 0, that were measured to follow the alignment best."""
    best = model.stored.training["alignment"]
    return best["layer"] - 1, best["head"] - 1


def chosen_step(shown: Shown, model: Translator) -> Step:
    """The step that the link says; the last word before END where it says none."""
    word: int = link.bind_param("word", SO_FAR, parse.number(1, 10**6))
    if word > len(shown.target):
        if link.session().adopted is not None:
            link.session().nonsense["word"] = str(word)
        word = st.session_state["word"] = SO_FAR
    best_layer, best = best_head(model)
    layer: int = link.bind_param("layer", best_layer + 1, parse.number(1, model.layers))
    head: int = link.bind_param("head", best + 1, parse.number(1, model.heads))
    by: By = link.bind_param("by", BY[0], parse.one_of(BY))
    place = word - 1 if word else so_far(shown)
    return Step(place, layer - 1, head - 1, by)


def so_far(shown: Shown) -> int:
    """The place of the last word; that of END where there is no word."""
    return max(0, len(shown.words) - 1)


def apply_browser_step(place: int, layer: int, head: int, by: str, shown: Shown) -> None:
    """Callback: take over what the reader has come to rest at in the browser, all from 0.

    The viewer follows: to the same head, to the row that predicts the word, and from one
    cross-attention to that of the layer, where it opens the largest weight of the row.
    """
    link.set_value("word", SO_FAR if place == so_far(shown) else place + 1)
    link.set_value("layer", layer + 1)
    link.set_value("head", head + 1)
    link.set_value("by", by)
    part = st.session_state["part"]
    if part.endswith("/cross"):
        link.set_value("part", cross(layer))
    if is_by_word(part):
        choose_token(place)
        for meant in ("key", "vocabulary"):
            link.remembered(Place).places.pop(meant, None)


def cross(layer: int) -> str:
    """The path of a layer's cross-attention, the layer from 0."""
    return f"decoder/{layer + 1}/cross"


def is_by_word(part: str) -> bool:
    """Whether the rows of a part are the English words."""
    return part.startswith(("target", "decoder", "prediction"))
