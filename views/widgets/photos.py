"""The photo cut into patches, lit by what a patch looks at, and one patch on its way to numbers."""

import numpy as np
import streamlit as st

from core import Trace
from views.figures.photo import Photos, patch_box, reach, sums
from views.figures.scale import scale_of
from views.selection import choose_patch, choose_token
from views.spans import mathematics, spans
from views.text import Words
from views.widgets.closeup import closeup
from views.widgets.picture import Looking, picture
from views.widgets.prose import heading
from views.widgets.viewer import Shown
from views.widgets.vision.look import HEAD, MEAN, common_scale_toggle, on_common_scale

LIGHTS = (HEAD, MEAN)
FROM_NEAR = ("image", "patches", "flattened", "W_E", "embedding")


def photos(trace: Trace, chosen: Photos, shown: Shown, words: Words) -> None:
    """The chosen sample's photo in patches, and lit by the weights of the chosen patch and head.

    Above the step and with one patch from near while patches become vectors; beside the step, and
    small, from then on.
    """
    if st.session_state["light"] not in LIGHTS:
        st.session_state["light"] = LIGHTS[0]
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
            _original(chosen, shown, words, words.image.photo_caption, near=True)
        with relit:
            _relit(trace, chosen, shown, words, words.image.relit_caption)
        with near:
            _near(trace, chosen, shown, words)
        _prepared(chosen, words)


def photos_of_part(
    part: Trace,
    chosen: Photos,
    shown: Shown,
    words: Words,
    told: str = "",
    prepared: str = "",
    follows: bool = False,
) -> None:
    """The photo beside one part of a model: from near as it becomes vectors, lit by attention.

    told: the heading over the lit photo, where it is to say more than that a patch looks, with the
    ``{query}`` that looks and the ``{head}``.
    prepared: what was done to the photo, where the model has a way of its own, with ``{value}``.
    follows: whether the browser goes from patch to patch by itself.
    The prediction reads no patch, so no photo stands beside it.
    """
    if "flattened" in part:
        with shown.above, st.container(border=True, key="near_card"):
            original, near = st.columns([1, 1.25], gap="medium")
            with original:
                _original(chosen, shown, words, words.image.photo_caption, near=True)
            with near:
                _near(part, chosen, shown, words, follows)
            _prepared(chosen, words, prepared)
    elif "weights" in part:
        with shown.beside, st.container(border=True, key="photos_card"):
            original, relit = st.columns(2, gap="small")
            with original:
                _original(chosen, shown, words, caption="")
            with relit:
                _lit(part, chosen, shown, HEAD, told or words.image.relit, "", words)


def _original(chosen: Photos, shown: Shown, words: Words, caption: str, near: bool = False) -> None:
    text, side, at = words.image, chosen.side, shown.selection.at
    heading(text.photo.format(rows=side, columns=side, n=side * side))
    picture(
        chosen.pixels[at["batch"]], (side, side), key="photo", label=text.original,
        chosen=at["patch"], caption=caption, near=near, on_choose=choose_patch,
    )  # fmt: skip


def _relit(trace: Trace, chosen: Photos, shown: Shown, words: Words, caption: str) -> None:
    text, stage = words.image, trace["weights"]
    by, before = st.session_state["light"], stage.size("query") - chosen.side**2
    query, told = _query(trace, chosen, shown), text.relit if by == HEAD else text.relit_mean
    _lit(trace, chosen, shown, by, told, caption, words)
    with st.container(horizontal=True, key="lights"):
        if before:
            st.button("[CLS]", key="from_cls", on_click=choose_token, args=(0,), disabled=not query)
        if stage.size("head") > 1:
            st.segmented_control(
                text.relit_mean, LIGHTS, format_func=lambda by: text.lights[by], key="light",
                required=True, label_visibility="collapsed",
            )  # fmt: skip
        common_scale_toggle()


def _query(trace: Trace, chosen: Photos, shown: Shown) -> int:
    """The token that looks."""
    stage, at = trace["weights"], shown.selection.at
    before = stage.size("query") - chosen.side**2
    return min(at.get("query", at["patch"] + before), stage.size("query") - 1)


def _lit(
    trace: Trace, chosen: Photos, shown: Shown, by: str, told: str, caption: str, words: Words
) -> None:
    """The photo lit by one head, or by the mean of all, under a heading."""
    side, at = chosen.side, shown.selection.at
    stage, query = trace["weights"], _query(trace, chosen, shown)
    before = stage.size("query") - side * side
    names = {"cls": "[CLS]", "patch": words.image.patch_label}
    rows = stage.tensor[at["batch"], :, query, before:]  # (head, patch)
    picture(
        chosen.pixels[at["batch"]], (side, side), key="relit", label=told,
        large=chosen.large(at["batch"]) if chosen.originals is not None else None,
        chosen=query - before if query >= before else None,
        weights=rows[at["head"]] if by == HEAD else rows.mean(axis=0),
        live=by == HEAD,
        scale=scale_of(trace, "weights") if on_common_scale() else None,
        look=Looking(at["head"], names), caption=caption,
        on_choose=choose_patch,
    )  # fmt: skip


def _near(trace: Trace, chosen: Photos, shown: Shown, words: Words, follows: bool = False) -> None:
    text, at = words.image, shown.selection.at
    patch, bias, labels = at["patch"], "b_E" in trace, text.closeup_labels
    low, high = reach(chosen.colours)
    sizes = {
        "pixels": str(trace["flattened"].size("pixel")),
        "d_model": str(trace["X"].size("d_model")),
    }
    sample, grid = at["batch"], (chosen.side, chosen.side)
    sent = range(chosen.side**2) if follows else range(patch, patch + 1)
    boxes = [patch_box(one, grid, chosen.pixels.shape[1:3]) for one in sent]
    photo = chosen.pixels[sample]
    closeup(
        np.stack([photo[top:bottom, left:right] for left, top, right, bottom in boxes]),
        trace["flattened"].tensor[sample, sent.start : sent.stop],
        trace["embedding"].tensor[sample, sent.start : sent.stop],
        first=sent.start,
        chosen=patch,
        stages=FROM_NEAR,
        bias=bias,
        colours=chosen.colours,
        scale_flat=scale_of(trace, "flattened"),
        scale_embedding=scale_of(trace, "embedding"),
        title=text.closeup,
        caption=spans(text.closeup_biased if bias else text.closeup_caption, **sizes),
        labels={**labels, "flattened": labels["flattened"].format(low=low, high=high)},
        key="closeup",
    )


def _prepared(chosen: Photos, words: Words, prepared: str = "") -> None:
    """What was done to a picture before it became numbers, and how it became them."""
    text = words.image
    values = [one.format(pixel=text.pixel) for one in sums(chosen.colours)]
    told = values[:1]
    if len(set(values)) > 1:
        named = (text.closeup_labels[colour] for colour in ("red", "green", "blue"))
        told = [
            text.of_colour.format(value=value, colour=colour)
            for value, colour in zip(values, named, strict=True)
        ]
    size = chosen.pixels.shape[1]
    told_at_length = (prepared or text.prepared).format(size=size, value=words.list_mark.join(told))
    st.caption(mathematics(told_at_length))
