"""DINOv2 on the Image page: what one token attends to, laid over the photo, and one layer."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.models import pretrained
from core.nested import parts, subtrace
from pages.see.image.backbone import FIRST_PICTURE, WholePhoto, photo_rollout, processor_of
from views.preferences import in_language
from views.selection import Selection
from views.text import CHECKPOINT, VISION, Words, words_beside
from views.text.spans import spans
from views.widgets.checkpoint.cached_layers import all_layers
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.head_overview import head_overview, overview_asked
from views.widgets.checkpoint.layers import chosen_part_of, layers
from views.widgets.checkpoint.picture_card import prepared
from views.widgets.checkpoint.what_if_card import next_token_changes
from views.widgets.interventions import with_changes
from views.widgets.microscope import FirstView
from views.widgets.model_map import Whole, chosen_part
from views.widgets.photos import photos_of_part
from views.widgets.viewer import part_viewer
from views.widgets.vision.attention import (
    MEAN,
    ROLLOUT,
    AttentionSource,
    PictureAttention,
    choose_attention_source,
    heads_of_layer,
)
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    large_photo,
)
from views.widgets.vision.summary import (
    Sentence,
    bright_share,
    live_prose,
    percent,
    rollout_formula,
)

WORDS = words_beside(__file__)

# Where the eyes and the nose of the cat are in ``FIRST_PICTURE``: the first row and column of
# three by three patches, of 16 × 16.
GRID = (16, 16)
PATCH_WEIGHTS = {"left": (5, 4), "right": (6, 11), "nose": (12, 8)}
FIRST_QUERY = 6 * 16 + 5  # a patch of the eye on the left, in its middle


def backbone_view(photo: WholePhoto, chosen: Chosen, trace: Trace, words: Words) -> None:
    """Draw the photo and what one token attends to, then the map of the layer and one part."""
    model, photos = chosen.model, photo.photos(chosen.model)
    path = chosen_part_of(parts(trace), chosen.attention)
    whole = Whole(in_language(CHECKPOINT).called[model.config.model_type], (model.layers,))
    specials = model.config.specials

    def changes(selection: Selection) -> None:
        next_token_changes(photo.of, chosen, trace, selection.at["head"], predicts=False)

    def card(selection: Selection) -> None:
        by, at = st.session_state["light"], selection.at
        attention = PictureAttention(
            trace, photos, 0, min(at["query"], model.config.positions - 1),
            AttentionSource(by, chosen.layer, at["head"] + 1), rolled=photo_rollout(photo, chosen),
        )  # fmt: skip
        compare = attention_card(photo, attention, chosen, words)
        if compare:
            head_overview(chosen, at["head"], specials, words)
        if photo.of.is_changed:  # then the first view says so
            changes(selection)

    def lead(selection: Selection) -> None:
        if not photo.of.is_changed:
            changes(selection)
        chosen_part(trace, chosen.attention, words, whole=whole)

    shown = part_viewer(
        trace, path, words, origin=partial(origin, chosen), card=card, lead=lead,
        first_view=FirstView(), photos=photo.pixels[None],
        start=_start(photo, trace[f"{chosen.attention}/weights"].tensor[0], len(specials)),
        layers=all_layers(chosen, trace, path, origin),
    )  # fmt: skip
    texts = in_language(CHECKPOINT)
    steps = texts.prepared.replace("{steps}", prepared(processor_of(model)))
    photos_of_part(subtrace(trace, path), photos, shown, words, texts.looks, steps)


def attention_card(
    photo: WholePhoto, attention: PictureAttention, chosen: Chosen, words: Words
) -> bool:
    """Draw the overlay, the thumbnails and what they say; whether all heads are to be compared."""
    texts = in_language(VISION).looks
    layer, model = chosen.layer, chosen.model
    with st.container(border=True, key="vision_card"):
        whole, looks, says = st.columns([1, 1, 0.7], gap="medium")
        with whole:
            large_photo(attention, words)
        with looks:
            attention_overlay(attention, words)
        with says:
            gives = _patch_weights(photo, attention, words) or bright_share(attention)
            live_prose(attention, [gives], words, key="gives")
            proves = [[Sentence(spans(texts.proves))]]
            if attention.look.by == ROLLOUT:
                proves.append([rollout_formula(model.layers)])
            live_prose(attention, proves, words, key="proves", style="quiet")
        with st.container(horizontal=True, gap="medium", key="layer_row"):
            layers(model, layer)
            compare = overview_asked(chosen)
        groups = {
            texts.layer.format(layer=layer): [
                *heads_of_layer(model.heads, layer),
                AttentionSource(MEAN, layer),
            ],
            texts.through: [AttentionSource(ROLLOUT)],
        }
        every_head = in_language(CHECKPOINT).every_head
        attention_thumbnails(attention, every_head, groups, choose_attention_source, words)
    return compare


def _patch_weights(photo: WholePhoto, attention: PictureAttention, words: Words) -> list[Sentence]:
    """How much the eyes and the nose of the first picture get; nothing for another one."""
    if photo.name != FIRST_PICTURE or attention.grid != GRID or attention.look.by == ROLLOUT:
        return []
    rows = attention.patches.reshape(GRID)
    shares = {
        name: (percent(float(rows[row : row + 3, column : column + 3].sum())), "key")
        for name, (row, column) in PATCH_WEIGHTS.items()
    }
    even = percent(9 / attention.rows.shape[-1])
    query = (attention.name(words), "query")
    return [
        Sentence(spans(in_language(WORDS).dinov2.patch_weights, query=query, even=even, **shares))
    ]


def _start(photo: WholePhoto, weights: np.ndarray, specials: int) -> Mapping[str, int]:
    """The initial cell: an eye of the cat, or what [CLS] looks at most, and its largest weight.

    weights: (head, query, key).
    """
    is_cat = photo.name == FIRST_PICTURE and weights.shape[-1] == specials + GRID[0] * GRID[1]
    query = specials + (FIRST_QUERY if is_cat else int(weights[0, 0, specials:].argmax()))
    return {"head": 0, "query": query, "key": int(weights[0, query, specials:].argmax()) + specials}


def origin(chosen: Chosen, words: Words) -> str:
    """Where the trained weights come from, in words."""
    texts = WORDS[words.code].dinov2
    source = texts.published if pretrained.hub_folder(pretrained.DINOV2) else texts.packaged
    where = texts.origin.format(source=source, layer=chosen.layer, layers=chosen.model.layers)
    return with_changes(where, chosen.model.interventions, words)
