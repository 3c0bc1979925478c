"""The photo as patches, its attention overlay, and a close-up of one patch."""

import numpy as np
import streamlit as st

from core import Trace
from views.figures.photo import (
    Photos,
    bytes_text,
    float32_text,
    patch_box,
    pixel_formulas,
    pixel_to_number,
    six_digits,
    value_range,
)
from views.figures.scale import Scale, scale_of
from views.scene.naming import prefix_names
from views.selection import choose_patch, choose_token
from views.text import Words
from views.text.spans import mathematics, spans
from views.widgets.component import component
from views.widgets.picture import AttendingToken, picture, token_names
from views.widgets.prose import heading
from views.widgets.viewer import Shown
from views.widgets.vision.attention import HEAD, MEAN, common_scale_toggle, on_common_scale

LIGHTS = (HEAD, MEAN)
CLOSEUP_STAGES = ("image", "patches", "flattened", "W_E", "embedding")


def photos(trace: Trace, chosen: Photos, shown: Shown, words: Words) -> None:
    """Draw the sample's photo as patches, and overlaid with the weights of the selected query.

    At steps of the patch embedding it is above the step, with a close-up of the selected patch;
    else it is small and beside the step.
    """
    if st.session_state["light"] not in LIGHTS:
        st.session_state["light"] = LIGHTS[0]
    if shown.selection.key not in CLOSEUP_STAGES:
        with shown.beside, st.container(border=True, key="photos_card"):
            original, overlay = st.columns(2, gap="small")
            with original:
                _original(trace, chosen, shown, words, caption="")
            with overlay:
                _overlay_with_controls(trace, chosen, shown, words, caption="")
        return
    with shown.above, st.container(border=True, key="near_card"):
        original, overlay, near = st.columns([1, 1, 1.25], gap="medium")
        with original:
            _original(trace, chosen, shown, words, words.image.photo_caption, near=True)
        with overlay:
            _overlay_with_controls(trace, chosen, shown, words, words.image.relit_caption)
        with near:
            _closeup(trace, chosen, shown, words)
        _prepared(chosen, words)


def photos_of_part(
    part: Trace,
    chosen: Photos,
    shown: Shown,
    words: Words,
    label: str = "",
    prepared: str = "",
    follows: bool = False,
) -> None:
    """Draw the photo beside one part of a model: a close-up for the embedding, else the overlay.

    label: the heading of the overlay with ``{query}`` and ``{head}``, if not the default one.
    prepared: how the model preprocesses the photo, with ``{value}``, if not in the default way.
    follows: whether the browser changes the patch without a run.
    A part without weights and patches, such as the prediction, gets no photo.
    """
    if "flattened" in part:
        with shown.above, st.container(border=True, key="near_card"):
            original, near = st.columns([1, 1.25], gap="medium")
            with original:
                _original(part, chosen, shown, words, words.image.photo_caption, near=True)
            with near:
                _closeup(part, chosen, shown, words, follows)
            _prepared(chosen, words, prepared)
    elif "weights" in part:
        with shown.beside, st.container(border=True, key="photos_card"):
            original, overlay = st.columns(2, gap="small")
            with original:
                _original(part, chosen, shown, words, caption="")
            with overlay:
                _overlay(part, chosen, shown, HEAD, label or words.image.relit, "", words)


def _original(
    trace: Trace,
    chosen: Photos,
    shown: Shown,
    words: Words,
    caption: str,
    near: bool = False,
) -> None:
    text, at = words.image, shown.selection.at
    (rows, columns), specials = chosen.grid, prefix_names(trace)
    heading(text.photo.format(rows=rows, columns=columns, n=chosen.patches))
    picture(
        chosen.pixels[at["batch"]], chosen.grid, key="photo", label=text.original,
        specials=specials,
        chosen=at["patch"], caption=caption, near=near, on_choose=choose_patch,
    )  # fmt: skip


def _overlay_with_controls(
    trace: Trace, chosen: Photos, shown: Shown, words: Words, caption: str
) -> None:
    text, stage = words.image, trace["weights"]
    by, before = st.session_state["light"], stage.size("query") - chosen.patches
    query, label = _query(trace, chosen, shown), text.relit if by == HEAD else text.relit_mean
    _overlay(trace, chosen, shown, by, label, caption, words)
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
    """The selected query token, from 0."""
    stage, at = trace["weights"], shown.selection.at
    before = stage.size("query") - chosen.patches
    return min(at.get("query", at["patch"] + before), stage.size("query") - 1)


def _overlay(
    trace: Trace, chosen: Photos, shown: Shown, by: str, label: str, caption: str, words: Words
) -> None:
    """The photo overlaid with the weights of one head, or with their mean, under a heading."""
    at = shown.selection.at
    stage, query = trace["weights"], _query(trace, chosen, shown)
    before = stage.size("query") - chosen.patches
    specials = prefix_names(trace)
    names = token_names(specials, words.image.patch_label)
    rows = stage.tensor[at["batch"], :, query, before:]  # (head, patch)
    picture(
        chosen.pixels[at["batch"]], chosen.grid, key="relit", label=label,
        large=chosen.large(at["batch"]) if chosen.originals is not None else None,
        chosen=query - before, specials=specials,
        weights=rows[at["head"]] if by == HEAD else rows.mean(axis=0),
        live=by == HEAD,
        scale=scale_of(trace, "weights") if on_common_scale() else None,
        look=AttendingToken(at["head"], names), caption=caption,
        on_choose=choose_patch,
    )  # fmt: skip


def _closeup(
    trace: Trace, chosen: Photos, shown: Shown, words: Words, follows: bool = False
) -> None:
    """Draw a patch's pixels, flattened row and embedding; hovering a pixel marks its three numbers.

    follows: whether the browser changes the patch without a run, so that all patches are sent.
    Raises ValueError if the flattened rows do not follow from the pixels.
    """
    text, at, colours = words.image, shown.selection.at, chosen.colours
    sample, patch, is_biased = at["batch"], at["patch"], "b_E" in trace
    sent = range(chosen.patches) if follows else range(patch, patch + 1)
    flattened = trace["flattened"].tensor[sample, sent.start : sent.stop]  # (patch, P·P·3)
    boxes = (patch_box(i, chosen.grid, chosen.pixels.shape[1:3]) for i in sent)
    photo = chosen.pixels[sample]
    pixels = np.stack([photo[top:bottom, left:right] for left, top, right, bottom in boxes])
    low, high = value_range(colours)
    labels = text.closeup_labels
    caption = spans(
        text.closeup_biased if is_biased else text.closeup_caption,
        pixels=str(trace["flattened"].size("pixel")),
        d_model=str(trace["X"].size("d_model")),
    )
    data = {
        "side": pixels.shape[1],
        "first": sent.start,
        "chosen": patch,
        "stages": CLOSEUP_STAGES,
        "pixels": bytes_text(pixels),
        "levels": float32_text(pixel_to_number(pixels, flattened.reshape(-1), colours)),
        "sums": pixel_formulas(colours),
        "colours": [
            [float(six_digits(part)) for part in pair]
            for pair in zip(colours.mean, colours.deviation, strict=True)
        ],
        "embedding": float32_text(trace["embedding"].tensor[sample, sent.start : sent.stop]),
        "bias": is_biased,
        "scales": {key: _scale(scale_of(trace, key)) for key in ("flattened", "embedding")},
        "title": text.closeup,
        "caption": caption,
        "labels": {**labels, "flattened": labels["flattened"].format(low=low, high=high)},
    }
    component("closeup")(key="closeup", data=data)


def _scale(scale: Scale) -> dict[str, object]:
    """The colours of both themes, because a change of theme does not rerun the page."""
    colours = list(zip(scale.stops("light"), scale.stops("dark"), strict=True))
    return {"low": scale.low, "high": scale.high, "colours": colours}


def _prepared(chosen: Photos, words: Words, prepared: str = "") -> None:
    """A caption: how the picture was preprocessed, and how its pixels became numbers."""
    text = words.image
    values = [one.format(pixel=text.pixel) for one in pixel_formulas(chosen.colours)]
    formulas = values[:1]
    if len(set(values)) > 1:
        named = (text.closeup_labels[colour] for colour in ("red", "green", "blue"))
        formulas = [
            text.of_colour.format(value=value, colour=colour)
            for value, colour in zip(values, named, strict=True)
        ]
    size = chosen.pixels.shape[1]
    sentence = (prepared or text.prepared).format(size=size, value=words.list_mark.join(formulas))
    st.caption(mathematics(sentence))
