"""The trained model on the Image page: its overview, its map, and a part in the stage viewer."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core import Trace
from core.models.vision import Vision
from core.nested import subtrace
from pages.see.image.controls import Pictures
from views import link, parse
from views.preferences import in_language
from views.selection import Selection
from views.text import VISION, Words
from views.widgets.microscope import FirstView
from views.widgets.model_card import model_card
from views.widgets.model_map import chosen_part
from views.widgets.photos import photos_of_part
from views.widgets.viewer import part_viewer
from views.widgets.vision.attention import (
    MEAN,
    ROLLOUT,
    AttentionSource,
    PictureAttention,
    attention_path,
    attention_source,
    best_head,
    choose_attention_source,
    heads_of_layer,
)
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    original,
    patch_grid,
)
from views.widgets.vision.summary import answer, bright_share, evidence, live_prose, origin

LAYERS_BESIDE = 3  # whose thumbnails are in one line


def vision_view(model: Vision, trace: Trace, chosen: Pictures, words: Words) -> None:
    """Draw the overview for [CLS], then the map of the model and one part of it."""
    first = PictureAttention(trace, chosen, 0, 0, best_head(model), follows=True)
    start = {
        "head": first.look.head - 1,
        "query": first.query,
        "key": int(first.patches.argmax()) + len(first.specials),
    }
    opened = attention_path(first.look.layer)
    path = link.bind_param("part", opened, parse.one_of(model.parts))

    def card(selection: Selection) -> None:
        at = selection.at
        picture = replace(
            first,
            sample=at["batch"],
            query=min(at["query"], chosen.patches),
            look=attention_source(path, selection),
        )
        vision_card(model, picture, words)

    def lead(selection: Selection) -> None:
        chosen_part(trace, opened, words)

    shown = part_viewer(
        trace, path, words, origin=partial(origin, model), follow=False, start=start, card=card,
        lead=lead, first_view=FirstView(), photos=chosen.pixels,
    )  # fmt: skip
    photos_of_part(subtrace(trace, path), chosen, shown, words, follows=True)
    model_card("vision", words)


def vision_card(model: Vision, picture: PictureAttention, words: Words) -> None:
    """Draw the picture, its overlay, the class, and thumbnails of all heads to choose from."""
    texts = in_language(VISION)
    with st.container(border=True, key="vision_card"):
        photo, sees, looks = st.columns(3, gap="medium")
        with photo:
            original(picture, words)
        with sees:
            patch_grid(picture, words)
        with looks:
            attention_overlay(picture, words)
        says, caption = st.columns(2, gap="medium")
        with says:
            answer(model, model.classification(picture.trace, picture.sample), texts, words.code)
        with caption:
            live_prose(picture, [bright_share(picture)], words, key="gives")
            live_prose(picture, evidence(model, picture), words, key="proves", style="quiet")
        groups = {
            texts.looks.layer.format(layer=n): [
                *heads_of_layer(model.heads, n),
                AttentionSource(MEAN, n),
            ]
            for n in range(1, model.layers + 1)
        }
        groups |= {texts.looks.through: [AttentionSource(ROLLOUT)]}
        across = LAYERS_BESIDE * (model.heads + 1)
        attention_thumbnails(
            picture, texts.looks.all, groups, choose_attention_source, words, most=across
        )
