"""The controls of the page of one's own model: which one, what it reads, and which layer."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import streamlit as st
from PIL import Image

from core.errors import InputError
from core.models.checkpoint import Checkpoint
from core.models.settings import Sizes
from core.sources import picture
from views import link, parse
from views.reader import in_language
from views.spans import plain
from views.text import Words
from views.text.checkpoint import WORDS
from views.widgets.checkpoint.chosen import Chosen
from views.widgets.choice import choice
from views.widgets.image_chosen import PHOTOS, chosen_images, hold_images

SAMPLES = ("我爱北京", "The cat sat on the mat because it was warm.")


def which(found: Mapping[str, Path]) -> str:
    """The name of the chosen model among those that are offered."""
    said = in_language(WORDS)
    link.keep("model", next(iter(found)), parse.one_of(found))
    if st.session_state["model"] not in found:
        st.session_state["model"] = next(iter(found))
    choice(said.model, "model", tuple(found))
    name: str = st.session_state["model"]
    return name


def asked(model: Checkpoint, words: Words) -> Chosen:
    """The controls, and what they say. Raises core.errors.InputError.

    What belongs to models of another kind is not shown, and kept in the link all the same.
    """
    said, sizes = in_language(WORDS), model.sizes
    st.caption(plain(about(sizes)))
    given: str | np.ndarray
    layer = _layer(model)
    if model.token == "patch":
        link.hold("text", SAMPLES[-1])
        st.caption(plain(said.picture_help.format(side=sizes.side, patch=sizes.patch)))
        (photo,) = chosen_images(words, PHOTOS[0], most=1)
        given = _as_taken(photo, sizes)
    else:
        hold_images(PHOTOS[0])
        given = _text(model)
    return Chosen(model, given, layer)


def about(sizes: Sizes) -> str:
    """A model in numbers."""
    said = in_language(WORDS)
    return said.about.format(
        kind=said.kinds[sizes.kind], layers=sizes.layers, heads=sizes.heads,
        d_model=sizes.d_model, d_ff=sizes.d_ff,
    )  # fmt: skip


def first_text(model: Checkpoint) -> str:
    """The first sample that this model cuts into characters or longer pieces; else the last."""
    return next((text for text in SAMPLES if _knows(model, text)), SAMPLES[-1])


def _knows(model: Checkpoint, text: str) -> bool:
    try:
        cut = model.cut(text)
    except InputError:
        return False
    return not cut.unknown and len(cut.names) - len(cut.special) <= len(text)


def _text(model: Checkpoint) -> str:
    said = in_language(WORDS)
    written: str = link.keep("text", first_text(model))
    st.text_area(
        said.text,
        key="text",
        height=84,
        help=said.text_help.format(tokens=model.sizes.positions),
        on_change=link.touch,
    )
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, sample in enumerate(SAMPLES):
            st.button(
                sample, key=f"sample_{number}", on_click=link.set_value, args=("text", sample)
            )
    return written


def _as_taken(photo: Image.Image, sizes: Sizes) -> np.ndarray:
    return picture.resized(np.asarray(photo), sizes.side)


def _layer(model: Checkpoint) -> int:
    """The layer of the link, or the last one where this model has fewer."""
    link.keep("layer", 1, parse.number(1, 999))
    st.session_state["layer"] = min(st.session_state["layer"], model.layers)
    layer: int = st.session_state["layer"]
    return layer


def layers(chosen: Chosen) -> None:
    """The layers, one to choose; the part that is looked at goes along."""
    said, model = in_language(WORDS), chosen.model

    def go() -> None:
        link.touch()
        part = str(st.session_state.get("part", ""))
        if part.startswith("encoder/"):
            kind = part.rpartition("/")[2]
            st.session_state["part"] = f"encoder/{st.session_state['layer']}/{kind}"

    st.segmented_control(
        said.layer,
        range(1, model.layers + 1),
        key="layer",
        help=said.layer_help,
        on_change=go,
        required=True,
    )
