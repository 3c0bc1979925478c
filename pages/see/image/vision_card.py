"""The overview of the trained model: the picture, its attention overlay, and the class."""

import streamlit as st

from core.models.vision import Vision
from views.preferences import in_language
from views.text import VISION, Words
from views.widgets.prose import prose
from views.widgets.vision.answer import answer
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    original,
    patch_grid,
)
from views.widgets.vision.attention_source import (
    MEAN,
    ROLLOUT,
    AttentionSource,
    choose_attention_source,
    heads_of_layer,
)
from views.widgets.vision.picture_attention import PictureAttention
from views.widgets.vision.summary import (
    bright_share,
    evidence,
    live_prose,
    origin,
)

LAYERS_BESIDE = 3  # whose thumbnails are in one line


def vision_card(model: Vision, seen: PictureAttention, words: Words) -> None:
    """Draw the picture, its overlay, the class, and thumbnails of all heads to choose from."""
    texts = in_language(VISION)
    with st.container(border=True, key="vision_card"):
        photo, sees, looks = st.columns(3, gap="medium")
        with photo:
            original(seen, words)
        with sees:
            patch_grid(seen, words)
        with looks:
            attention_overlay(seen, words)
        says, caption = st.columns(2, gap="medium")
        with says:
            answer(model, model.classification(seen.trace, seen.sample), texts, words.code)
        with caption:
            live_prose(seen, [bright_share(seen)], words, key="gives")
            live_prose(seen, evidence(model, seen), words, key="proves", style="quiet")
            prose([[(origin(model, words), "")]], key="card_origin", style="quiet")
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
            seen, texts.looks.all, groups, choose_attention_source, words, most=across
        )
