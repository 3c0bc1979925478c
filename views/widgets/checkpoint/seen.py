"""What an opened ViT looks at in a picture: the chosen layer, all of its heads."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core import Trace
from core.nested import subtrace
from views.figures.photo import HALF, Photos
from views.reader import in_language
from views.selection import Selection
from views.text import Words
from views.text.checkpoint import WORDS
from views.text.vision import WORDS as VISION
from views.widgets.checkpoint.chosen import Chosen
from views.widgets.checkpoint.processed import prepared
from views.widgets.photos import photos_of_part
from views.widgets.viewer import Shown
from views.widgets.vision.look import (
    HEAD,
    Look,
    looks_of_layer,
    open_head,
)
from views.widgets.vision.looks import every_look, lit, whole
from views.widgets.vision.seen import BEFORE, Seen
from views.widgets.vision.summary import gives, tell

ACROSS = 4  # heads beside one another


def begins(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The cell to begin with: [CLS] and what it looks at most; None where no picture is read."""
    if isinstance(chosen.given, str):
        return None
    seen = Seen(trace, _photos(chosen.given, chosen), 0, 0, Look(HEAD, chosen.layer, 1))
    return {"query": 0, "key": int(seen.patches.argmax()) + BEFORE}


def seen_card(chosen: Chosen, trace: Trace, selection: Selection, words: Words) -> None:
    """The picture, the same picture lit, and small by every head of the layer; nothing for text."""
    seen = _seen(chosen, trace, selection)
    if seen is None:
        return
    with st.container(border=True, key="vision_card"):
        sees, looks, heads = st.columns([1, 1, 1.15], gap="medium")
        with sees:
            whole(seen, words)
        with looks:
            lit(seen, words)
        with heads:
            layer = in_language(VISION).looks.layer.format(layer=chosen.layer)
            by_head = looks_of_layer(chosen.model.heads, chosen.layer)
            every_head = in_language(WORDS).every_head
            every_look(seen, every_head, {layer: by_head}, open_head, words, most=ACROSS)
            tell(seen, [gives(seen)], words, key="gives")


def photos_beside(chosen: Chosen, trace: Trace, path: str, shown: Shown, words: Words) -> None:
    """The picture beside a part of the model; nothing for text."""
    seen = _seen(chosen, trace, shown.selection)
    processor = chosen.model.processor
    if seen is not None and processor is not None:
        said = in_language(WORDS)
        done = said.prepared.replace("{steps}", prepared(processor))
        photos_of_part(subtrace(trace, path), seen.photos, shown, words, said.looks, done)


def _seen(chosen: Chosen, trace: Trace, selection: Selection) -> Seen | None:
    if isinstance(chosen.given, str):
        return None
    photos, at = _photos(chosen.given, chosen), selection.at
    look = Look(HEAD, chosen.layer, at["head"] + 1)
    return Seen(trace, photos, 0, min(at["query"], photos.side**2), look)


def _photos(pixels: np.ndarray, chosen: Chosen) -> Photos:
    model = chosen.model
    colours = model.processor.colours if model.processor else HALF
    return Photos(pixels[None], model.sizes.patch, colours=colours)
