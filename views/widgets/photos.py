"""The photo cut into patches, lit by what a patch looks at, and one patch on its way to numbers."""

import streamlit as st

from core import Trace
from views import link, parse
from views.figures.photo import patch_box
from views.figures.scale import scale_of
from views.selection import choose_patch, choose_token
from views.spans import plain, spans
from views.text import Words
from views.widgets.closeup import closeup
from views.widgets.image_input import Pictures
from views.widgets.picture import picture
from views.widgets.prose import heading, prose
from views.widgets.viewer import Shown

LIGHTS = ("head", "mean")
FROM_NEAR = ("image", "patches", "flattened", "W_E", "embedding")


def photos(trace: Trace, chosen: Pictures, shown: Shown, words: Words) -> None:
    """The chosen sample's photo in patches, and lit by the weights of the chosen patch and head.

    Above the step and with one patch from near while patches become vectors; beside the step, and
    small, from then on.
    """
    if shown.selection.key not in FROM_NEAR:
        with shown.beside, st.container(border=True, key="photos_card"):
            original, relit = st.columns(2, gap="small")
            with original:
                _original(chosen, shown, words, caption="")
            with relit:
                _relit(trace, chosen, shown, words, caption="")
        return
    with shown.above, st.container(border=True, key="near_card"):
        original, relit, near = st.columns([1, 1, 1.25], gap="medium")
        with original:
            _original(chosen, shown, words, words.image.photo_caption)
        with relit:
            _relit(trace, chosen, shown, words, words.image.relit_caption)
        with near:
            _near(trace, chosen, shown, words)
        st.caption(plain(words.image.prepared.format(size=chosen.pixels.shape[1])))


def _original(chosen: Pictures, shown: Shown, words: Words, caption: str) -> None:
    text, side, at = words.image, chosen.side, shown.selection.at
    heading(text.photo.format(rows=side, columns=side, n=side * side))
    picture(
        chosen.pixels[at["batch"]], (side, side), key="photo", label=text.original,
        chosen=at["patch"], caption=caption, on_choose=choose_patch,
    )  # fmt: skip


def _relit(trace: Trace, chosen: Pictures, shown: Shown, words: Words, caption: str) -> None:
    text, side, at = words.image, chosen.side, shown.selection.at
    stage = trace["weights"]
    before = stage.size("query") - side * side
    query = min(at.get("query", at["patch"] + before), stage.size("query") - 1)
    by = link.keep("light", LIGHTS[0], parse.one_of(LIGHTS))
    label = text.relit.format(head=at["head"] + 1) if by == "head" else text.relit_mean
    heading(label)
    rows = stage.tensor[at["batch"], :, query, before:]  # (head, patch)
    picture(
        chosen.pixels[at["batch"]], (side, side), key="relit", label=label,
        chosen=query - before if query >= before else None,
        weights=rows[at["head"]] if by == "head" else rows.mean(axis=0),
        live=by == "head",
        scale=scale_of(trace, "weights"),
        caption=caption, on_choose=choose_patch,
    )  # fmt: skip
    with st.container(horizontal=True, key="lights"):
        if before:
            st.button("[CLS]", key="from_cls", on_click=choose_token, args=(0,), disabled=not query)
        if rows.shape[0] > 1:
            st.segmented_control(
                label, LIGHTS, format_func=lambda by: text.lights[by], key="light",
                on_change=link.touch, required=True, label_visibility="collapsed",
            )  # fmt: skip


def _near(trace: Trace, chosen: Pictures, shown: Shown, words: Words) -> None:
    text, at = words.image, shown.selection.at
    patch = at["patch"]
    heading(text.closeup.format(patch=patch + 1))
    sizes = {
        "pixels": str(trace["flattened"].size("pixel")),
        "d_model": str(trace["X"].size("d_model")),
    }
    prose([spans(text.closeup_caption, **sizes)], key="closeup_caption", style="quiet")
    pixels = chosen.pixels[at["batch"]]
    left, top, right, bottom = patch_box(patch, (chosen.side, chosen.side), pixels.shape[:2])
    closeup(
        pixels[top:bottom, left:right],
        trace["flattened"].tensor[at["batch"], patch],
        trace["embedding"].tensor[at["batch"], patch],
        scale_flat=scale_of(trace, "flattened"),
        scale_embedding=scale_of(trace, "embedding"),
        labels=text.closeup_labels,
        key="closeup",
    )
